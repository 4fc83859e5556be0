//! Who is signed in, from the verified id_token: the part that is kept, not secret, so that a restart knows it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::views::Account;

/// The claims that the application needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// `sub`
    pub(crate) subject: String,
    /// `name`, or else the user name.
    pub(crate) name: String,
    /// `preferred_username`
    pub(crate) username: String,
    /// The user's own organization.
    pub(crate) home: Home,
    /// `{ role: { organization id: organization domain } }`
    pub(crate) roles: BTreeMap<String, BTreeMap<String, String>>,
    /// `iat`: grants given since are not in it.
    pub(crate) issued_at: Timestamp,
}

/// The home organization.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Home {
    pub(crate) id: String,
    /// Empty where the id_token does not say it.
    pub(crate) name: String,
    /// Empty where the id_token does not say it.
    pub(crate) domain: String,
}

impl Identity {
    /// Whether any role is held in the organization.
    pub(crate) fn grants(&self, organization: &str) -> bool {
        self.roles
            .values()
            .any(|held| held.contains_key(organization))
    }

    /// Ids of the organizations in which any role is held.
    pub(crate) fn organizations(&self) -> BTreeSet<String> {
        self.roles
            .values()
            .flat_map(BTreeMap::keys)
            .cloned()
            .collect()
    }

    pub(crate) fn account(&self) -> Account {
        Account {
            subject: self.subject.clone(),
            name: self.name.clone(),
            username: self.username.clone(),
        }
    }
}
