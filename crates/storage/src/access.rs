//! What the gateway needs of identity: who calls, and which tenant an organization is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::Names;

use invoicing_contract::EnvironmentKind;
use crate::identity::bearer;
use crate::identity::scope::Scope;
use crate::tokens::Bearer;
use crate::{DirectoryStore, StorageError, Store};
use crate::world::World;

pub use crate::directory::Tenant;

/// Who calls: what a valid access token stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// Id of the user or machine user.
    pub subject: String,
    /// Name for people, as it goes into a document's history.
    pub name: String,
    /// The application that holds the token.
    pub client: String,
    /// Project-audience ids that the token carries.
    pub audiences: Vec<String>,
    /// The organization that a request without a header is scoped to: the home, or the one that the token is confined
    /// to. None when the token does not carry it
    /// (contract, part 5, "Using the token", rule 3).
    pub home_organization: Option<String>,
    /// Role key -> ids of the organizations it is granted in, as they are now, not as they were at sign-in. Of a token
    /// that is confined to one organization, of that one only.
    pub roles: BTreeMap<String, BTreeSet<String>>,
    /// The administrator behind an impersonated token.
    pub actor: Option<Actor>,
}

/// An administrator who acts as somebody else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// Subject id.
    pub subject: String,
    /// Name for people, as it goes into a document's history.
    pub name: String,
}

impl Principal {
    /// Whether any role is granted in `organization`.
    #[must_use]
    pub fn granted(&self, organization: &str) -> bool {
        self.roles
            .values()
            .any(|organizations| organizations.contains(organization))
    }

    /// The role keys granted in `organization`.
    pub fn roles_in<'a>(&'a self, organization: &'a str) -> impl Iterator<Item = &'a str> {
        self.roles
            .iter()
            .filter(move |(_, organizations)| organizations.contains(organization))
            .map(|(role, _)| &**role)
    }
}

/// Answers what an access token stands for.
#[async_trait]
pub trait Tokens: Send + Sync {
    /// The principal behind `access_token`; `None` when it is unknown, expired or revoked.
    ///
    /// # Errors
    /// When storage cannot answer. That says nothing about the token.
    async fn principal(&self, access_token: &str) -> Result<Option<Principal>, StorageError>;
}

/// Answers which tenant an organization is.
#[async_trait]
pub trait Tenants: Send + Sync {
    /// The tenant of `organization`; `None` when there is none, although the organization may exist and be granted.
    ///
    /// # Errors
    /// When storage cannot answer.
    async fn tenant(&self, organization: &str) -> Result<Option<Tenant>, StorageError>;
}

/// [`Tokens`] and [`Tenants`] from the store.
#[derive(Clone)]
pub struct Access {
    store: Arc<dyn Store>,
    world: World,
    names: Names,
    kind: EnvironmentKind,
}

impl Access {
    /// Reads from `store`, judges expiry by the clock of `world`, knows scopes by `names`, and takes what an environment of `kind` takes.
    pub fn new(store: Arc<dyn Store>, world: World, names: Names, kind: EnvironmentKind) -> Self {
        Self {
            store,
            world,
            names,
            kind,
        }
    }

    async fn actor(&self, subject: String) -> Result<Actor, StorageError> {
        let known = self.store.member(&subject).await?;
        Ok(Actor {
            // Who was locked out just now is still named.
            name: known.map_or_else(|| subject.clone(), |known| known.subject.name.clone()),
            subject,
        })
    }
}

#[async_trait]
impl Tokens for Access {
    async fn principal(&self, access_token: &str) -> Result<Option<Principal>, StorageError> {
        let found = bearer::find(
            &*self.store,
            self.kind,
            &self.names,
            access_token,
            self.world.clock.now_ms(),
        );
        let Some(Bearer { token, member }) = found.await? else {
            return Ok(None);
        };
        let scope = Scope::stored(&token.reach.scope);
        let confined_to = scope.confined_to(&self.names);
        let reaches =
            |organization: &String| confined_to.is_none_or(|confined| confined == organization);
        let mut roles: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for grant in &member.grants {
            if !reaches(&grant.organization) {
                continue;
            }
            roles
                .entry(grant.role.clone())
                .or_default()
                .insert(grant.organization.clone());
        }
        let actor = match token.actor {
            Some(subject) => Some(self.actor(subject).await?),
            None => None,
        };
        let home_organization = token.reach.carries_home.then(|| {
            confined_to
                .unwrap_or(&member.subject.home_organization)
                .to_owned()
        });
        Ok(Some(Principal {
            subject: token.subject,
            name: member.subject.name.clone(),
            client: token.reach.client_id.clone(),
            audiences: token.reach.audiences.clone(),
            home_organization,
            roles,
            actor,
        }))
    }
}

#[async_trait]
impl Tenants for Access {
    async fn tenant(&self, organization: &str) -> Result<Option<Tenant>, StorageError> {
        DirectoryStore::tenant(&*self.store, organization).await
    }
}
