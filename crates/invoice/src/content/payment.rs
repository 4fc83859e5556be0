//! Payment instructions.

/// BG-16: one payment instruction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaymentMeans {
    /// BT-81, UNCL4461: 30 for a credit transfer.
    pub code: String,
    /// BT-82
    pub name: String,
    /// BT-83: the remittance information.
    pub remittance: String,
    /// BG-17
    pub account: Option<Account>,
    /// BG-18
    pub card: Option<Card>,
    /// BG-19
    pub mandate: Option<Mandate>,
}

/// BG-17
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// BT-84
    pub id: String,
    /// BT-85
    pub name: String,
    /// BT-86
    pub provider: String,
}

/// BG-18
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Card {
    /// BT-87: the last digits, never the whole number.
    pub number: String,
    /// The card network, which UBL requires.
    pub network: String,
    /// BT-88
    pub holder: String,
}

/// BG-19
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mandate {
    /// BT-89
    pub reference: String,
    /// BT-91
    pub payer_account: String,
}
