//! [`TokenVerifier`] and [`TenantResolver`] from the store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::{EnvironmentKind, Names, OrganizationId, SubjectId};
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

    async fn actor(&self, subject: SubjectId, basis: Basis) -> Result<Actor, StorageError> {
        let known = self.store.member(&subject, basis).await?;
        Ok(Actor {
            // Who was locked out just now is still named.
            name: known.map_or_else(|| subject.to_string(), |known| known.subject.name.clone()),
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
        let reaches = |organization: &OrganizationId| {
            confined_to.is_none_or(|confined| organization == confined)
        };
        let mut roles: BTreeMap<String, BTreeSet<OrganizationId>> = BTreeMap::new();
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
            confined_to.map_or_else(
                || member.subject.home_organization.clone(),
                OrganizationId::from,
            )
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
    async fn tenant(&self, organization: &OrganizationId) -> Result<Option<Tenant>, StorageError> {
        DirectoryStore::tenant(&*self.store, organization).await
    }
}
