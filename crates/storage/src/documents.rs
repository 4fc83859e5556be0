//! Storage of documents: every write whole or not at all, and lists of a million rows.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use invoice::{Currency, Money, Violation};
use invoicing_contract::messages::documents::{Document, Invoice, Kind, Revision, Status};
use uuid::Uuid;

use super::StorageError;

/// A document, and what lists find it by. The document is the truth; everything else is derived from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The organization that it belongs to.
    pub organization: String,
    /// Unique within the organization.
    pub key: Uuid,
    /// As it is answered.
    pub document: Document,
    /// Where it is in its life cycle.
    pub status: Status,
    /// BT-3
    pub kind: Kind,
    /// BT-1, or empty.
    pub number: String,
    /// The number with its sequence padded, so that text order is number order.
    pub number_order: String,
    /// BT-2
    pub issue_date: String,
    /// BT-9, or empty.
    pub due_date: String,
    /// BT-5
    pub currency: Currency,
    /// BT-109 in minor units.
    pub net: i64,
    /// BT-110 in minor units.
    pub tax: i64,
    /// BT-112 in minor units.
    pub gross: i64,
    /// BT-112 in ten-thousandths, so that currencies compare.
    pub gross_order: i64,
    /// What sorting by buyer goes by.
    pub buyer_order: String,
    /// The buyer's names and tax id, folded, to be searched in.
    pub buyer_text: String,
    /// When it was last written, in milliseconds since 1970.
    pub updated_at: i64,
}

/// What was done to a document, for its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Action {
    Created,
    Updated,
    Issued,
    Rejected,
    Frozen,
    Deleted,
}

impl Action {
    /// As it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Issued => "issued",
            Self::Rejected => "rejected",
            Self::Frozen => "frozen",
            Self::Deleted => "deleted",
        }
    }
}

/// A month of an organization in which only so many documents may be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Month {
    /// As `2026-11`, in the organization's time zone.
    pub name: String,
    /// The plan's limit; `None` for none.
    pub limit: Option<i64>,
}

/// What became of an attempt to add a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It is stored.
    Stored,
    /// The organization has a document with this key.
    KeyTaken,
    /// The month's limit is reached.
    PlanLimit,
}

/// What became of an attempt to change a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// It is stored.
    Stored,
    /// The document is not there, or has another stamp by now. Nothing was written.
    Stale,
}

/// A run of numbers without gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// The kind of document that is numbered.
    pub kind: Kind,
    /// The year of the issue date.
    pub year: i16,
}

/// Documents that are corrected, and the numbered credit notes that correct them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Credited {
    /// What each document came to (BT-112). `None` if it is not here.
    pub originals: BTreeMap<Uuid, Option<Money>>,
    /// What each note gives back (BT-112), and which documents it names.
    pub notes: BTreeMap<Uuid, (Money, BTreeSet<Uuid>)>,
}

/// The keys of the documents that a credit note corrects. None if it names one without a key, or more than a hundred: nothing
/// can be said of it then.
#[must_use]
pub fn credits_of(document: &Document) -> BTreeSet<Uuid> {
    let content = document.content.as_ref();
    content
        .and_then(|content| content.invoice.as_ref())
        .map_or_else(BTreeSet::new, credited_by)
}

/// The same of an invoice by itself.
#[must_use]
pub fn credited_by(invoice: &Invoice) -> BTreeSet<Uuid> {
    if invoice.kind() != Kind::CreditNote || invoice.preceding.len() > MOST_CREDITED {
        return BTreeSet::new();
    }
    let keys = invoice.preceding.iter();
    let keys = keys.map(|reference| Uuid::try_parse(&reference.document_key));
    keys.collect::<Result<_, _>>().unwrap_or_default()
}

/// Most documents that a credit note is held against.
const MOST_CREDITED: usize = 100;

/// Makes the entry that a number is given to, or says why none is given, from what its originals were credited with by other
/// notes. Called inside the transaction, so it must not wait for anything.
pub type Numbering<'call> =
    &'call (dyn Fn(i64, &Credited) -> Result<Result<Entry, Violation>, StorageError> + Send + Sync);

/// What became of an attempt to number a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Numbered {
    /// It is stored so.
    Stored(Box<Document>),
    /// The document is not there, or has another stamp by now. Nothing was written.
    Stale,
    /// It is not to have a number. Nothing was written.
    Refused(Violation),
}

/// What a list can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Field {
    IssueDate,
    DueDate,
    Number,
    Buyer,
    Gross,
    Status,
    Updated,
}

/// A value that a row is sorted by.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Position {
    Text(String),
    Integer(i64),
}

/// Which documents. Everything empty or `None` does not filter; ranges include both ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the fields are those of invoicing.simple.v1.Filter"
)]
pub struct Filter {
    pub status: Vec<Status>,
    pub kind: Vec<Kind>,
    /// Folded as [`Entry::buyer_text`] is.
    pub buyer: String,
    pub number: String,
    pub issued_from: Option<String>,
    pub issued_to: Option<String>,
    pub due_from: Option<String>,
    pub due_to: Option<String>,
    /// In ten-thousandths.
    pub gross_from: Option<i64>,
    /// In ten-thousandths.
    pub gross_to: Option<i64>,
    pub currency: Vec<Currency>,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListQuery {
    /// Of this organization only.
    pub organization: String,
    /// Which documents.
    pub filter: Filter,
    /// Most significant first, each with whether it descends. The key breaks ties, in the last one's direction.
    pub sort: Vec<(Field, bool)>,
    /// The row that the page begins after: its values by `sort`, and its key.
    pub after: Option<(Vec<Position>, Uuid)>,
    /// Rows to leave out before the page.
    pub skip: u32,
    /// Rows of the page.
    pub size: u32,
}

/// A page, and what is said of the whole filter.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPage {
    /// The page.
    pub documents: Vec<Document>,
    /// The last row's values by the query's `sort`, and its key, if more rows follow.
    pub next: Option<(Vec<Position>, Uuid)>,
    /// By currency code. Credit notes count negative.
    pub sums: Vec<Sum>,
}

/// The sums of one currency in minor units.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the fields are those of invoicing.simple.v1.CurrencySum"
)]
pub struct Sum {
    pub currency: Currency,
    pub count: u64,
    pub net: i128,
    pub tax: i128,
    pub gross: i128,
}

/// What the documents part keeps.
#[async_trait]
pub trait DocumentStore: Send + Sync {
    /// A document of an organization.
    async fn document(
        &self,
        organization: &str,
        key: Uuid,
    ) -> Result<Option<Document>, StorageError>;

    /// Adds a document that was just created, and counts it in its month.
    async fn add_document(&self, entry: &Entry, month: &Month) -> Result<Added, StorageError>;

    /// Replaces the document with this key, if it still has the stamp.
    async fn replace_document(
        &self,
        entry: &Entry,
        stamp: &str,
        action: Action,
    ) -> Result<Changed, StorageError>;

    /// Takes the next number of a series and replaces the document by what `numbering` makes of it, if it still has the
    /// stamp. Number and document are written together or not at all, so that no number is ever missing.
    async fn number_document(
        &self,
        at: (&str, Uuid),
        stamp: &str,
        series: &Series,
        numbering: Numbering<'_>,
    ) -> Result<Numbered, StorageError>;

    /// Documents of an organization with what numbered credit notes give back of them, and of whatever else those correct.
    async fn credited(
        &self,
        organization: &str,
        originals: &BTreeSet<Uuid>,
    ) -> Result<Credited, StorageError>;

    /// Deletes the document with this key, if it still has the stamp. Its history stays.
    async fn delete_document(&self, entry: &Entry, stamp: &str) -> Result<Changed, StorageError>;

    /// The latest writes to a document, newest first. Empty if there never was one with this key.
    async fn document_history(
        &self,
        organization: &str,
        key: Uuid,
        most: u32,
    ) -> Result<Vec<Revision>, StorageError>;

    /// How many documents were created in a month, as `2026-11`.
    async fn documents_created(&self, organization: &str, month: &str)
    -> Result<i64, StorageError>;

    /// A page of documents with the sums of the whole filter, all of one moment.
    async fn list_documents(&self, query: &ListQuery) -> Result<ListPage, StorageError>;

    /// How many documents an organization has.
    async fn count_documents(&self, organization: &str) -> Result<u64, StorageError>;

    /// The last number given out in each series of an organization.
    async fn last_numbers(&self, organization: &str) -> Result<Vec<(Series, i64)>, StorageError>;

    /// Adds documents that were made elsewhere, all or none, with the last sequence of each series they use. Without history.
    async fn import_documents(
        &self,
        entries: &[Entry],
        series: &[(Series, i64)],
    ) -> Result<(), StorageError>;
}
