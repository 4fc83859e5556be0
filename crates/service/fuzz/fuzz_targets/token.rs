//! Fuzz target: any bytes as a bearer token and as a CSRF token.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invoicing_identity::fuzz_checks::check_token(bytes));
