//! [`TokenVerifier`] and [`TenantResolver`] from the store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::{EnvironmentKind, Names};
use invoicing_storage::access::{Actor, Principal, TenantResolver, TokenVerifier};
use invoicing_storage::directory::Tenant;
use invoicing_storage::tokens::Bearer;
use invoicing_storage::world::World;
use invoicing_storage::{Basis, DirectoryStore, StorageError, Store};

use crate::bearer;
use crate::scope::Scope;

/// [`TokenVerifier`] and [`TenantResolver`] from the store.
#[derive(Clone)]
pub struct StoreAccess {
    store: Arc<dyn Store>,
    world: World,
    names: Names,
    kind: EnvironmentKind,
}

impl StoreAccess {
    /// Reads from `store`, judges expiry by the clock of `world`, knows scopes by `names`, and takes what an environment of `kind` takes.
    pub fn new(store: Arc<dyn Store>, world: World, names: Names, kind: EnvironmentKind) -> Self {
        Self {
            store,
            world,
            names,
            kind,
        }
    }

    async fn actor(&self, subject: String, basis: Basis) -> Result<Actor, StorageError> {
        let known = self.store.member(&subject, basis).await?;
        Ok(Actor {
            // Who was locked out just now is still named.
            name: known.map_or_else(|| subject.clone(), |known| known.subject.name.clone()),
            subject,
        })
    }
}

#[async_trait]
impl TokenVerifier for StoreAccess {
    async fn principal(&self, access_token: &str) -> Result<Option<Principal>, StorageError> {
        let found = bearer::resolve(
            &*self.store,
            self.kind,
            &self.names,
            access_token,
            self.world.clock.now_ms(),
        );
        let Some(Bearer {
            token,
            member,
            basis,
        }) = found.await?
        else {
            return Ok(None);
        };
        let scope = Scope::stored(&token.authorization.scope);
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
            Some(subject) => Some(self.actor(subject, basis).await?),
            None => None,
        };
        let home_organization = token.authorization.carries_home.then(|| {
            confined_to
                .unwrap_or(&member.subject.home_organization)
                .to_owned()
        });
        Ok(Some(Principal {
            subject: token.subject,
            name: member.subject.name.clone(),
            client: token.authorization.client_id.clone(),
            audiences: token.authorization.audiences.clone(),
            home_organization,
            roles,
            actor,
        }))
    }
}

#[async_trait]
impl TenantResolver for StoreAccess {
    async fn tenant(&self, organization: &str) -> Result<Option<Tenant>, StorageError> {
        DirectoryStore::tenant(&*self.store, &organization.into()).await
    }
}
