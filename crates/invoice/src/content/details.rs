//! References, delivery and supporting documents.

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
    /// KSA-24: the end date of the supply.
    pub latest_date: String,
}

/// BG-24
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SupportingDocument {
    /// BT-122
    pub id: Identifier,
    /// UNTDID 1001, if the document has a type.
    pub type_code: String,
    /// The UUID; in the document with the identifier `ICV` it is KSA-16, the invoice counter.
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
    /// The media type.
    pub mime: String,
    /// The file name.
    pub filename: String,
    /// The bytes in Base64, unchanged.
    pub content: String,
}
