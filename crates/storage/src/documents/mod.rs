//! Documents: atomic writes, gapless numbers, and lists of a million rows.

pub mod amount_classes;
mod attachments;
mod credits;
mod list;
mod list_sums;
mod submission;

pub use self::attachments::{AttachmentChange, PART_BYTES};
pub use self::credits::{
    CreditRelations, MAX_CONNECTED, corrected_by_invoice, corrected_documents, credited_documents,
    debited_by_note, debited_documents,
};
pub use self::list::{
    CurrencySum, DocumentFilter, DocumentSummary, ListPage, ListPosition, ListQuery, PAGE_BYTES,
    SortField, SortValue,
};
pub use self::list_sums::AnsweredBy;
pub use self::submission::{Claim, NewSubmission};

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoice::{Currency, Violation};
use invoicing_contract::messages::documents::{Document, Kind, Revision, Status};
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};
use prost::Message as _;
use uuid::Uuid;

use super::StorageError;

/// A document with the columns that lists filter, sort and sum by. The columns derive from the document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentRow {
    /// The organization that it belongs to.
    pub organization: OrganizationId,
    /// Unique within the organization.
    pub key: Uuid,
    /// The document as it is answered.
    pub document: Document,
    /// Its state in the life cycle.
    pub status: Status,
    /// BT-3
    pub kind: Kind,
    /// BT-1; empty while a draft.
    pub number: String,
    /// The number with its sequence zero-padded, so that text order is number order.
    pub number_sort_key: String,
    /// BT-2, `YYYY-MM-DD`.
    pub issue_date: String,
    /// BT-9, `YYYY-MM-DD` or empty.
    pub due_date: String,
    /// BT-5
    pub currency: Currency,
    /// BT-109 in minor units.
    pub net: i64,
    /// BT-110 in minor units.
    pub tax: i64,
    /// BT-112 in minor units.
    pub gross: i64,
    /// BT-115 in minor units.
    pub payable: i64,
    /// BT-112 in ten-thousandths of the currency's unit, so that amounts of different currencies compare.
    pub gross_sort_key: i64,
    /// The beginning of the buyer's folded name.
    pub buyer_sort_key: String,
    /// The buyer's names and tax id, folded, which a search for a buyer compares.
    pub buyer_text: String,
    /// When it was last written.
    pub updated_at: Timestamp,
}

/// What a write did to a document, for its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Action {
    Created,
    Updated,
    Issued,
    Rejected,
    Frozen,
    Deleted,
    Cleared,
    Reported,
    Accepted,
    Unanswered,
    AttachmentAdded,
    AttachmentRemoved,
}

impl Action {
    /// The stored name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Issued => "issued",
            Self::Rejected => "rejected",
            Self::Frozen => "frozen",
            Self::Deleted => "deleted",
            Self::Cleared => "cleared",
            Self::Reported => "reported",
            Self::Accepted => "accepted",
            Self::Unanswered => "unanswered",
            Self::AttachmentAdded => "attachment_added",
            Self::AttachmentRemoved => "attachment_removed",
        }
    }
}

/// A month of an organization, with the number of documents that its plan allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanMonth {
    /// `YYYY-MM`, in the organization's time zone.
    pub name: String,
    /// Documents that may be created; `None`: unlimited.
    pub limit: Option<i64>,
}

/// The outcome of [`DocumentStore::add_document`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddOutcome {
    /// The document is stored.
    Stored,
    /// The organization has a document with this key. Nothing was written.
    KeyTaken,
    /// The limit of the month is reached. Nothing was written.
    PlanLimit,
}

/// The outcome of a write that expects a concurrency stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteOutcome {
    /// The write is stored.
    Stored,
    /// The document does not exist or has another stamp. Nothing was written.
    Stale,
}

/// A sequence of numbers without gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberSeries {
    /// The kind of document.
    pub kind: Kind,
    /// The year of the issue date.
    pub year: i16,
}

/// The number of a document (BT-1); empty while it has none.
#[must_use]
pub fn assigned_number(document: &Document) -> &str {
    let content = document.content.as_ref();
    content
        .and_then(|content| content.invoice.as_ref())
        .map_or("", |invoice| &invoice.number)
}

/// What is stored when a document is numbered.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberedDocument {
    /// The document with its number.
    pub row: DocumentRow,
    /// What is sent to the tax authority, if the organization has one.
    pub submission: Option<NewSubmission>,
}

impl From<DocumentRow> for NumberedDocument {
    fn from(row: DocumentRow) -> Self {
        Self {
            row,
            submission: None,
        }
    }
}

/// Makes the row that is stored under a number, or refuses to number the document because of the other credit notes of its
/// originals. Runs inside the transaction, so it must not block. An engine calls it again when it repeats the transaction,
/// perhaps with another number: it depends on its arguments alone, and the stamp of its row is always the same.
pub type Numbering = Box<
    dyn Fn(i64, &CreditRelations) -> Result<Result<NumberedDocument, Violation>, StorageError>
        + Send
        + Sync,
>;

/// The outcome of [`DocumentStore::number_document`].
#[derive(Debug, Clone, PartialEq)]
pub enum NumberOutcome {
    /// The numbered document, as stored.
    Stored(Box<Document>),
    /// The document does not exist or has another stamp. Nothing was written.
    Stale,
    /// [`Numbering`] refused. Nothing was written, and the number is not used.
    Refused(Violation),
}

/// The version of everything that is stored. Equal ones have no commit between them, of this process or another. It is not
/// stored, and another process has other numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataVersion(pub i64);

/// Documents of organizations. Each method is one transaction. What a method promises holds for any number of callers at the
/// same time, in one process or in several on one database: an engine decides it by locks and conditions of the database, and
/// not by an order of its callers.
#[async_trait]
pub trait DocumentStore: Send + Sync {
    /// The version that a read which begins now sees, or an earlier one. What is read after it may be used again while the version
    /// is the same. `None` if the engine cannot tell it for less than a read costs.
    fn data_version(&self) -> Option<DataVersion>;

    /// The encoded message of a document of an organization, as it is stored (decision 0159).
    async fn encoded_document(
        &self,
        organization: &OrganizationId,
        key: Uuid,
    ) -> Result<Option<Vec<u8>>, StorageError>;

    /// A document of an organization.
    async fn document(
        &self,
        organization: &OrganizationId,
        key: Uuid,
    ) -> Result<Option<Document>, StorageError> {
        let encoded = self.encoded_document(organization, key).await?;
        let document = encoded.map(|encoded| Document::decode(encoded.as_slice()));
        document.transpose().map_err(StorageError::corrupt)
    }

    /// Adds a new document and counts it in its month. Of several with one key one is stored, and the others are
    /// [`AddOutcome::KeyTaken`]. A month never counts more than its limit, and only documents that are stored. Buyers with one
    /// name share a text, which several callers may add at the same time.
    async fn add_document(
        &self,
        row: &DocumentRow,
        month: &PlanMonth,
    ) -> Result<AddOutcome, StorageError>;

    /// Replaces the document with the key of `row`, if it has the stamp `expected`. Of several with one stamp one is stored.
    async fn replace_document(
        &self,
        row: &DocumentRow,
        expected: &ConcurrencyStamp,
        action: Action,
    ) -> Result<WriteOutcome, StorageError>;

    /// Takes the next number of a series and replaces the document by the result of `numbering`, if it has the stamp
    /// `expected`. Number, document and what is sent to a tax authority are stored together, so that a series has no gaps. A
    /// document that has a number already keeps it: it was rejected by the authority and corrected (decision 0126). Then
    /// `numbering` ignores the one that it is given, which stays the next of the series.
    ///
    /// Callers of one series take turns, and so do those of credit notes of one organization, whose originals may be in
    /// other series: `numbering` gets the relations as they are after the turn before, so that two notes never exceed their
    /// original together.
    async fn number_document(
        &self,
        organization: &OrganizationId,
        key: Uuid,
        expected: &ConcurrencyStamp,
        series: &NumberSeries,
        numbering: Numbering,
    ) -> Result<NumberOutcome, StorageError>;

    /// The numbered credit notes that correct `originals`, the other documents that those notes correct, and so on, nearest first,
    /// until [`MAX_CONNECTED`] documents are read (decision 0178).
    async fn credit_relations(
        &self,
        organization: &OrganizationId,
        originals: &BTreeSet<Uuid>,
    ) -> Result<CreditRelations, StorageError>;

    /// The numbered debit notes that name `original` as preceding, by key, at most `limit`. They change nothing of what may be
    /// given back of it: a debit note is a claim of its own (decision 0137).
    async fn debit_notes(
        &self,
        organization: &OrganizationId,
        original: Uuid,
        limit: u32,
    ) -> Result<Vec<Uuid>, StorageError>;

    /// Replaces the document with the key of `row`, if it has the stamp `expected`, and changes the contents of its attachments.
    async fn change_attachments(
        &self,
        row: &DocumentRow,
        expected: &ConcurrencyStamp,
        change: &AttachmentChange,
    ) -> Result<WriteOutcome, StorageError>;

    /// The content of an attachment.
    async fn attachment(
        &self,
        organization: &OrganizationId,
        key: Uuid,
        id: Uuid,
    ) -> Result<Option<Vec<u8>>, StorageError>;

    /// Deletes the document with the key of `row`, if it has the stamp `expected`, with the contents of its attachments. `row`
    /// becomes the last revision of its history, which stays.
    async fn delete_document(
        &self,
        row: &DocumentRow,
        expected: &ConcurrencyStamp,
    ) -> Result<WriteOutcome, StorageError>;

    /// The latest `limit` writes to a document, or those before the one with the number `before`, newest first; fewer if they reach
    /// [`PAGE_BYTES`]. Their numbers have no gaps: there are earlier ones unless the last has the number 1. Empty if no document
    /// with this key was ever written.
    async fn document_history(
        &self,
        organization: &OrganizationId,
        key: Uuid,
        before: Option<i32>,
        limit: u32,
    ) -> Result<Vec<Revision>, StorageError>;

    /// How many documents were created in a month, as `2026-11`.
    async fn documents_created(
        &self,
        organization: &OrganizationId,
        month: &str,
    ) -> Result<i64, StorageError>;

    /// A page of whole documents with the sums of the whole filter, all from one snapshot. It ends early when it reaches
    /// [`PAGE_BYTES`].
    async fn list_documents(&self, query: &ListQuery) -> Result<ListPage<Document>, StorageError>;

    /// The same page as [`DocumentStore::list_documents`], read from columns without decoding documents. It is never ended early.
    async fn list_document_summaries(
        &self,
        query: &ListQuery,
    ) -> Result<ListPage<DocumentSummary>, StorageError>;

    /// The same page without the sums: `total` is the number of documents of the filter, as an earlier page had it. It only
    /// decides how the rows are found.
    async fn list_document_rows(
        &self,
        query: &ListQuery,
        total: u64,
    ) -> Result<ListPage<DocumentSummary>, StorageError>;

    /// How many documents an organization has.
    async fn count_documents(&self, organization: &OrganizationId) -> Result<u64, StorageError>;

    /// The last number of each series of an organization.
    async fn last_numbers(
        &self,
        organization: &OrganizationId,
    ) -> Result<Vec<(NumberSeries, i64)>, StorageError>;

    /// Adds documents of one organization that were made elsewhere, all or none, and raises each series to the given last
    /// number. They have no history and are not counted in a month.
    async fn import_documents(
        &self,
        rows: Vec<DocumentRow>,
        series: &[(NumberSeries, i64)],
    ) -> Result<(), StorageError>;
}
