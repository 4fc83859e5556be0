//! Resolves bearer tokens: access tokens and, outside production, personal access tokens.

use std::time::Duration;

use invoicing_contract::{Names, SubjectId, Timestamp};

use crate::administration::may_impersonate;
use crate::scope::Scope;
use invoicing_contract::{AudienceId, EnvironmentKind};
use invoicing_storage::access::Authorizer;
use invoicing_storage::audit::{self, AuditEvent};
use invoicing_storage::secret::{TokenHash, is_personal};
use invoicing_storage::tokens::{AccessToken, Bearer};
use invoicing_storage::{StorageError, Store};

/// Minimum time between two audit events of the same rejected personal access token.
const AUDIT_INTERVAL: Duration = Duration::from_secs(15 * 60);

/// A presented bearer token, which is hashed once.
pub(crate) struct PresentedToken {
    /// Its hash.
    pub(crate) hash: TokenHash,
    is_personal: bool,
}

impl PresentedToken {
    /// The token with this text.
    pub(crate) fn of(bearer_token: &str) -> Self {
        Self {
            hash: TokenHash::of(bearer_token),
            is_personal: is_personal(bearer_token),
        }
    }
}

/// What bearer tokens are resolved with.
pub(crate) struct BearerResolver<'a> {
    pub(crate) store: &'a dyn Store,
    pub(crate) authorizer: &'a dyn Authorizer,
    pub(crate) kind: EnvironmentKind,
    pub(crate) audience_id: &'a AudienceId,
    pub(crate) names: &'a Names,
}

impl BearerResolver<'_> {
    /// The record of a valid bearer token and its subject; `None` if it is unknown, expired or revoked, its application is disabled,
    /// or its actor may no longer impersonate. The rules of the authorizer are then at least as new as the record.
    pub(crate) async fn resolve(
        &self,
        presented: &PresentedToken,
        now: Timestamp,
    ) -> Result<Option<Bearer>, StorageError> {
        if presented.is_personal {
            return self.resolve_personal(&presented.hash, now).await;
        }
        let Some(bearer) = self.store.bearer(&presented.hash, now).await? else {
            return Ok(None);
        };
        self.authorizer.refresh(bearer.basis).await?;
        // The application was disabled: its tokens end with the next request.
        let client_id = &bearer.token.authorization.client_id;
        let application = self.store.application(client_id, bearer.basis).await?;
        if application.is_none() {
            return Ok(None);
        }
        let is_permitted = match &bearer.token.actor {
            // Nearly all tokens.
            None => true,
            Some(actor) => self.is_actor_permitted(&actor.subject, &bearer).await?,
        };
        Ok(is_permitted.then_some(bearer))
    }

    async fn resolve_personal(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<Bearer>, StorageError> {
        let Some((pat, member, basis)) = self.store.pat(hash, now).await? else {
            return Ok(None);
        };
        self.authorizer.refresh(basis).await?;
        if self.kind == EnvironmentKind::Production {
            // Production creates none, so the database was copied from another environment (contract, part 5).
            let event = AuditEvent::new(now, audit::AuditEventKind::PatRefused)
                .subject(&member.subject.id)
                .organization(&member.subject.home_organization)
                .detail("pat", &*pat.id);
            let since = now.minus(AUDIT_INTERVAL);
            self.store.record_once(&event, since).await?;
            return Ok(None);
        }
        let names = self.names;
        let scope = Scope::default()
            .with(&names.audience_scope(self.audience_id.as_str()))
            .with(names.home_organization_scope());
        let token = AccessToken {
            hash: hash.clone(),
            family: None,
            // A personal access token has no application, so the machine user takes its place.
            authorization: scope.authorization(&member.subject.id.as_str().into(), true, names),
            subject: member.subject.id.clone(),
            epoch: pat.epoch,
            actor: None,
            issued_at: pat.created_at,
            expires_at: pat.expires_at,
        };
        Ok(Some(Bearer {
            token,
            member,
            basis,
        }))
    }

    /// Whether the administrator behind the token may impersonate now: the token ends with the role (decision 0011).
    async fn is_actor_permitted(
        &self,
        actor: &SubjectId,
        bearer: &Bearer,
    ) -> Result<bool, StorageError> {
        let Some(actor) = self.store.member(actor, bearer.basis).await? else {
            return Ok(false);
        };
        let scope = Scope::from_stored(&bearer.token.authorization.scope);
        match scope.organization(self.names) {
            Some(organization) => {
                may_impersonate(self.store, self.authorizer, &actor, organization).await
            }
            None => Ok(false),
        }
    }
}
