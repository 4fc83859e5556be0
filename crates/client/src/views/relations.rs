//! What a document has to do with others, and how it came to be.

use invoicing_contract::DocumentKey;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{Event, InvoiceContent, InvoiceKind, InvoiceStatus, LineContent};

/// The documents that a note corrects, the credit and debit notes of a document, and what is left to give back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DocumentRelations {
    /// What it names as preceding.
    pub originals: Vec<RelatedDocument>,
    /// The numbered credit notes that name it, the oldest first.
    pub notes: Vec<RelatedDocument>,
    /// The numbered debit notes that name it, the oldest first.
    pub debit_notes: Vec<RelatedDocument>,
    /// How much a further credit note may come to, with tax; empty if none can name it.
    pub remaining: String,
    /// ISO 4217, of `remaining`.
    pub currency: String,
    /// The lines of the document with the quantity that no credit note has given back yet; empty if none can name it. A credit
    /// note that was not made of these lines is not subtracted: the limit is `remaining`.
    pub lines: Vec<LineContent>,
}

/// A document that is named by another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RelatedDocument {
    /// Empty if the organization does not have it.
    pub key: DocumentKey,
    /// BT-1
    pub number: String,
    /// BT-3
    pub kind: InvoiceKind,
    /// `None`: the organization does not have it.
    pub status: Option<InvoiceStatus>,
    /// BT-2
    pub issue_date: String,
    /// ISO 4217
    pub currency: String,
    /// BT-112
    pub gross: String,
}

/// A page of the writes to a document, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HistoryPage {
    /// Writes.
    pub entries: Vec<HistoryEntry>,
    /// Token of the page with those before; empty at the end.
    pub next_page: String,
}

/// One write to a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// The writes to a document are counted from 1.
    pub revision: i32,
    /// What was done, as `created`, `issued`, `cleared` or `attachment_added`.
    pub action: String,
    /// Who, and when.
    pub event: Option<Event>,
    /// After the write.
    pub content: InvoiceContent,
    /// BT-1, after the write.
    pub number: String,
}
