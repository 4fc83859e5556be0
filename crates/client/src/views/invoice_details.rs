//! Fields of an invoice and its lines that few invoices have. Texts are as the user typed them.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{
    DeliveryContent, IdentifierContent, LocalizedText, PayeeContent, TaxRepresentativeContent,
};

/// Fields of the document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InvoiceDetails {
    /// BG-14
    pub period: PeriodContent,
    /// Documents and objects that the invoice names.
    pub references: ReferencesContent,
    /// BG-16, the first one.
    pub payment: PaymentContent,
    /// BG-16, those after the first one.
    pub other_payments: Vec<PaymentContent>,
    /// BT-20
    pub payment_terms: String,
    /// BT-6
    pub tax_currency: String,
    /// Units of the tax currency for one unit of the currency.
    pub exchange_rate: String,
    /// BT-113
    pub prepaid: String,
    /// BT-114
    pub rounding: String,
    /// BG-20, BG-21
    pub allowances_charges: Vec<AllowanceChargeContent>,
    /// KSA-2: `STANDARD` or `SIMPLIFIED`; if empty, it follows from the buyer.
    pub subtype: String,
    /// BT-7
    pub tax_point_date: String,
    /// BT-8, UNTDID 2005
    pub tax_point_code: String,
    /// BG-13
    pub delivery: DeliveryContent,
    /// BG-10
    pub payee: PayeeContent,
    /// BG-11
    pub tax_representative: TaxRepresentativeContent,
    /// BG-24
    pub documents: Vec<SupportingDocumentContent>,
    /// BG-3, besides the one that [`Correction`](super::Correction) names.
    pub preceding_documents: Vec<PrecedingContent>,
}

/// Fields of a line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LineDetails {
    /// BT-155
    pub item_code: String,
    /// BT-156
    pub buyer_item_code: String,
    /// BT-132
    pub order_line: String,
    /// BT-127
    pub note: String,
    /// BG-26
    pub period: PeriodContent,
    /// BT-149: the quantity that the price is for.
    pub price_base: String,
    /// BT-120: the reason in words.
    pub exemption_reason: String,
    /// BG-27, BG-28
    pub allowances_charges: Vec<AllowanceChargeContent>,
    /// BT-128
    pub object: IdentifierContent,
    /// BT-133
    pub accounting: String,
    /// BT-148: the price before the discount.
    pub gross_price: String,
    /// BT-147: the discount of one price.
    pub price_discount: String,
    /// BT-150, UN/ECE Recommendation 20
    pub price_base_unit: String,
    /// BT-154
    pub item_description: LocalizedText,
    /// BT-157
    pub standard_item_code: IdentifierContent,
    /// BT-159, ISO 3166-1 alpha-2
    pub origin: String,
    /// BT-158
    pub classifications: Vec<ClassificationContent>,
    /// BG-32
    pub attributes: Vec<ItemAttributeContent>,
}

/// BT-158: the class of an item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ClassificationContent {
    /// UNTDID 7143
    pub list: String,
    /// The version of the list.
    pub version: String,
    /// The code of the class.
    pub code: String,
}

/// BG-32
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemAttributeContent {
    /// BT-160
    pub name: String,
    /// BT-161
    pub value: String,
}

/// BG-3
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PrecedingContent {
    /// BT-25
    pub number: String,
    /// BT-26
    pub issue_date: String,
}

/// BG-24 without a file inside the document: files are attachments (decision 0151).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SupportingDocumentContent {
    /// BT-122
    pub id: IdentifierContent,
    /// UNTDID 1001, if the document has a type.
    pub type_code: String,
    /// BT-123
    pub description: String,
    /// BT-124
    pub uri: String,
}

/// BG-14 or BG-26, both ends inclusive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PeriodContent {
    /// BT-73, BT-134
    pub start: String,
    /// BT-74, BT-135
    pub end: String,
}

/// BT-10 to BT-19.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReferencesContent {
    /// BT-13
    pub purchase_order: String,
    /// BT-10
    pub buyer: String,
    /// BT-12
    pub contract: String,
    /// BT-11
    pub project: String,
    /// BT-14
    pub sales_order: String,
    /// BT-16
    pub despatch_advice: String,
    /// BT-15
    pub receiving_advice: String,
    /// BT-19
    pub accounting: String,
    /// BT-17
    pub tender: String,
    /// BT-18
    pub invoiced_object: IdentifierContent,
}

/// BG-16 with a credit transfer (BG-17), a card (BG-18) or a direct debit (BG-19).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PaymentContent {
    /// BT-81, UNCL4461
    pub code: String,
    /// BT-84, as an IBAN.
    pub account: String,
    /// BT-85
    pub account_name: String,
    /// BT-86
    pub provider: String,
    /// BT-83
    pub remittance: String,
    /// BT-82
    pub name: String,
    /// BG-18
    pub card: CardContent,
    /// BG-19
    pub mandate: MandateContent,
}

/// BG-18
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CardContent {
    /// BT-87: the last digits, never the whole number.
    pub number: String,
    /// The card network.
    pub network: String,
    /// BT-88
    pub holder: String,
}

/// BG-19
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MandateContent {
    /// BT-89
    pub reference: String,
    /// BT-91
    pub payer_account: String,
}

/// Whether an amount is subtracted or added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum AllowanceChargeKind {
    /// Subtracted.
    #[default]
    Allowance,
    /// Added.
    Charge,
}

/// BG-20, BG-21 on the document, BG-27, BG-28 on a line: an amount, or a percentage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AllowanceChargeContent {
    /// Allowance or charge.
    pub kind: AllowanceChargeKind,
    /// Without tax; empty if it is given by a percentage.
    pub amount: String,
    /// The percentage of the base.
    pub percent: String,
    /// What the percentage is of. If empty, the amount of the line or the sum of the lines.
    pub base: String,
    /// The reason in words.
    pub reason: String,
    /// UNCL5189 of an allowance, UNCL7161 of a charge.
    pub reason_code: String,
    /// UNCL5305, of the document level only.
    pub tax_category: String,
    /// Percent, of the document level only.
    pub tax_rate: String,
    /// VATEX code, of the document level only.
    pub exemption_code: String,
}
