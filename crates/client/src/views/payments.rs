//! Payments and refunds of a document, and what is open of it (decisions 0124 and 0137).

use invoicing_contract::DocumentKey;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::Event;

/// How much of an issued document is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PaymentState {
    /// Nothing was paid. Credit notes may have settled a part.
    Open,
    /// A part was paid.
    PartlyPaid,
    /// All: it was paid, or a credit note was refunded.
    Paid,
    /// Something is open after the due date.
    Overdue,
    /// All, by credit notes alone. Of a credit note: it settled what it corrects.
    Credited,
    /// The buyer gets money back.
    ToRefund,
}

/// What is open of a document, and the entries that say why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PaymentsView {
    /// `None` for a document that has no payments: a draft, or a credit note from before there were refunds.
    pub balance: Option<BalanceView>,
    /// In the order of their times, with the entries that void others.
    pub payments: Vec<PaymentView>,
    /// When the service answered, if it cannot be reached now and this is an earlier answer. RFC 3339
    pub offline_as_of: Option<String>,
}

/// What a document asks for, and what is open of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BalanceView {
    /// ISO 4217
    pub currency: String,
    /// BT-115; of a credit note BT-112 with a minus sign.
    pub payable: String,
    /// Payments less refunds, without the voided ones.
    pub paid: String,
    /// What issued credit notes took off; of a credit note what it took off others, with a minus sign.
    pub credited: String,
    /// Payable without paid and credited; negative: the buyer gets it back.
    pub open: String,
    /// How much is settled.
    pub state: PaymentState,
}

/// A payment, or an entry that voids one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PaymentView {
    /// Its key.
    pub key: String,
    /// The day of the payment.
    pub date: String,
    /// An entry that voids a payment has its amount with a minus sign.
    pub amount: String,
    /// BT-81, UNCL4461; or empty.
    pub means: String,
    /// What identifies it at the bank or in the till.
    pub reference: String,
    /// Of the person who recorded it.
    pub note: String,
    /// Who, and when.
    pub recorded: Option<Event>,
    /// Another entry voids it.
    pub voided: bool,
    /// The key of the payment that this entry voids, or empty.
    pub voids: String,
    /// Why it is voided.
    pub reason: String,
    /// Money that went back to the buyer.
    pub refund: bool,
}

/// A payment as it is typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NewPayment {
    /// UUIDv7, made once, so that a repeated attempt records nothing twice.
    pub key: String,
    /// The document that is paid.
    pub document: DocumentKey,
    /// Date
    pub date: String,
    /// ISO 4217, that of the document.
    pub currency: String,
    /// As typed, in any digits.
    pub amount: String,
    /// BT-81, UNCL4461; or empty.
    pub means: String,
    /// Or empty.
    pub reference: String,
    /// Or empty.
    pub note: String,
    /// Money that goes back to the buyer.
    pub refund: bool,
}
