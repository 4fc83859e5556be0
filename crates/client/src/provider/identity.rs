//! The identity from a verified id_token. It holds no secret and is stored, so that it is known after a restart.

use std::collections::{BTreeMap, BTreeSet};

use invoicing_contract::{Names, OrganizationId, SubjectId};
use jiff::Timestamp;
use openidconnect::IdTokenClaims;
use openidconnect::core::CoreGenderClaim;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::id_token::AdditionalIdTokenClaims;
use super::{Check, ProviderError};
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
    /// `act`: who acts as the user (RFC 8693, section 4.1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) actor: Option<SubjectId>,
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
    /// The identity from verified claims.
    ///
    /// # Errors
    /// The roles claim has another form than that of the contract.
    pub(super) fn from_claims(
        claims: &IdTokenClaims<AdditionalIdTokenClaims, CoreGenderClaim>,
        names: &Names,
    ) -> Result<Self, ProviderError> {
        let all = &claims.additional_claims().all;
        let text = |claim: &str| {
            all.get(claim)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let roles = match all.get(names.roles()) {
            Some(roles) => {
                BTreeMap::deserialize(roles).map_err(ProviderError::because(Check::Roles))?
            }
            None => BTreeMap::new(),
        };
        let subject = claims.subject().as_str();
        let username = claims
            .preferred_username()
            .map_or(subject, |name| name.as_str())
            .to_owned();
        let name = claims
            .name()
            .and_then(|name| name.get(None))
            .map(|name| name.as_str().to_owned());
        let actor = all.get("act").and_then(|actor| actor.get("sub"));
        Ok(Self {
            actor: actor.and_then(Value::as_str).map(SubjectId::from),
            subject: subject.into(),
            name: name.unwrap_or_else(|| username.clone()),
            username,
            home: HomeOrganization {
                id: OrganizationId::new(text(names.home_organization_id())),
                name: text(names.home_organization_name()),
                domain: text(names.home_organization_domain()),
            },
            roles,
            issued_at: Timestamp::from_second(claims.issue_time().timestamp())
                .unwrap_or(Timestamp::UNIX_EPOCH),
        })
    }

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
