//! Arbitrary bytes as a Cross Industry Invoice: rejected, or read, checked, written as UBL and read back equal.
#![no_main]

#[path = "../../tests/it/fixtures/fuzz_checks.rs"]
mod fuzz_checks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_checks::check_cii(bytes));
