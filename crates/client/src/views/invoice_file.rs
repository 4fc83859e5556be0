//! Invoice files of other programs, as they were read.

use std::fmt;

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{InvoiceContent, InvoiceKind, LocalizedText, Violation};

/// The syntax of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FileSyntax {
    /// UBL 2.1.
    Ubl,
    /// UN/CEFACT Cross Industry Invoice.
    Cii,
}

/// Whose invoice a file is, as seen from the organization of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FileRelation {
    /// The organization is the seller.
    Seller,
    /// The organization is the buyer: somebody else issued it.
    Buyer,
    /// The organization is neither.
    Neither,
    /// No document of the organization has been read yet, so its tax number is not known here.
    Unknown,
}

/// A party of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FileParty {
    /// Its name.
    pub name: LocalizedText,
    /// Its tax number, or empty.
    pub tax_id: String,
}

/// Why something of a file is not in the draft that is made of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum UnreadReason {
    /// A draft gets its number when it is issued.
    Number,
    /// Documents have no field for it.
    NoField,
    /// The form has no field for it.
    NotInForm,
    /// It belongs to the file that was issued, as its hash and its QR code.
    OfIssuedFile,
    /// The draft comes to another total than the file says.
    OtherTotal,
}

/// What of a file is not in the draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UnreadElement {
    /// In the file, as `Invoice/cac:InvoiceLine/cbc:Note@languageID`, or in the document, as `lines[].note`.
    pub path: String,
    /// How often it is there.
    pub count: u32,
    /// Why.
    pub reason: UnreadReason,
}

/// A file that was read. Nothing of it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FileReading {
    /// Its syntax.
    pub syntax: FileSyntax,
    /// Whether it was inside a PDF.
    pub in_pdf: bool,
    /// BT-1
    pub number: String,
    /// BT-3
    pub kind: InvoiceKind,
    /// BT-2
    pub issue_date: String,
    /// BG-4
    pub seller: FileParty,
    /// BG-7
    pub buyer: FileParty,
    /// ISO 4217
    pub currency: String,
    /// BT-112, as the file declares it.
    pub gross: String,
    /// Whose invoice it is.
    pub relation: FileRelation,
    /// The rules of EN 16931, and of the country of its seller, that the file breaks as it is; the first of them.
    pub violations: Vec<Violation>,
    /// How many it breaks in all.
    pub violation_count: u32,
    /// What is not in `content`.
    pub unread: Vec<UnreadElement>,
    /// What a draft of it has.
    pub content: InvoiceContent,
}

/// A file that the system asked this program to open. Its `Debug` output contains neither its name nor its content.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OpenedFile {
    /// Its name, without its folder.
    pub name: String,
    /// In Base64.
    pub content: String,
}

impl fmt::Debug for OpenedFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("OpenedFile")
            .field("characters", &self.content.len())
            .finish_non_exhaustive()
    }
}

/// Why a file was not read. Nothing of it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FileProblem {
    /// The system does not give it.
    Unreadable,
    /// It has no bytes.
    Empty,
    /// It has more bytes than an invoice.
    TooLarge,
    /// It is neither UBL nor Cross Industry Invoice nor a PDF.
    NotAnInvoice,
    /// It is a PDF without an invoice inside that can be read.
    PdfWithoutInvoice,
    /// It is not well-formed XML.
    Malformed,
    /// It has a document type or an entity, as invoices do not have and attacks do.
    DocumentType,
    /// It is in an encoding that is not read, or not in the one that it names.
    Encoding,
    /// It has more of something than an invoice: depth, lines, unknown elements.
    BeyondLimits,
}
