//! Fuzz target: any bytes as an HTTP Basic `Authorization` header.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invoicing_identity::fuzz_checks::check_basic(bytes));
