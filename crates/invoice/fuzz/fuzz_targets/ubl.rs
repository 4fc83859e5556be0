//! Any bytes as UBL: refused, or read, checked, written and read back equal.
#![no_main]

#[path = "../../tests/given/any_bytes.rs"]
mod any_bytes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_bytes::as_ubl(bytes));
