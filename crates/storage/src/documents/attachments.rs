//! Attachments: the contents that are stored beside documents.

use uuid::Uuid;

/// Bytes of a part of a content. A content is stored in parts, so that a page of a transfer has a bounded size.
pub const PART_BYTES: usize = 64 * 1024;

/// What a write does to the contents of a document's attachments. The document itself lists them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttachmentChange {
    /// Stores a content.
    Add {
        /// Unique within the document.
        id: Uuid,
        /// At least one byte.
        content: Vec<u8>,
    },
    /// Removes a content.
    Remove {
        /// Which.
        id: Uuid,
    },
}
