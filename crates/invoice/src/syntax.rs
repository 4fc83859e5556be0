//! The two syntaxes of EN 16931 (CEN/TS 16931-2), their XML namespaces, and the result of reading either.

use std::io::BufRead;

use crate::Document;
use crate::xml::{Limits, ReadError, Source, UnmappedElement};

/// A syntax of EN 16931.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// UBL 2.1.
    Ubl,
    /// UN/CEFACT Cross Industry Invoice D16B.
    Cii,
}

/// The result of reading a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedDocument {
    /// The syntax of the input.
    pub syntax: Syntax,
    /// The elements that the model represents.
    pub document: Document,
    /// The elements and attributes that the model does not represent, by name.
    pub unmapped: Vec<UnmappedElement>,
}

/// Opens a document and reads the start tag of the root element.
pub(crate) fn open_root<R: BufRead>(bytes: R, limits: Limits) -> Result<Source<R>, ReadError> {
    let mut source = Source::new(bytes, limits, VOCABULARY);
    source.root()?;
    Ok(source)
}

pub(crate) const INVOICE_NAMESPACE: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
pub(crate) const CREDIT_NOTE_NAMESPACE: &str =
    "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";
pub(crate) const CAC_NAMESPACE: &str =
    "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2";
pub(crate) const CBC_NAMESPACE: &str =
    "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2";

// Indexes in `VOCABULARY`: the namespace part of an element name.
pub(crate) const INVOICE: usize = 0;
pub(crate) const CREDIT_NOTE: usize = 1;
pub(crate) const CAC: usize = 2;
pub(crate) const CBC: usize = 3;
pub(crate) const RSM: usize = 4;
pub(crate) const RAM: usize = 5;
pub(crate) const UDT: usize = 6;
pub(crate) const QDT: usize = 7;

const VOCABULARY: &[&str] = &[
    INVOICE_NAMESPACE,
    CREDIT_NOTE_NAMESPACE,
    CAC_NAMESPACE,
    CBC_NAMESPACE,
    "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
    "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
    "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
    "urn:un:unece:uncefact:data:standard:QualifiedDataType:100",
];
