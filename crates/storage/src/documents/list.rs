//! Lists of documents: filter, sort, pages with keyset paging (AIP-158), and sums by currency.

use std::collections::BTreeSet;

use invoice::{Currency, Money};
use invoicing_contract::messages::documents::{
    AuthorityState, Event, Kind, Party, PaymentState, Status,
};
use invoicing_contract::{ConcurrencyStamp, OrganizationId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::payments::Receivable;

/// A field that a list can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the variants are those of invoicing.documents.v2.SortField"
)]
pub enum SortField {
    IssueDate,
    DueDate,
    Number,
    Buyer,
    Gross,
    Status,
    Updated,
}

/// The value of a row in a field that the list is sorted by. Its JSON form is the bare value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SortValue {
    Text(String),
    Integer(i64),
}

/// A row's position in a list: its values in the sort fields, in their order, and its key.
pub type ListPosition = (Vec<SortValue>, Uuid);

/// Which documents. A field that is empty or `None` does not filter. Ranges include both ends; dates are `YYYY-MM-DD`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the fields are those of invoicing.documents.v2.Filter"
)]
pub struct DocumentFilter {
    pub status: BTreeSet<Status>,
    pub kind: BTreeSet<Kind>,
    /// A part of [`DocumentRow::buyer_text`](super::DocumentRow::buyer_text), folded in the same way.
    pub buyer: String,
    /// A part of the number.
    pub number: String,
    pub issued_from: Option<String>,
    pub issued_to: Option<String>,
    pub due_from: Option<String>,
    pub due_to: Option<String>,
    /// In ten-thousandths of the currency's unit.
    pub gross_from: Option<i64>,
    /// In ten-thousandths of the currency's unit.
    pub gross_to: Option<i64>,
    pub currency: BTreeSet<Currency>,
    /// What is open of issued invoices and debit notes.
    pub payment_state: BTreeSet<PaymentState>,
    /// The day that decides what is overdue, `YYYY-MM-DD`; of no use without [`DocumentFilter::payment_state`].
    pub today: String,
    /// What the tax authority says of a document as it was issued last.
    pub authority_state: BTreeSet<AuthorityState>,
    /// Only what the tax authority accepted with remarks, as it was issued last.
    pub authority_has_warnings: bool,
    /// Only documents with these keys; an empty set selects nothing.
    pub keys: Option<BTreeSet<Uuid>>,
}

/// A page of whole documents ends with the one that brings it to this many bytes as they are stored, and so do the revisions of a
/// history, and submissions with the answers to them. Another page may follow (decision 0165).
pub const PAGE_BYTES: usize = 8 * 1024 * 1024;

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListQuery {
    /// Only documents of this organization.
    pub organization: OrganizationId,
    /// Which of them.
    pub filter: DocumentFilter,
    /// Most significant field first, each with whether it descends. Ties are broken by the key, in the direction of the last
    /// field.
    pub sort: Vec<(SortField, bool)>,
    /// The page begins after this row.
    pub after: Option<ListPosition>,
    /// Rows to skip before the page.
    pub skip: u32,
    /// Rows of the page. One of whole documents may have fewer: see [`PAGE_BYTES`].
    pub size: u32,
}

/// A page, and the sums of the whole filter.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPage<Item> {
    /// The rows of the page.
    pub items: Vec<Item>,
    /// The position of the last row; `None` on the last page.
    pub next: Option<ListPosition>,
    /// One for each currency, ordered by code.
    pub sums: Vec<CurrencySum>,
}

/// Count and sums of the documents in one currency. Credit notes count negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencySum {
    /// The currency.
    pub currency: Currency,
    /// Number of documents.
    pub count: u64,
    /// Sum of BT-109 in minor units.
    pub net: i128,
    /// Sum of BT-110 in minor units.
    pub tax: i128,
    /// Sum of BT-112 in minor units.
    pub gross: i128,
}

/// A document as a row of a list: its header without lines and tax breakdown. Read from columns.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentSummary {
    /// The organization that it belongs to.
    pub organization: OrganizationId,
    /// Unique within the organization.
    pub key: Uuid,
    /// Its version.
    pub concurrency_stamp: ConcurrencyStamp,
    /// Its state in the life cycle.
    pub status: Status,
    /// BT-3
    pub kind: Kind,
    /// BT-1; empty while a draft.
    pub number: String,
    /// BT-2, `YYYY-MM-DD`.
    pub issue_date: String,
    /// BT-9, `YYYY-MM-DD` or empty.
    pub due_date: String,
    /// BT-72, `YYYY-MM-DD` or empty.
    pub supply_date: String,
    /// BT-109
    pub net: Money,
    /// BT-110
    pub tax: Money,
    /// BT-112
    pub gross: Money,
    /// BT-115
    pub payable: Money,
    /// BT-22
    pub note: String,
    /// BG-7
    pub buyer: Option<Party>,
    /// The event of its creation.
    pub created: Option<Event>,
    /// The event of its last change.
    pub updated: Option<Event>,
    /// The event that numbered it.
    pub issued: Option<Event>,
    /// The event that closed it.
    pub frozen: Option<Event>,
    /// What is open of it; `None` for a draft and for a credit note.
    pub receivable: Option<Receivable>,
    /// What the tax authority says of it as it was issued last; `None` if it was not sent to one.
    pub authority_state: Option<AuthorityState>,
    /// The tax authority accepted it with remarks.
    pub authority_has_warnings: bool,
}
