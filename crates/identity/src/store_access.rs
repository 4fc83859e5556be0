//! Implements [`TokenVerifier`] and [`TenantResolver`] with the store, for the gateway.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::{AudienceId, EnvironmentKind, Names, OrganizationId, SubjectId};
use invoicing_storage::access::{
    Actor, Authorizer, Principal, TenantResolver, TokenVerification, TokenVerifier, VerifiedToken,
};
use invoicing_storage::directory::Tenant;
use invoicing_storage::tokens::Bearer;
use invoicing_storage::{Basis, Clock, DirectoryStore, StorageError, Store};

use crate::bearer::{BearerResolver, PresentedToken};
use crate::limits::{RefusedTokens, RequestLimitSettings};
use crate::scope::Scope;
use crate::verified_tokens::VerifiedTokens;

/// [`TokenVerifier`] and [`TenantResolver`] over a [`Store`].
#[derive(Clone)]
pub struct StoreAccess {
    store: Arc<dyn Store>,
    authorizer: Arc<dyn Authorizer>,
    clock: Arc<dyn Clock>,
    names: Names,
    kind: EnvironmentKind,
    audience_id: AudienceId,
    verified: Arc<VerifiedTokens>,
    refused: Arc<RefusedTokens>,
}

impl StoreAccess {
    /// Reads from `store`. Expiry is checked by `clock`, `authorizer` decides whether an actor may still impersonate, and `kind`
    /// whether personal access tokens are valid, which carry `audience_id`. `limits` has that of refused tokens.
    pub fn new(
        store: Arc<dyn Store>,
        authorizer: Arc<dyn Authorizer>,
        clock: Arc<dyn Clock>,
        names: Names,
        kind: EnvironmentKind,
        audience_id: AudienceId,
        limits: RequestLimitSettings,
    ) -> Self {
        Self {
            store,
            authorizer,
            clock,
            names,
            kind,
            audience_id,
            verified: Arc::new(VerifiedTokens::new()),
            refused: Arc::new(RefusedTokens::new(limits)),
        }
    }

    async fn actor(&self, subject: SubjectId, basis: Basis) -> Result<Actor, StorageError> {
        let member = self.store.member(&subject, basis).await?;
        Ok(Actor {
            // A disabled actor has no member; its id is used instead.
            name: member.map_or_else(|| subject.to_string(), |member| member.subject.name.clone()),
            subject,
        })
    }
}

#[async_trait]
impl TokenVerifier for StoreAccess {
    async fn verify(
        &self,
        access_token: &str,
        address: IpAddr,
    ) -> Result<TokenVerification, StorageError> {
        let now = self.clock.timestamp();
        let presented = PresentedToken::of(access_token);
        // Before anything is read: what is committed meanwhile leaves the token with an earlier version.
        let version = self.store.data_version();
        let kept = version.and_then(|version| self.verified.get(&presented.hash, version, now));
        if let Some(kept) = kept {
            return Ok(TokenVerification::Valid(kept));
        }
        let monotonic = self.clock.monotonic();
        if let Err(wait) = self.refused.check(&presented.hash, address, monotonic) {
            return Ok(TokenVerification::NotLookedUp { wait });
        }
        let resolver = BearerResolver {
            store: &*self.store,
            authorizer: &*self.authorizer,
            kind: self.kind,
            audience_id: &self.audience_id,
            names: &self.names,
        };
        let Some(Bearer {
            token,
            member,
            basis,
        }) = resolver.resolve(&presented, now).await?
        else {
            self.refused.count(&presented.hash, address, monotonic);
            return Ok(TokenVerification::Invalid);
        };
        self.refused.note_valid(&presented.hash);
        let scope = Scope::from_stored(&token.authorization.scope);
        let restricted_to = scope.organization(&self.names);
        let is_permitted = |organization: &OrganizationId| {
            restricted_to.is_none_or(|permitted| organization == permitted)
        };
        let mut roles: BTreeMap<String, BTreeSet<OrganizationId>> = BTreeMap::new();
        for grant in &member.grants {
            if !is_permitted(&grant.organization) {
                continue;
            }
            roles
                .entry(grant.role.clone())
                .or_default()
                .insert(grant.organization.clone());
        }
        let actor = match token.actor {
            Some(actor) => Some(self.actor(actor.subject, basis).await?),
            None => None,
        };
        let expires_at = token.expires_at;
        let home_organization = token.authorization.carries_home.then(|| {
            restricted_to.map_or_else(
                || member.subject.home_organization.clone(),
                OrganizationId::from,
            )
        });
        let principal = Principal {
            subject: token.subject,
            epoch: token.epoch,
            is_machine: member.subject.is_machine(),
            name: member.subject.name.clone(),
            client: token.authorization.client_id.clone(),
            audiences: token.authorization.audiences.clone(),
            home_organization,
            roles,
            actor,
        };
        let verified = VerifiedToken {
            principal: Arc::new(principal),
            basis,
        };
        if let Some(version) = version {
            self.verified
                .insert(&presented.hash, version, expires_at, verified.clone());
        }
        Ok(TokenVerification::Valid(verified))
    }
}

#[async_trait]
impl TenantResolver for StoreAccess {
    async fn resolve(
        &self,
        organization: &OrganizationId,
        basis: Basis,
    ) -> Result<Option<Arc<Tenant>>, StorageError> {
        let tenant = DirectoryStore::tenant(&*self.store, organization, basis).await?;
        Ok(tenant.filter(|tenant| {
            if tenant.disabled_at.is_some() {
                tracing::warn!(%organization, "the tenant is disabled");
            }
            tenant.disabled_at.is_none()
        }))
    }
}
