//! Fuzz target: any bytes as a field mask in its JSON form.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invoicing_gateway::fuzz_checks::check_field_mask(bytes));
