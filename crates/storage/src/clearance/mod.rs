//! Clearance by tax authorities: the settings of tenants, the submissions of documents, and the queue of those that have no
//! answer yet (decisions 0020, 0126).

mod settings;

pub use self::settings::{AuthorityMode, AuthoritySettings, credentials_owner};

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoicing_contract::messages::documents::{AuthorityState, Document};
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};
use uuid::Uuid;

use super::StorageError;
use super::audit::AuditEvent;
use super::documents::{Action, Claim, DocumentRow};

/// A stored submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Unique within the organization.
    pub id: Uuid,
    /// The document.
    pub document_key: Uuid,
    /// The stamp of the state that was issued.
    pub issued_from: ConcurrencyStamp,
    /// BT-1
    pub number: String,
    /// SHA-256 of its content.
    pub hash: Vec<u8>,
    /// Pending or unknown, until the authority has answered.
    pub state: AuthorityState,
    /// When the document was issued.
    pub created_at: Timestamp,
    /// When the authority answered.
    pub answered_at: Option<Timestamp>,
    /// Attempts that ended without an answer since the last answer or since the backoff was reset.
    pub failures: u32,
    /// The next attempt; `None` after the answer.
    pub due_at: Option<Timestamp>,
}

/// The place of a submission among those of its document: when it was created, and its id.
pub type SubmissionPosition = (Timestamp, Uuid);

/// Submissions of a document, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubmissionPage {
    /// Each with its latest [`MAX_ATTEMPTS`] attempts, newest first.
    pub items: Vec<(Submission, Vec<Attempt>)>,
    /// Whether there are older ones.
    pub has_more: bool,
}

/// How many of the last attempts of a submission are kept (decision 0167).
pub const LAST_ATTEMPTS: u32 = 50;
/// Most attempts of a submission that are answered: all that are kept.
pub const MAX_ATTEMPTS: u32 = 100;

/// An attempt to send a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Random, made before the attempt is recorded.
    pub id: Uuid,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Timestamp,
    /// The status of the HTTP response, if there was one.
    pub http_status: Option<u16>,
    /// What the attempt means for the submission.
    pub state: AuthorityState,
    /// Why there is no answer; empty if there is one. Without addresses and credentials.
    pub problem: String,
    /// The body of the response, unchanged.
    pub answer: Vec<u8>,
}

/// What an attempt means for its submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptOutcome {
    /// The authority has answered: cleared, reported, accepted or rejected.
    Answered {
        /// It accepted the document with remarks.
        has_warnings: bool,
    },
    /// It has not: the submission is sent again.
    Unanswered {
        /// When.
        due_at: Timestamp,
    },
}

/// An attempt that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedAttempt {
    /// The organization.
    pub organization: OrganizationId,
    /// The submission that was sent.
    pub submission: Uuid,
    /// Who claimed it.
    pub holder: Uuid,
    /// The attempt.
    pub attempt: Attempt,
    /// What follows.
    pub outcome: AttemptOutcome,
}

/// Makes the row of the document of a submission in its new state, with what the write did. `None` if the document does not
/// wait for this submission. Runs inside the transaction and depends on its argument alone, as
/// [`Numbering`](super::documents::Numbering) does.
pub type Amendment =
    Box<dyn Fn(Document) -> Result<Option<(DocumentRow, Action)>, StorageError> + Send + Sync>;

/// The outcome of [`ClearanceStore::end_attempt`].
#[derive(Debug, Clone, PartialEq)]
pub enum EndOutcome {
    /// The attempt is stored, and the document as it is now; `None` if the organization has no such document.
    Stored(Option<Box<Document>>),
    /// The submission does not exist. Nothing was written.
    Unknown,
}

/// What has no answer yet, of all organizations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClearanceBacklog {
    /// How many submissions.
    pub waiting: u64,
    /// The organization of the one that was sent most often, of several the one that was due first.
    pub organization: OrganizationId,
    /// Its id.
    pub submission: Uuid,
}

/// Submissions and settings of clearance. Each method is one transaction.
#[async_trait]
pub trait ClearanceStore: Send + Sync {
    /// The tax authority of a tenant.
    async fn authority(
        &self,
        organization: &OrganizationId,
    ) -> Result<Option<AuthoritySettings>, StorageError>;

    /// The tax authorities of all tenants whose ids follow `after`, by id, at most `limit`.
    async fn authorities(
        &self,
        after: &OrganizationId,
        limit: u32,
    ) -> Result<Vec<AuthoritySettings>, StorageError>;

    /// Stores the tax authority of a tenant with its audit event: the first one if `expected` is `None`, otherwise in place of
    /// the one with that stamp. False, and nothing is written, if the tenant has another one.
    async fn put_authority(
        &self,
        settings: &AuthoritySettings,
        expected: Option<&ConcurrencyStamp>,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;

    /// A submission of an organization.
    async fn submission(
        &self,
        organization: &OrganizationId,
        id: Uuid,
    ) -> Result<Option<Submission>, StorageError>;

    /// What is sent with a submission. It can be large, and never changes.
    async fn submission_content(
        &self,
        organization: &OrganizationId,
        id: Uuid,
    ) -> Result<Option<Vec<u8>>, StorageError>;

    /// A page of the submissions of a document: the latest `size`, or those that are older than `before`. There is one for each
    /// time that the document was issued. The page ends early with the one whose answers bring it to
    /// [`PAGE_BYTES`](super::documents::PAGE_BYTES).
    async fn submissions(
        &self,
        organization: &OrganizationId,
        document_key: Uuid,
        before: Option<SubmissionPosition>,
        size: u32,
    ) -> Result<SubmissionPage, StorageError>;

    /// The latest `limit` attempts of a submission, newest first.
    async fn attempts(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        limit: u32,
    ) -> Result<Vec<Attempt>, StorageError>;

    /// Claims one submission that is due at `now`, the longest due one of the organizations that are not in `except`. Of several
    /// callers one gets each, and others may get none at that moment. Each claim has a holder of its own. While nothing is due it
    /// only reads, and waits for no writer.
    async fn claim_due(
        &self,
        now: Timestamp,
        claim: Claim,
        except: &BTreeSet<OrganizationId>,
    ) -> Result<Option<(OrganizationId, Uuid)>, StorageError>;

    /// The submissions of all organizations that have no answer; `None` if there are none. It reads the whole queue.
    async fn clearance_backlog(&self) -> Result<Option<ClearanceBacklog>, StorageError>;

    /// Claims a submission, whenever it is due. False if it was answered, or another holds it.
    async fn claim(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        now: Timestamp,
        claim: Claim,
    ) -> Result<bool, StorageError>;

    /// Ends the claims of processes that cannot run any more: all of them where one process opens the database, and none where
    /// claims end by their time alone.
    async fn release_claims(&self) -> Result<(), StorageError>;

    /// Makes an unanswered submission due at once, forgets its failures, and records the audit event. False, and nothing is
    /// written, if it was answered or does not exist.
    async fn retry_clearance(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;

    /// Makes a submission that its holder has not sent due at `due_at`, and counts a failure. Nothing is written if another holds
    /// it.
    async fn postpone(
        &self,
        organization: &OrganizationId,
        submission: Uuid,
        holder: Uuid,
        due_at: Timestamp,
    ) -> Result<(), StorageError>;

    /// Stores an attempt and what follows from it. The first answer decides: it is stored whoever holds the claim, changes the
    /// document by `amend`, and ends the queue. Later ones are stored as attempts only. An attempt without an answer delays the
    /// next one if its caller holds the claim. Of the attempts without an answer the first and the last [`LAST_ATTEMPTS`] stay
    /// (decision 0167). An attempt that is stored already changes nothing, so that a caller repeats this after any error.
    async fn end_attempt(
        &self,
        ended: &EndedAttempt,
        amend: Amendment,
    ) -> Result<EndOutcome, StorageError>;
}
