//! Reports of an organization, and what needs work in it. Every amount is of one currency; nothing is added across currencies.

use invoicing_contract::OrganizationId;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{CommandError, CurrencySum, LocalizedText};

/// An amount, and how long its bar is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BarAmount {
    /// The amount.
    pub amount: String,
    /// In thousandths of the largest amount of its currency in the report; negative like the amount.
    pub length: i32,
}

/// What is open now, by currency and days since the due date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Ageing {
    /// The day from which days are counted, in the time zone of the organization.
    pub as_of: String,
    /// One for each currency.
    pub rows: Vec<AgeingRow>,
    /// When the service answered, RFC 3339.
    pub answered: String,
    /// Whether the service cannot be reached now, and this is an earlier answer, kept on this computer.
    pub offline: bool,
}

/// Open amounts of a currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AgeingRow {
    /// ISO 4217
    pub currency: String,
    /// Documents with something open.
    pub count: u32,
    /// Not due, 1 to 30 days after the due date, 31 to 60, 61 to 90, more.
    pub buckets: Vec<BarAmount>,
    /// The last four.
    pub overdue: String,
    /// All five.
    pub open: String,
    /// What buyers get back: negative or zero.
    pub credit_balance: String,
}

/// Sums of issued and frozen documents by month, one for each currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MonthlySums {
    /// One for each currency.
    pub currencies: Vec<CurrencyMonths>,
    /// When the service answered, RFC 3339.
    pub answered: String,
    /// Whether it is an earlier answer, kept on this computer.
    pub offline: bool,
}

/// The months of a currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CurrencyMonths {
    /// ISO 4217
    pub currency: String,
    /// Every month of the period, also those without documents.
    pub months: Vec<MonthRow>,
    /// Of all months.
    pub total: MonthTotals,
}

/// One month; credit notes count negative.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MonthRow {
    /// As `2026-01`.
    pub month: String,
    /// Its sums.
    pub totals: MonthTotals,
    /// The net amount as a bar.
    pub bar: BarAmount,
}

/// Sums of documents; credit notes count negative.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MonthTotals {
    /// Invoices and debit notes.
    pub invoices: u32,
    /// Credit notes.
    pub credit_notes: u32,
    /// Before tax.
    pub net: String,
    /// Tax.
    pub tax: String,
    /// With tax.
    pub gross: String,
}

/// Sums of buyers in a period, one list for each currency. Credit notes are subtracted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BuyerSums {
    /// One for each currency.
    pub currencies: Vec<CurrencyBuyers>,
    /// When the service answered, RFC 3339.
    pub answered: String,
    /// Whether it is an earlier answer, kept on this computer.
    pub offline: bool,
}

/// The buyers of a currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CurrencyBuyers {
    /// ISO 4217
    pub currency: String,
    /// The largest first; the rest last.
    pub rows: Vec<BuyerSumRow>,
    /// Documents of all rows.
    pub count: u32,
    /// BT-109 of all rows.
    pub net: String,
    /// BT-112 of all rows.
    pub gross: String,
}

/// The documents of a buyer in a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BuyerSumRow {
    /// Whose documents.
    pub group: BuyerSumsGroup,
    /// Number of documents.
    pub count: u32,
    /// BT-109
    pub net: String,
    /// BT-112
    pub gross: String,
    /// How long the bar of the gross amount is: in thousandths of the largest of one buyer, negative like the amount. `None` for the
    /// rest, which is no buyer.
    pub length: Option<i32>,
}

/// Whose documents a row of buyers sums.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum BuyerSumsGroup {
    /// A buyer.
    Buyer {
        /// BT-44
        name: LocalizedText,
        /// BT-48, or empty.
        tax_id: String,
    },
    /// Documents without a buyer.
    NoBuyer,
    /// All buyers without a row of their own.
    Rest {
        /// How many they are.
        buyers: u32,
    },
}

/// Taxes of a period, one for each currency. Credit notes are subtracted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TaxSums {
    /// One for each currency.
    pub currencies: Vec<CurrencyTaxes>,
    /// When the service answered, RFC 3339.
    pub answered: String,
    /// Whether it is an earlier answer, kept on this computer.
    pub offline: bool,
}

/// The taxes of a currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CurrencyTaxes {
    /// ISO 4217
    pub currency: String,
    /// By category and rate.
    pub rows: Vec<TaxSumRow>,
    /// Taxable amount of all rows.
    pub taxable: String,
    /// Tax of all rows.
    pub tax: String,
}

/// The taxes of a category and rate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TaxSumRow {
    /// BT-118
    pub category: String,
    /// BT-119
    pub rate: String,
    /// Documents with the category and rate.
    pub count: u32,
    /// BT-116
    pub taxable: String,
    /// BT-117, as a bar.
    pub tax: BarAmount,
}

/// What needs work in an organization. What could not be read is `None`, and its error is in `errors`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    /// The organization.
    pub organization: OrganizationId,
    /// Drafts at the service.
    pub drafts: Option<DocumentCount>,
    /// Refused by the tax authority.
    pub rejected: Option<DocumentCount>,
    /// Open after the due date.
    pub overdue: Option<DocumentCount>,
    /// What is open, by currency.
    pub ageing: Option<Vec<AgeingRow>>,
    /// When the oldest of the answers was given, RFC 3339. `None`: there is no answer.
    pub as_of: Option<String>,
    /// Whether an answer is an earlier one, kept on this computer.
    pub kept: bool,
    /// What failed, each kind of error once.
    pub errors: Vec<CommandError>,
}

/// How many documents a list has, and their sums.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DocumentCount {
    /// The number of documents.
    pub count: u32,
    /// One for each currency.
    pub sums: Vec<CurrencySum>,
}
