//! Bytes in hexadecimal digits, as digests are told.

/// Two digits in lower case for each byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
