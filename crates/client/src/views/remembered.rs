//! What a document says otherwise than what is remembered of its buyer and items, and what is to be remembered instead (decision 0188).

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{BuyerContent, DueTerms, LocalizedText, PriceView};

/// What a document says otherwise than what is remembered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RememberedDifferences {
    /// Of its buyer.
    pub party: Option<PartyDifference>,
    /// Of its lines.
    pub items: Vec<ItemDifference>,
}

/// What a document says otherwise of its buyer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PartyDifference {
    /// The name that is remembered.
    pub name: LocalizedText,
    /// What differs, at least one.
    pub parts: Vec<PartyPart>,
    /// Has that remembered which the document says.
    pub change: PartyChange,
}

/// What a line says otherwise of its item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemDifference {
    /// The name that is remembered.
    pub name: LocalizedText,
    /// What differs, at least one.
    pub parts: Vec<ItemPart>,
    /// Has that remembered which the line says.
    pub change: ItemChange,
}

/// What can differ of a buyer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PartyPart {
    /// BT-44, BT-45
    Name,
    /// BT-48
    TaxId,
    /// BG-8
    Address,
    /// BG-9
    Contact,
    /// BT-46, BT-47, BT-49
    Identifiers,
    /// BT-5
    Currency,
    /// BT-20
    PaymentTerms,
    /// The terms that give the due date.
    DueTerms,
}

/// What can differ of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ItemPart {
    /// BT-153
    Name,
    /// BT-154
    Description,
    /// BT-130
    Unit,
    /// BT-146
    Price,
    /// BG-30
    Tax,
}

/// What is to be remembered of a buyer. What is empty, or as it is remembered, stays; an address is taken as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PartyChange {
    /// Its key at the service.
    pub key: String,
    /// Of the state that the user has seen. Nothing is changed if it is another one by now.
    pub stamp: String,
    /// What a document copies.
    pub buyer: BuyerContent,
    /// BT-5 of a new document.
    pub currency: String,
    /// BT-20 of a new document.
    pub payment_terms: String,
    /// The terms that give the due date of a new document.
    pub due_terms: Option<DueTerms>,
}

/// What is to be remembered of an item. What is empty, or as it is remembered, stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemChange {
    /// Its key at the service.
    pub key: String,
    /// Of the state that the user has seen. Nothing is changed if it is another one by now.
    pub stamp: String,
    /// BT-153
    pub name: LocalizedText,
    /// BT-154
    pub description: LocalizedText,
    /// BT-130
    pub unit: String,
    /// Price and tax.
    pub price: PriceView,
}
