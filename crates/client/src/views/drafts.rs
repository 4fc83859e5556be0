//! What was typed and is not at the service yet.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{InvoiceContent, LocalizedText};

/// A draft as the drafts list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DraftSummary {
    /// UUIDv7: the document key that it will have, or of the document that it changes.
    pub key: String,
    /// The buyer's name as far as typed.
    pub buyer: LocalizedText,
    /// Number of lines.
    pub lines: u32,
    /// Gross total and currency, if it can be computed.
    pub gross: Option<String>,
    /// ISO 4217
    pub currency: String,
    /// When it was last kept.
    pub updated: String,
    /// What became of it.
    pub state: DraftState,
}

/// A draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// UUIDv7: the document key that it will have, or of the document that it changes.
    pub key: String,
    /// The document that it changes, if that is at the service already.
    pub changes: Option<Revision>,
    /// As typed.
    pub content: InvoiceContent,
    /// What became of it.
    pub state: DraftState,
}

/// The state of a document that was read before it was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// concurrencyStamp
    pub stamp: String,
    /// The content with that stamp.
    pub content: InvoiceContent,
}

/// What became of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DraftState {
    /// Being typed.
    Editing,
    /// Saved without a connection: it is sent as soon as there is one and the service takes it.
    Waiting,
    /// Sent later by itself, and not accepted. Nothing was written.
    Refused,
    /// Sent, and the answer was lost: it may be at the service.
    UnknownOutcome,
}
