//! Arbitrary text as a number of a user: rejected, or normalized to a decimal string.
#![no_main]

use invoice::{decimal, number_input};

libfuzzer_sys::fuzz_target!(|text: &str| {
    for minor_units in 0..4 {
        if let Ok(wire) = number_input::normalize(text, minor_units)
            && !wire.is_empty()
        {
            assert_ne!(decimal::parse(&wire), Err(decimal::DecimalError::Malformed), "{text:?} gave {wire:?}");
        }
    }
});
