//! Any bytes as a form.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invoicing_identity::any_bytes::as_form(bytes));
