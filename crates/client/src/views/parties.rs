//! Remembered buyers and items as the form offers them.

use invoicing_contract::OrganizationId;
use serde::{Deserialize, Serialize};
use specta::Type;

use super::{BuyerContent, DueTerms, LocalizedText};

/// A remembered buyer, and what a new document for it begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PartyView {
    /// Its key at the service.
    pub key: String,
    /// Of this state: a change carries it.
    pub stamp: String,
    /// What a document copies.
    pub buyer: BuyerContent,
    /// BT-5 of a new document, or empty.
    pub currency: String,
    /// BT-20 of a new document, or empty.
    pub payment_terms: String,
    /// The terms that give the due date of a new document. `None`: none are agreed.
    pub due_terms: Option<DueTerms>,
    /// BT-22 of a new document, or empty.
    pub note: String,
}

/// Why a buyer may be the wrong one for the organization (decision 0183).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum BuyerDoubt {
    /// Its tax id is that of the organization itself.
    OwnTaxId,
    /// Of all organizations of the account, another one alone has it as a buyer.
    KnownElsewhere {
        /// That one.
        organization: OrganizationId,
    },
}

/// A remembered item: what a line copies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemView {
    /// Its key at the service.
    pub key: String,
    /// Of this state: a change carries it.
    pub stamp: String,
    /// BT-153
    pub description: LocalizedText,
    /// BT-155, or empty.
    pub code: String,
    /// BT-130
    pub unit: String,
    /// Price and tax, wherever they are sold.
    pub price: PriceView,
}

/// A price with its tax, as a line copies it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PriceView {
    /// BT-146, written so that it has one reading when it is typed over; or empty.
    pub unit_price: String,
    /// ISO 4217, or empty.
    pub currency: String,
    /// BT-151
    pub tax_category: String,
    /// BT-152, percent.
    pub tax_rate: String,
    /// VATEX code, or empty.
    pub exemption_code: String,
}

/// What a new document of an organization begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DocumentDefaults {
    /// ISO 3166-1 alpha-2; empty if it is not known.
    pub country: String,
    /// The currency of its accounts, ISO 4217; empty if it is not known.
    pub currency: String,
    /// The standard VAT rate in percent. `None`: the country has no VAT.
    pub standard_rate: Option<String>,
}
