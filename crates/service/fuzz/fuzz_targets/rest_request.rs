//! Fuzz target: any bytes as a REST request: method, path, query and body.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invoicing_gateway::fuzz_checks::check_rest_request(bytes));
