//! Invoices as lists, details and forms show them.

use std::fmt;

use invoicing_contract::{ConcurrencyStamp, DocumentKey};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{BuyerDetails, DueTerms, InvoiceDetails, LineDetails, PaymentState, SubmissionState};

/// A text in one or both languages of an invoice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LocalizedText {
    /// Arabic, or empty.
    pub ar: String,
    /// English, or empty.
    pub en: String,
}

/// Life cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum InvoiceStatus {
    /// Editable, deletable, unnumbered.
    Draft,
    /// Numbered.
    Issued,
    /// Immutable.
    Frozen,
    /// Refused by the tax authority.
    Rejected,
}

/// The type of a document (BT-3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum InvoiceKind {
    /// An invoice.
    #[default]
    Invoice,
    /// Credits an invoice or a part of it.
    CreditNote,
    /// Charges more than an invoice did.
    DebitNote,
}

/// Filter, sort and page. An empty field does not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceQuery {
    /// Any of these.
    pub status: Vec<InvoiceStatus>,
    /// Any of these.
    pub kind: Vec<InvoiceKind>,
    /// Part of the buyer's name or tax id.
    pub buyer: String,
    /// Part of the number.
    pub number: String,
    /// Date or empty, inclusive.
    pub issued_from: String,
    /// Date or empty, inclusive.
    pub issued_to: String,
    /// Date or empty, inclusive.
    pub due_from: String,
    /// Date or empty, inclusive.
    pub due_to: String,
    /// A number as it was typed, or empty; inclusive.
    pub gross_from: String,
    /// A number as it was typed, or empty; inclusive.
    pub gross_to: String,
    /// Any of these, ISO 4217.
    pub currency: Vec<String>,
    /// Any of these.
    pub payment: Vec<PaymentState>,
    /// Any of these.
    pub submission: Vec<SubmissionState>,
    /// Only what the tax authority accepted with remarks.
    pub has_warnings: bool,
    /// Newest issue date first if `None`.
    pub sort: Option<InvoiceSort>,
    /// Rows before the page.
    pub skip: u32,
    /// Rows of the page, 1 to 500.
    pub page_size: u32,
}

/// Sort field and direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceSort {
    /// The field.
    pub field: SortField,
    /// Largest or latest first.
    pub descending: bool,
}

/// The fields that a list can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum SortField {
    IssueDate,
    DueDate,
    Number,
    Buyer,
    Gross,
    Status,
    Updated,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InvoicePage {
    /// The page.
    pub rows: Vec<InvoiceRow>,
    /// Of the whole filter.
    pub total: u32,
    /// Of the whole filter, one for each currency.
    pub sums: Vec<CurrencySum>,
    /// Whether the organization has a tax authority.
    pub has_authority: bool,
    /// When the service answered.
    pub as_of: String,
    /// Whether the service cannot be reached now, and the page is an earlier answer, kept on this computer.
    pub offline: bool,
}

/// Sums in one currency; credit notes count negative.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CurrencySum {
    /// ISO 4217
    pub currency: String,
    /// Number of documents.
    pub count: u32,
    /// Before tax.
    pub net: String,
    /// Tax.
    pub tax: String,
    /// With tax.
    pub gross: String,
}

/// One row of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceRow {
    /// Document key.
    pub key: DocumentKey,
    /// Empty while a draft.
    pub number: String,
    /// BT-3
    pub kind: InvoiceKind,
    /// Where it is in its life cycle.
    pub status: InvoiceStatus,
    /// The buyer's name.
    pub buyer: LocalizedText,
    /// BT-2
    pub issue_date: String,
    /// BT-9, or empty.
    pub due_date: String,
    /// ISO 4217
    pub currency: String,
    /// BT-109
    pub net: String,
    /// BT-110
    pub tax: String,
    /// BT-112
    pub gross: String,
    /// What is open of an issued document, negative if the buyer gets it back; empty in answers that are no lists.
    pub open: String,
    /// How much of it is settled; `None` in answers that are no lists, and if it asks for no payment.
    pub payment: Option<PaymentState>,
    /// What the tax authority says of it. `None`: it was not sent to one.
    pub submission: Option<SubmissionState>,
    /// The tax authority accepted it with remarks. Rows that an earlier version has kept do not say.
    #[serde(default)]
    pub has_warnings: bool,
    /// concurrencyStamp
    pub stamp: ConcurrencyStamp,
}

/// A whole invoice. Its `Debug` output does not contain what it says: errors have one, and are logged.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceView {
    /// What the list shows of it.
    pub row: InvoiceRow,
    /// What the form shows of it.
    pub content: InvoiceContent,
    /// Lines with their nets, in the order of the content's.
    pub lines: Vec<LineView>,
    /// BG-23
    pub tax_breakdown: Vec<TaxRow>,
    /// BT-115
    pub payable: String,
    /// Created as a draft.
    pub created: Option<Event>,
    /// Last changed.
    pub updated: Option<Event>,
    /// Issued: numbered.
    pub issued: Option<Event>,
    /// Frozen.
    pub frozen: Option<Event>,
    /// Another user's change that was found while writing, and merged with this one.
    pub merged: Option<Box<MergedChange>>,
    /// An earlier attempt, whose answer was lost, had created the document, so that this one created nothing.
    pub created_earlier: bool,
    /// The service has what was sent, and its draft could not be removed from this computer: it is not listed or sent again,
    /// and it is removed later.
    pub draft_left: bool,
    /// When the service answered with it, if the service cannot be reached now and the invoice is an earlier answer, kept on
    /// this computer. RFC 3339
    pub offline_as_of: Option<String>,
}

impl fmt::Debug for InvoiceView {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("InvoiceView")
            .field("key", &self.row.key)
            .field("stamp", &self.row.stamp)
            .finish_non_exhaustive()
    }
}

/// An action on the document: who, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// RFC 3339
    pub time: String,
    /// Display name of the user.
    pub by: String,
}

/// What another user had changed while this user was editing, in other fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MergedChange {
    /// The last of those changes.
    pub event: Event,
    /// The content that this user started from.
    pub before: InvoiceContent,
    /// The content that the other user had saved.
    pub theirs: InvoiceContent,
}

/// The fields of the invoice form as the user typed them: numbers may be invalid.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceContent {
    /// BT-3
    pub kind: InvoiceKind,
    /// Who pays.
    pub buyer: BuyerContent,
    /// BT-2
    pub issue_date: String,
    /// BT-9
    pub due_date: String,
    /// The terms that have given the due date, if they were typed or are those of the buyer. No document holds them.
    #[serde(default)]
    pub due_terms: Option<DueTerms>,
    /// BT-72
    pub supply_date: String,
    /// BT-5
    pub currency: String,
    /// BG-25
    pub lines: Vec<LineContent>,
    /// BT-22
    pub note: String,
    /// BT-22 in Arabic, beside `note` (decision 0149).
    pub note_ar: String,
    /// For credit and debit notes.
    pub correction: Option<Correction>,
    /// What few invoices have.
    #[serde(default)]
    pub details: InvoiceDetails,
}

/// What a credit or debit note corrects.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Correction {
    /// Document key of the original.
    pub key: DocumentKey,
    /// BT-25
    pub number: String,
    /// BT-26
    pub issue_date: String,
    /// KSA-10
    pub reason: String,
}

/// BG-7
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BuyerContent {
    /// BT-44
    pub name: LocalizedText,
    /// BT-48
    pub tax_id: String,
    /// BT-50
    pub street: String,
    /// KSA-18
    pub building: String,
    /// KSA-4
    pub district: String,
    /// BT-52
    pub city: String,
    /// BT-53
    pub postal_code: String,
    /// BT-55, ISO 3166-1 alpha-2
    pub country: String,
    /// What few buyers have.
    #[serde(default)]
    pub details: BuyerDetails,
}

/// One line as the user typed it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LineContent {
    /// BT-153
    pub description: LocalizedText,
    /// BT-129
    pub quantity: String,
    /// BT-130, UN/ECE Recommendation 20
    pub unit: String,
    /// BT-146
    pub unit_price: String,
    /// BT-151, a code of UNCL5305
    pub tax_category: String,
    /// BT-152, percent
    pub tax_rate: String,
    /// VATEX code, where the category wants one.
    pub exemption_code: String,
    /// BT-126, by which lines of two versions are matched; empty for a new line.
    #[serde(default)]
    pub id: String,
    /// What few lines have.
    #[serde(default)]
    pub details: LineDetails,
}

/// One line as computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LineView {
    /// BT-131, or empty if it cannot be computed.
    pub net: String,
}

/// Totals computed while the user types.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Calculation {
    /// In the order of the content's lines.
    pub lines: Vec<LineView>,
    /// BG-23
    pub tax_breakdown: Vec<TaxRow>,
    /// BG-22; `None` if a number is missing or invalid.
    pub totals: Option<TotalsView>,
    /// All violations, by the same rules as the service's. Fields as in [`Violation`](super::Violation).
    pub violations: Vec<super::Violation>,
}

/// BG-23
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TaxRow {
    /// BT-118
    pub category: String,
    /// BT-119
    pub rate: String,
    /// BT-116
    pub taxable: String,
    /// BT-117
    pub tax: String,
}

/// BG-22
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TotalsView {
    /// BT-109
    pub net: String,
    /// BT-110
    pub tax: String,
    /// BT-112
    pub gross: String,
    /// BT-115
    pub payable: String,
}
