//! Fuzz target: any bytes as a page token.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invoicing_gateway::fuzz_checks::check_page_token(bytes));
