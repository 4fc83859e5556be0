//! Any bytes as HTTP Basic.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invoicing_identity::any_bytes::as_basic(bytes));
