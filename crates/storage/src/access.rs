//! What the gateway needs from identity, as traits: the principal of a token, the tenant of an organization, and whether roles
//! include a scope.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use invoicing_contract::{ClientId, OrganizationId, SubjectId};

pub use crate::directory::Tenant;
use crate::users::RuleEvaluation;
use crate::{Basis, StorageError};

/// The caller that a valid access token authenticates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// Id of the user or machine user.
    pub subject: SubjectId,
    /// The epoch of the subject that the token carries. A token that the caller obtains for another subject carries it too.
    pub epoch: i64,
    /// Whether it is a machine user, whose calls are API access (decision 0118).
    pub is_machine: bool,
    /// Display name, as it is stored in a document's history.
    pub name: String,
    /// The application that holds the token.
    pub client: ClientId,
    /// Project-audience ids that the token carries.
    pub audiences: Vec<String>,
    /// The organization that a request without a header is scoped to: the home organization, or the one that the token is
    /// confined to. `None` when the token does not carry it
    /// (contract, part 5, "Using the token", rule 3).
    pub home_organization: Option<OrganizationId>,
    /// Role key -> ids of the organizations it is granted in, as of the request and not of the sign-in. A token that is
    /// confined to one organization has the roles of that one only.
    pub roles: BTreeMap<String, BTreeSet<OrganizationId>>,
    /// The administrator behind an impersonated token.
    pub actor: Option<Actor>,
}

/// An administrator who impersonates a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// Subject id.
    pub subject: SubjectId,
    /// Display name, as it is stored in a document's history.
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

/// A valid access token, with what the rest of the request is decided by (decision 0048).
#[derive(Debug, Clone)]
pub struct VerifiedToken {
    /// The caller.
    pub principal: Arc<Principal>,
    /// The version of the directory that the caller's roles were read with. The rest of the request is decided by it.
    pub basis: Basis,
}

/// What the verification of an access token came to.
#[derive(Debug, Clone)]
pub enum TokenVerification {
    /// The token is valid.
    Valid(VerifiedToken),
    /// It is unknown, expired or revoked.
    Invalid,
    /// It was not looked up, because its address has presented too many invalid ones (decision 0177).
    NotLookedUp {
        /// The time until a token of the address is looked up.
        wait: Duration,
    },
}

/// Verifies access tokens.
#[async_trait]
pub trait TokenVerifier: Send + Sync {
    /// Whether `access_token`, which a client at `address` presents, is valid, and the principal behind it.
    ///
    /// # Errors
    /// When storage fails. Whether the token is valid is unknown then.
    async fn verify(
        &self,
        access_token: &str,
        address: IpAddr,
    ) -> Result<TokenVerification, StorageError>;
}

/// Resolves organizations to tenants.
#[async_trait]
pub trait TenantResolver: Send + Sync {
    /// The tenant of `organization`, at least as new as `basis`; `None` when there is none or an operator has disabled it,
    /// although the organization may exist and be granted.
    ///
    /// # Errors
    /// When storage fails.
    async fn resolve(
        &self,
        organization: &OrganizationId,
        basis: Basis,
    ) -> Result<Option<Arc<Tenant>>, StorageError>;
}

/// Decides by the current rules whether roles include the scope of an operation.
#[async_trait]
pub trait Authorizer: Send + Sync {
    /// Makes the rules at least as new as `basis`, so that the other methods decide by them. Whoever has read the caller calls
    /// it, before anything is decided about the request (decision 0107).
    ///
    /// # Errors
    /// When storage fails.
    async fn refresh(&self, basis: Basis) -> Result<(), StorageError>;

    /// Whether one of `roles`, which are granted in the target organization, includes `scope`.
    fn allows(&self, roles: &[&str], scope: &str) -> bool;

    /// Whether the current rules name this role. One that they do not name includes no scope.
    fn names_role(&self, role: &str) -> bool;

    /// What roles give, as the current rules decide it.
    fn rule_evaluation(&self) -> RuleEvaluation;

    /// The roles that the current rules name, in alphabetical order.
    fn role_names(&self) -> Vec<String>;
}
