//! Seller, buyer, payee and tax representative.

use super::{PresenceTracked, Text};

/// BG-4 or BG-7
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Party {
    /// BT-27, BT-44: the registered name.
    pub name: Text,
    /// BT-28, BT-45
    pub trading_name: Text,
    /// BT-31, BT-48
    pub tax_id: String,
    /// BT-32: the tax registration that is not a VAT number.
    pub tax_registration: String,
    /// BT-29, BT-46
    pub other_ids: Vec<Identifier>,
    /// BT-30, BT-47
    pub legal_id: Identifier,
    /// BT-33
    pub legal_form: String,
    /// BT-34, BT-49
    pub electronic_address: Identifier,
    /// BG-5, BG-8
    pub address: PresenceTracked<Address>,
    /// BG-6, BG-9
    pub contact: Contact,
}

impl Party {
    /// Whether it has a VAT number or another identifier.
    pub(crate) fn is_identified(&self) -> bool {
        let mut ids = self.other_ids.iter();
        !self.tax_id.is_empty() || ids.any(|id| !id.value.trim().is_empty())
    }
}

/// An identifier with its scheme (CRN, NAT, an ICD code, …).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identifier {
    /// The identification scheme.
    pub scheme: String,
    /// The identifier.
    pub value: String,
}

/// BG-5, BG-8, BG-12 or BG-15
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// KSA-17, KSA-18
    pub building: String,
    /// KSA-23, KSA-19
    pub additional_number: String,
    /// BT-35, BT-50
    pub street: String,
    /// BT-36, BT-51
    pub additional_street: String,
    /// BT-162, BT-163
    pub third_line: String,
    /// KSA-3, KSA-4
    pub district: String,
    /// BT-37, BT-52
    pub city: String,
    /// BT-38, BT-53
    pub postal_code: String,
    /// BT-39, BT-54
    pub region: String,
    /// BT-40, BT-55, ISO 3166-1 alpha-2
    pub country: String,
}

/// BG-6, BG-9
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contact {
    /// BT-41, BT-56
    pub name: String,
    /// BT-42, BT-57
    pub phone: String,
    /// BT-43, BT-58
    pub email: String,
}

/// BG-10
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Payee {
    /// BT-59
    pub name: Text,
    /// BT-60
    pub id: Identifier,
    /// BT-61
    pub legal_id: Identifier,
}

/// BG-11
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaxRepresentative {
    /// BT-62
    pub name: Text,
    /// BT-63
    pub tax_id: String,
    /// BG-12
    pub address: PresenceTracked<Address>,
}
