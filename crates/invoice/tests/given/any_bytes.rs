//! What must hold for any bytes at all.
#![allow(dead_code, reason = "each target uses its own part of this")]

use invoice::xml::{Limits, ReadError};
use invoice::{Read, check_document, cii, explain, ubl};
use jiff::civil::date;

/// Refused, or read, checked, explained, written and read back equal.
pub(crate) fn as_ubl(bytes: &[u8]) {
    goes_through(ubl::read(bytes, Limits::default()));
}

/// The same of a Cross Industry Invoice, which is written as UBL.
pub(crate) fn as_cii(bytes: &[u8]) {
    goes_through(cii::read(bytes, Limits::default()));
}

fn goes_through(read: Result<Read, ReadError>) {
    let Ok(read) = read else {
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
