//! Any bytes as a bearer token and as a page's token.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| invoicing_identity::any_bytes::as_token(bytes));
