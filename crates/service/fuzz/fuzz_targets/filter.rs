//! Fuzz target: any bytes as the JSON of a request for a list, with its filter.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invoicing_gateway::fuzz_checks::check_filter_json(bytes));
