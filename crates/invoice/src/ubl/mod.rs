//! UBL 2.1, Invoice and Credit Note, as EN 16931 binds it (CEN/TS 16931-3-2) and as ZATCA extends it.

mod read;
mod write;

use std::io::BufRead;

use crate::Document;
use crate::syntax::{self, ParsedDocument};
use crate::xml::{Limits, ReadError, Source, WriteError};

/// Reads one document. Values are not validated here: [`check_document`](crate::check_document) does that.
///
/// # Errors
/// [`ReadError`] if the input is not UBL, is not well-formed, or exceeds the limits.
pub fn read(bytes: impl BufRead, limits: Limits) -> Result<ParsedDocument, ReadError> {
    read_from_root(syntax::open_root(bytes, limits)?)
}

/// Reads a document whose root start tag has been read.
pub(crate) fn read_from_root<R: BufRead>(source: Source<R>) -> Result<ParsedDocument, ReadError> {
    read::read(source)
}

/// Writes one document. [`read`] returns an equal document if no text begins or ends with white space, and no day has a time zone.
///
/// # Errors
/// [`WriteError`] if XML does not allow a character, or two languages could not be separated.
pub fn write(document: &Document) -> Result<String, WriteError> {
    write::write(document)
}

/// The type code of a supporting document that represents the invoiced object (BT-18).
const INVOICED_OBJECT: &str = "130";
/// The type code of a supporting document that represents the project (BT-11) of a credit note.
const PROJECT: &str = "50";
/// The payment means (UNCL4461, instrument not defined) that only holds the reason of a note (KSA-10) or the due
/// date of a credit note (BT-9) if there is no payment instruction.
const NO_PAYMENT_MEANS: &str = "1";
