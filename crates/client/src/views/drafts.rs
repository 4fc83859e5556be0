//! Drafts: what a user has typed and the service does not have yet.

use invoicing_contract::{ConcurrencyStamp, DocumentKey, OrganizationId};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{CommandError, InvoiceContent, InvoiceKind, InvoiceRow, LocalizedText};

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
    /// The documents for which the outbox has refused it: they have its buyer and total, and nobody has seen them (decision 0193).
    pub similar: Vec<SimilarDocument>,
}

/// A document that a draft may repeat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SimilarDocument {
    /// Document key.
    pub key: DocumentKey,
    /// BT-1, empty while it has none.
    pub number: String,
}

/// What a new document may repeat: the same kind, buyer and total, issued within seven days.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SimilarDocuments {
    /// Documents of the service, latest first.
    pub documents: Vec<InvoiceRow>,
    /// Drafts of this computer that were handed over and are not known to have arrived, newest first.
    pub waiting: Vec<DraftSummary>,
    /// The service was not reached: `documents` are those that this computer has seen lately. The outbox asks before it sends the draft.
    pub offline: bool,
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
    /// In the outbox, and the response to an attempt was lost: the service may have it, and is asked before it is sent again.
    WaitingInDoubt,
    /// A request with it is under way.
    Sending,
    /// Sent by the outbox and refused. Nothing was written.
    Refused,
    /// Sent, and the response was lost: the service may have it.
    UnknownOutcome,
}

impl DraftState {
    /// Whether an attempt to send the draft has ended, and it is not known whether the service has it (decision 0187).
    pub(crate) const fn is_in_doubt(self) -> bool {
        match self {
            Self::WaitingInDoubt | Self::UnknownOutcome => true,
            Self::Editing | Self::Waiting | Self::Sending | Self::Refused => false,
        }
    }

    /// The state of a draft that is in doubt, and would be in this one otherwise.
    pub(crate) const fn in_doubt(self) -> Self {
        match self {
            Self::Waiting => Self::WaitingInDoubt,
            Self::Editing | Self::Refused => Self::UnknownOutcome,
            Self::WaitingInDoubt | Self::Sending | Self::UnknownOutcome => self,
        }
    }
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
    /// Also of those that cannot be read. It is 0 only beside a problem.
    pub count: u32,
    /// Why drafts that are due by its schedules were not made. They are tried again when the counts are read again.
    pub problem: Option<CommandError>,
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
