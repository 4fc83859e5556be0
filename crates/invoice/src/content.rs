//! The input of an invoice as unvalidated text, from a form, from a protobuf message or from a file.
//!
//! The fields are the input terms of the EN 16931 semantic model and the Saudi extensions (KSA-…). Empty text is an absent value.

mod details;
mod line;
mod party;
mod payment;
mod presence_tracked;

pub use details::{Attachment, Delivery, References, SupportingDocument};
pub use line::{
    AllowanceCharge, Classification, ItemAttribute, Line, LineDetails, SparseLineDetails, Tax,
    TaxAmounts,
};
pub use party::{Address, Contact, Identifier, Party, Payee, TaxRepresentative};
pub use payment::{Account, Card, Mandate, PaymentMeans};
pub use presence_tracked::PresenceTracked;

/// BT-3, the type of the document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// UNTDID 1001: 380, in KSA 388.
    #[default]
    Invoice,
    /// 381. Its amounts are positive; the kind carries the sign.
    CreditNote,
    /// 383.
    DebitNote,
}

/// KSA-2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subtype {
    /// A tax invoice to a business.
    Standard,
    /// A simplified tax invoice to a consumer, who may be unnamed.
    Simplified,
}

/// The content of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Content {
    /// BT-3
    pub kind: Kind,
    /// KSA-2
    pub subtype: Option<Subtype>,
    /// BT-2. The current date if empty.
    pub issue_date: String,
    /// BT-9
    pub due_date: String,
    /// BT-72
    pub supply_date: String,
    /// BG-14
    pub period: Option<Period>,
    /// BT-5. The currency of the organization if empty.
    pub currency: String,
    /// BT-6
    pub tax_currency: String,
    /// The exchange rate: units of the tax currency (BT-6) for one unit of the currency (BT-5).
    pub exchange_rate: String,
    /// BT-22
    pub note: String,
    /// BT-22 in Arabic, beside [`Self::note`] (decision 0149).
    pub note_ar: String,
    /// BT-20
    pub payment_terms: String,
    /// BT-13
    pub purchase_order: String,
    /// BG-3
    pub preceding: Vec<Reference>,
    /// KSA-10
    pub reason: String,
    /// BT-10 to BT-19: references to documents and objects.
    pub references: References,
    /// BT-7
    pub tax_point_date: String,
    /// BT-8, UNTDID 2005: 3, 35 or 432.
    pub tax_point_code: String,
    /// BG-7
    pub buyer: Party,
    /// BG-10, if the payee is not the seller.
    pub payee: Option<Payee>,
    /// BG-11
    pub tax_representative: Option<TaxRepresentative>,
    /// BG-13 without its date, which is `supply_date`.
    pub delivery: Option<Delivery>,
    /// BG-16
    pub payment: Vec<PaymentMeans>,
    /// BG-24
    pub documents: Vec<SupportingDocument>,
    /// BG-25
    pub lines: Vec<Line>,
    /// BG-20, BG-21
    pub allowances_charges: Vec<AllowanceCharge>,
    /// BT-113
    pub prepaid: String,
    /// BT-114
    pub rounding: String,
    /// Totals that the caller computed; a difference is a violation.
    pub expected_totals: Option<ExpectedTotals>,
}

/// BG-14, both ends inclusive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Period {
    /// BT-73
    pub start: String,
    /// BT-74
    pub end: String,
}

/// BG-3, a document that this one corrects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reference {
    /// The document key at the service.
    pub document_key: String,
    /// BT-25
    pub number: String,
    /// BT-26
    pub issue_date: String,
}

/// A text in Arabic, English or both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// Arabic.
    pub ar: String,
    /// English.
    pub en: String,
}

/// Totals as the caller computed them. Empty text is not compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedTotals {
    /// BT-106
    pub lines: String,
    /// BT-107
    pub allowances: String,
    /// BT-108
    pub charges: String,
    /// BT-109
    pub net: String,
    /// BT-110
    pub tax: String,
    /// BT-111
    pub tax_in_tax_currency: String,
    /// BT-112
    pub gross: String,
    /// BT-113
    pub prepaid: String,
    /// BT-114
    pub rounding: String,
    /// BT-115
    pub payable: String,
}
