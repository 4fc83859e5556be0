//! Files that support a document (BG-24).

use invoicing_contract::DocumentKey;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{CommandError, Event};

/// The attachments of a document, and what may be added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AttachmentsView {
    /// Those of the service in the order in which they were added, then those that wait to be sent.
    pub attachments: Vec<AttachmentView>,
    /// Whether files can be added and removed: the service has no such document yet, or it is a draft or was rejected.
    pub editable: bool,
    /// Whether the service cannot be reached now, and the list is an earlier answer, kept on this computer.
    pub offline: bool,
    /// What the service accepts.
    pub limits: AttachmentLimits,
    /// What interrupted the last attempt since the start to send those that wait. It says nothing about a file.
    pub problem: Option<Box<CommandError>>,
}

/// One attachment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AttachmentView {
    /// UUIDv7
    pub id: String,
    /// Without a path.
    pub file_name: String,
    /// Size in bytes.
    pub bytes: u32,
    /// Who added it, and when. `None` while it waits.
    pub added: Option<Event>,
    /// Whether it is on this computer only, encrypted, until the service has its document.
    pub waiting: bool,
    /// Why the service has refused it at the last attempt since the start. It waits on; others are sent.
    pub problem: Option<Box<CommandError>>,
}

/// A file that waits for a document which the service does not have: it was deleted elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FileWithoutDocument {
    /// The key of the document, with which the file is saved and removed.
    pub document: DocumentKey,
    /// The file.
    pub file: AttachmentView,
}

/// What the service accepts (decision 0121).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AttachmentLimits {
    /// Most attachments of a document.
    pub count: u32,
    /// Most bytes of one.
    pub bytes: u32,
    /// Ends of file names, as `pdf`.
    pub extensions: Vec<String>,
}

/// A file to attach.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AttachmentFile {
    /// Its name, without a path.
    pub name: String,
    /// Base64
    pub content: String,
}

impl std::fmt::Debug for AttachmentFile {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("AttachmentFile")
            .field("characters", &self.content.len())
            .finish_non_exhaustive()
    }
}

/// Why a file cannot be attached. Nothing was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum AttachmentProblem {
    /// It has no bytes.
    Empty,
    /// It has more bytes than the limit.
    TooLarge,
    /// The document has as many as it may.
    TooMany,
    /// Its type cannot be in an invoice (BT-125).
    OtherType,
    /// Its content is not of the type that its name says.
    OtherContent,
    /// Its name is empty or too long.
    Name,
}
