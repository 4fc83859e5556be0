//! What the gateway needs of identity, as traits: who calls, which tenant an organization is, and whether roles hold a scope.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use invoicing_contract::{ClientId, OrganizationId, SubjectId};

use crate::StorageError;
pub use crate::directory::Tenant;

/// Who calls: what a valid access token stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// Id of the user or machine user.
    pub subject: SubjectId,
    /// Name for people, as it goes into a document's history.
    pub name: String,
    /// The application that holds the token.
    pub client: ClientId,
    /// Project-audience ids that the token carries.
    pub audiences: Vec<String>,
    /// The organization that a request without a header is scoped to: the home, or the one that the token is confined
    /// to. None when the token does not carry it
    /// (contract, part 5, "Using the token", rule 3).
    pub home_organization: Option<OrganizationId>,
    /// Role key -> ids of the organizations it is granted in, as they are now, not as they were at sign-in. Of a token
    /// that is confined to one organization, of that one only.
    pub roles: BTreeMap<String, BTreeSet<OrganizationId>>,
    /// The administrator behind an impersonated token.
    pub actor: Option<Actor>,
}

/// An administrator who acts as somebody else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// Subject id.
    pub subject: SubjectId,
    /// Name for people, as it goes into a document's history.
    pub name: String,
}

impl Principal {
    /// The organization with this id, if any role is granted in it.
    #[must_use]
    pub fn granted_organization(&self, id: &str) -> Option<&OrganizationId> {
        let mut organizations = self.roles.values();
        organizations.find_map(|organizations| organizations.get(id))
    }

    /// The role keys granted in `organization`.
    pub fn roles_in<'a>(
        &'a self,
        organization: &'a OrganizationId,
    ) -> impl Iterator<Item = &'a str> {
        self.roles
            .iter()
            .filter(move |(_, organizations)| organizations.contains(organization))
            .map(|(role, _)| &**role)
    }
}

/// Answers what an access token stands for.
#[async_trait]
pub trait TokenVerifier: Send + Sync {
    /// The principal behind `access_token`; `None` when it is unknown, expired or revoked.
    ///
    /// # Errors
    /// When storage cannot answer. That says nothing about the token.
    async fn principal(&self, access_token: &str) -> Result<Option<Principal>, StorageError>;
}

/// Answers which tenant an organization is.
#[async_trait]
pub trait TenantResolver: Send + Sync {
    /// The tenant of `organization`; `None` when there is none, although the organization may exist and be granted.
    ///
    /// # Errors
    /// When storage cannot answer.
    async fn tenant(&self, organization: &OrganizationId) -> Result<Option<Tenant>, StorageError>;
}

/// Decides whether a caller holds the scope that an operation declares.
pub trait Authorizer: Send + Sync {
    /// Whether any of `roles`, held in the targeted organization, gives `scope`.
    fn allows(&self, roles: &[&str], scope: &str) -> bool;
}
