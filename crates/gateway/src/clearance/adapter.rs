//! What an adapter of a tax authority does: it writes the bytes that are sent, sends them, and reads the answer.

use invoicing_contract::messages::documents::{AuthorityState, Document};
use invoicing_storage::clearance::AuthorityMode;
use jiff::Timestamp;
use uuid::Uuid;

use super::credentials::Credentials;
use super::problem::Problem;

/// A document that was issued and is about to be sealed.
#[derive(Debug)]
pub(crate) struct Unsealed<'a> {
    /// With its number and its time of issue.
    pub(crate) document: &'a Document,
    /// The id of the submission: sealing the corrected document again gives another one.
    pub(crate) submission: Uuid,
    /// When it is issued.
    pub(crate) issued_at: Timestamp,
}

/// The document cannot be written in the form of the authority.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// A text cannot be written.
    #[error("the document has no form for the tax authority: {0}")]
    Write(#[from] invoice::xml::WriteError),
    /// No adapter of this service has the name in the settings of the tenant.
    #[error(transparent)]
    Adapter(#[from] invoicing_storage::StorageError),
}

/// What is sent, and where.
#[derive(Debug)]
pub(crate) struct Outgoing<'a> {
    /// The sealed document.
    pub(crate) content: Vec<u8>,
    /// Its SHA-256.
    pub(crate) hash: &'a [u8],
    /// Where it is sent.
    pub(crate) endpoint: &'a str,
    /// Whether the authority clears it or is told.
    pub(crate) mode: AuthorityMode,
    /// What the authority knows the sender by.
    pub(crate) credentials: Option<&'a Credentials>,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The status of the HTTP response, if there was one.
    pub(crate) http_status: Option<u16>,
    /// The body of the response, unchanged.
    pub(crate) body: Vec<u8>,
    /// What it means.
    pub(crate) verdict: Verdict,
}

/// What an answer means for the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The authority has decided.
    Decided(Decision),
    /// The authority has certainly not received the document.
    NotReceived(Problem),
    /// The authority may have received it.
    Unknown(Problem),
}

/// A decision of the authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decision {
    /// Cleared, reported, accepted or rejected.
    pub(crate) state: AuthorityState,
    /// The texts of the authority, unchanged.
    pub(crate) messages: Vec<String>,
    /// It accepted the document with remarks.
    pub(crate) has_warnings: bool,
}

/// Speaks to the authorities of one kind.
#[tonic::async_trait]
pub(crate) trait AuthorityAdapter: Send + Sync {
    /// Its name in the settings of a tenant.
    fn name(&self) -> &'static str;

    /// The bytes that are sent. It runs in the transaction that numbers the document and depends on its argument alone.
    ///
    /// # Errors
    /// See [`SealError`].
    fn seal(&self, unsealed: &Unsealed<'_>) -> Result<Vec<u8>, SealError>;

    /// Sends the bytes of a submission and waits for the answer for a bounded time.
    async fn submit(&self, outgoing: Outgoing<'_>) -> Answer;

    /// Connects and authenticates, and sends no document. What is decided is that the authority answers.
    async fn test_connection(&self, endpoint: &str, credentials: Option<&Credentials>) -> Answer;
}
