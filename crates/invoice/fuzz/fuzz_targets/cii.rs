//! Any bytes as a Cross Industry Invoice: refused, or read, checked, written as UBL and read back equal.
#![no_main]

#[path = "../../tests/given/any_bytes.rs"]
mod any_bytes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_bytes::as_cii(bytes));
