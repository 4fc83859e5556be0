//! What must hold for any bytes at all.

use invoice::xml::Limits;
use invoice::{check_document, explain, ubl};
use jiff::civil::date;

/// Refused, or read, checked, explained, written and read back equal.
pub(crate) fn as_ubl(bytes: &[u8]) {
    let Ok(read) = ubl::read(bytes, Limits::default()) else {
        return;
    };
    let checked = check_document(&read.document, date(2026, 11, 21));
    let _ = explain(&read.document.content, &checked);
    let Ok(written) = ubl::write(&read.document) else {
        return;
    };
    let again = ubl::read(written.as_bytes(), Limits::default()).expect("what was written is UBL");
    assert_eq!(again.document, read.document, "as written: {written}");
}
