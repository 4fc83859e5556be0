//! Fuzz target: any bytes as an URL-encoded form.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invoicing_identity::fuzz_checks::check_form(bytes));
