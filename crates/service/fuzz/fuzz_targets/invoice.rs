//! Fuzz target: any bytes as the JSON of an invoice.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invoicing_gateway::documents::fuzz_checks::check_invoice_json(bytes));
