//! Fields of the parties of an invoice that few invoices have. Texts are as the user typed them.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::LocalizedText;

/// An identifier, with the scheme that it is of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct IdentifierContent {
    /// CRN, NAT, ... of a party in Saudi Arabia, else a code of ISO/IEC 6523 or of the list of the field.
    pub scheme: String,
    /// The identifier.
    pub value: String,
}

/// BG-8, BG-12 or BG-15
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AddressContent {
    /// KSA-18
    pub building: String,
    /// KSA-19
    pub additional_number: String,
    /// BT-50, BT-64, BT-75
    pub street: String,
    /// BT-51, BT-65, BT-76
    pub additional_street: String,
    /// BT-163, BT-164, BT-165
    pub third_line: String,
    /// KSA-4
    pub district: String,
    /// BT-52, BT-66, BT-77
    pub city: String,
    /// BT-53, BT-67, BT-78
    pub postal_code: String,
    /// BT-54, BT-68, BT-79
    pub region: String,
    /// BT-55, BT-69, BT-80, ISO 3166-1 alpha-2
    pub country: String,
}

/// BG-9
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContactContent {
    /// BT-56
    pub name: String,
    /// BT-57
    pub phone: String,
    /// BT-58
    pub email: String,
}

/// The rest of BG-7.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BuyerDetails {
    /// BT-45
    pub trading_name: LocalizedText,
    /// BT-46
    pub other_ids: Vec<IdentifierContent>,
    /// BT-47
    pub legal_id: IdentifierContent,
    /// BT-49
    pub electronic_address: IdentifierContent,
    /// BG-9
    pub contact: ContactContent,
    /// KSA-19
    pub additional_number: String,
    /// BT-51
    pub additional_street: String,
    /// BT-163
    pub third_line: String,
    /// BT-54
    pub region: String,
}

/// BG-13 without its date, which is the date of supply.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryContent {
    /// BT-70
    pub party: LocalizedText,
    /// BT-71
    pub location: IdentifierContent,
    /// KSA-24: the last day of a supply that took several.
    pub latest_date: String,
    /// BG-15
    pub address: AddressContent,
}

/// BG-10: who is paid instead of the seller.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PayeeContent {
    /// BT-59
    pub name: LocalizedText,
    /// BT-60
    pub id: IdentifierContent,
    /// BT-61
    pub legal_id: IdentifierContent,
}

/// BG-11: who answers for the tax of the seller.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TaxRepresentativeContent {
    /// BT-62
    pub name: LocalizedText,
    /// BT-63
    pub tax_id: String,
    /// BG-12
    pub address: AddressContent,
}
