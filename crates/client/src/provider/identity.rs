//! The identity from a verified id_token. It holds no secret and is stored, so that it is known after a restart.

use std::collections::{BTreeMap, BTreeSet};

use invoicing_contract::{OrganizationId, SubjectId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::views::Account;

/// The claims that the application uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// `sub`
    pub(crate) subject: SubjectId,
    /// `name`, or else the user name.
    pub(crate) name: String,
    /// `preferred_username`
    pub(crate) username: String,
    /// The user's own organization.
    pub(crate) home: HomeOrganization,
    /// The roles claim: `{ role: { organization id: organization domain } }` (contract, part 2).
    pub(crate) roles: BTreeMap<String, BTreeMap<OrganizationId, String>>,
    /// `iat`: role grants made later are not in the roles claim.
    pub(crate) issued_at: Timestamp,
}

/// The claims about the home organization.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HomeOrganization {
    pub(crate) id: OrganizationId,
    /// Empty if the id_token does not contain it.
    pub(crate) name: String,
    /// Empty if the id_token does not contain it.
    pub(crate) domain: String,
}

impl Identity {
    /// Whether the user holds a role in the organization.
    pub(crate) fn grants(&self, organization: &str) -> bool {
        self.roles
            .values()
            .any(|organizations| organizations.contains_key(organization))
    }

    /// The organizations in which the user holds a role.
    pub(crate) fn organizations(&self) -> BTreeSet<OrganizationId> {
        self.roles
            .values()
            .flat_map(BTreeMap::keys)
            .cloned()
            .collect()
    }

    /// The identity as the UI shows it.
    pub(crate) fn account(&self) -> Account {
        Account {
            subject: self.subject.clone(),
            name: self.name.clone(),
            username: self.username.clone(),
        }
    }
}
