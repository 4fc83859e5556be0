//! Organizations and the binding of a window to one of them.

use invoicing_contract::OrganizationId;
use serde::{Deserialize, Serialize};
use specta::Type;

/// An organization that the roles claim grants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationView {
    /// Its id.
    pub id: OrganizationId,
    /// Its primary domain.
    pub domain: String,
    /// What to call it: the local alias, else the name in English that the service told, else the claimed name (home only), else
    /// the domain.
    pub name: String,
    /// What to call it in Arabic. `None`: as in English.
    pub arabic: Option<ArabicName>,
    /// What it can be searched by: every name, the domain and the id.
    pub found_by: Vec<String>,
    /// The time zone in which its days begin, an IANA name. Empty until the service has told it, and if the organization is no
    /// tenant.
    pub time_zone: String,
    /// Whether `name` is a local alias.
    pub aliased: bool,
    /// One or two letters that stand for it.
    pub badge: String,
    /// Its own colour, `#rrggbb`, the same on every computer.
    pub color: String,
    /// Which of eight edge patterns goes with the colour, so that it is never colour alone.
    pub pattern: u8,
    /// Role keys held there.
    pub roles: Vec<String>,
    /// Whether it is the user's home organization.
    pub home: bool,
    /// Whether the user has pinned it on this computer. Pinned ones come first, in the order of their pins.
    pub pinned: bool,
    /// How many organizations were opened after it. `None`: it is none of the last ones.
    pub recent: Option<u32>,
}

/// The name of an organization in Arabic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ArabicName {
    /// As the service told it.
    pub name: String,
    /// One or two letters that stand for it.
    pub badge: String,
}

/// The organization that a window works in. A command that carries an outdated binding fails before any request is sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WindowBinding {
    /// The organization.
    pub organization: OrganizationId,
    /// Increases with every switch of any window, so that no two bindings are equal.
    pub generation: u32,
}
