//! What an invoice refers to: the names others keep it under, where things went, and papers beside it.

use super::{Address, Identifier, PresenceTracked, Text};

/// BT-10 to BT-19, without the purchase order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct References {
    /// BT-10
    pub buyer: String,
    /// BT-11
    pub project: String,
    /// BT-12
    pub contract: String,
    /// BT-14
    pub sales_order: String,
    /// BT-15
    pub receiving_advice: String,
    /// BT-16
    pub despatch_advice: String,
    /// BT-17
    pub tender: String,
    /// BT-18
    pub invoiced_object: Identifier,
    /// BT-19
    pub accounting: String,
}

/// BG-13
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delivery {
    /// BT-70
    pub party: Text,
    /// BT-71
    pub location: Identifier,
    /// BG-15
    pub address: PresenceTracked<Address>,
    /// KSA-24: the last day of a supply that took several.
    pub latest_date: String,
}

/// BG-24
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SupportingDocument {
    /// BT-122
    pub id: Identifier,
    /// UNTDID 1001, where the paper has a type.
    pub type_code: String,
    /// KSA-16, the counter of invoices, stands here in the document named `ICV`.
    pub uuid: String,
    /// BT-123
    pub description: String,
    /// BT-124
    pub uri: String,
    /// BT-125
    pub attachment: Option<Attachment>,
}

/// BT-125
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attachment {
    /// Its media type.
    pub mime: String,
    /// Its file name.
    pub filename: String,
    /// Its bytes in Base64, as they stood in the file.
    pub content: String,
}
