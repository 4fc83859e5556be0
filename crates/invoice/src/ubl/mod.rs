//! UBL 2.1, Invoice and Credit Note, as EN 16931 binds it (CEN/TS 16931-3-2) and as ZATCA extends it.

mod read;
mod write;

use std::io::BufRead;

use crate::Document;
use crate::syntax::{self, ParsedDocument};
use crate::xml::{Limits, ReadError, Source, WriteError};

/// Reads one document. What is wrong with its values is for [`check_document`](crate::check_document) to say.
///
/// # Errors
/// [`ReadError`] if it is not UBL, not well-formed, or larger than the limits.
pub fn read(bytes: impl BufRead, limits: Limits) -> Result<ParsedDocument, ReadError> {
    read_from_root(syntax::open_root(bytes, limits)?)
}

/// Reads a document from its root element on.
pub(crate) fn read_from_root<R: BufRead>(source: Source<R>) -> Result<ParsedDocument, ReadError> {
    read::read(source)
}

/// Writes one document. [`read`] gives an equal one back, if no text begins or ends with spaces.
///
/// # Errors
/// [`WriteError`] if XML cannot hold a character, or two languages could not be told apart.
pub fn write(document: &Document) -> Result<String, WriteError> {
    write::write(document)
}

/// The type code of a supporting document that is really the invoiced object (BT-18).
const INVOICED_OBJECT: &str = "130";
/// The type code of a supporting document that is really the project (BT-11) of a credit note.
const PROJECT: &str = "50";
/// The payment means (UNCL4461, instrument not defined) that stands only to carry the reason of a note (KSA-10) or the due
/// date of a credit note (BT-9), where no payment is known.
const NO_PAYMENT_MEANS: &str = "1";
