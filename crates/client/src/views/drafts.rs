//! Drafts: what a user has typed and the service does not have yet.

use invoicing_contract::{ConcurrencyStamp, DocumentKey, OrganizationId};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{InvoiceContent, InvoiceKind, LocalizedText};

/// A draft as the drafts list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DraftSummary {
    /// UUIDv7: the key of the document that it will create, or of the one that it changes.
    pub key: DocumentKey,
    /// BT-3
    pub kind: InvoiceKind,
    /// The buyer's name as far as typed.
    pub buyer: LocalizedText,
    /// Number of lines.
    pub lines: u32,
    /// Gross total and currency, if it can be computed.
    pub gross: Option<String>,
    /// ISO 4217
    pub currency: String,
    /// Time of the last save, RFC 3339.
    pub updated: String,
    /// Whether it is being edited, queued or sent.
    pub state: DraftState,
}

/// A draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// UUIDv7: the key of the document that it will create, or of the one that it changes.
    pub key: DocumentKey,
    /// The document that it changes, if that is at the service already.
    pub changes: Option<Revision>,
    /// As typed.
    pub content: InvoiceContent,
    /// Whether it is being edited, queued or sent.
    pub state: DraftState,
}

/// The state of a document that was read before it was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// concurrencyStamp
    pub stamp: ConcurrencyStamp,
    /// The content with that stamp.
    pub content: InvoiceContent,
}

/// Whether a draft is being edited, queued or sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum DraftState {
    /// Being edited.
    Editing,
    /// In the outbox: it is sent as soon as there is a connection and the service accepts requests.
    Waiting,
    /// A request with it is under way.
    Sending,
    /// Sent by the outbox and refused. Nothing was written.
    Refused,
    /// Sent, and the response was lost: the service may have it.
    UnknownOutcome,
}

/// Why a draft is not moved to another organization. It is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum MoveProblem {
    /// It is being sent, or it was and its outcome is unknown.
    Sent,
    /// A file that waits with it cannot be read.
    File,
}

/// How many drafts of an organization are on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DraftCount {
    /// The organization.
    pub organization: OrganizationId,
    /// At least one, also of those that cannot be read.
    pub count: u32,
}

/// A draft whose file cannot be read. The file stays until the user deletes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UnreadableDraft {
    /// Name of the file, by which it is deleted.
    pub file: String,
    /// Why it cannot be read.
    pub reason: UnreadableReason,
    /// Time of the last save, RFC 3339; empty if the system does not say it.
    pub saved: String,
}

/// Why a draft cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum UnreadableReason {
    /// The keyring, which has the key, cannot be used now.
    KeyringLocked,
    /// The key that it was encrypted with is not in the keyring any more.
    OtherKey,
    /// A newer version of the application saved it.
    NewerVersion,
    /// Its file is truncated or modified.
    Damaged,
    /// The disk refused to read it.
    NotReadable,
    /// It can be read again, and a newer draft of the same document has taken its place.
    Replaced,
}

/// Where copies of unreadable drafts were saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DraftExport {
    /// Path of the folder.
    pub folder: String,
    /// Number of files in it.
    pub files: u32,
}
