//! Arbitrary bytes as UBL: rejected, or read, checked, written and read back equal.
#![no_main]

#[path = "../../tests/it/fixtures/fuzz_checks.rs"]
mod fuzz_checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_checks::check_ubl(bytes));
