//! Reads a document in either syntax of EN 16931, selected by the namespace of the root element.

use std::io::BufRead;

use crate::syntax::{self, ParsedDocument, RSM};
use crate::xml::{Limits, ReadError};
use crate::{cii, ubl};

/// Reads one UBL or Cross Industry Invoice document. Values are not validated here:
/// [`check_document`](crate::check_document) does that.
///
/// # Errors
/// [`ReadError`] if the input is in neither syntax, is not well-formed, or exceeds the limits.
pub fn read(bytes: impl BufRead, limits: Limits) -> Result<ParsedDocument, ReadError> {
    let source = syntax::open_root(bytes, limits)?;
    match source.name() {
        (RSM, _) => cii::read_from_root(source),
        _ => ubl::read_from_root(source),
    }
}
