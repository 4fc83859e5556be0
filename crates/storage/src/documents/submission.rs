//! What is sent to a tax authority when a document is numbered (decisions 0020, 0126).

use invoicing_contract::{ConcurrencyStamp, Timestamp};
use uuid::Uuid;

/// The right of one caller to send a submission, until a time. It ends by itself when its holder does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// Random, made by the caller.
    pub holder: Uuid,
    /// Until then nobody else sends the submission.
    pub until: Timestamp,
}

/// A document in the form that is sent to the tax authority, stored in the transaction that numbers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSubmission {
    /// Unique within the organization.
    pub id: Uuid,
    /// The stamp of the state that was issued: a repeated request is recognised by it.
    pub issued_from: ConcurrencyStamp,
    /// BT-1
    pub number: String,
    /// What is sent, unchanged in every attempt.
    pub content: Vec<u8>,
    /// SHA-256 of `content`, by which the authority recognises a repeated attempt.
    pub hash: [u8; 32],
    /// When the document was issued.
    pub created_at: Timestamp,
    /// The right to send it, if its creator does that at once.
    pub claim: Option<Claim>,
}
