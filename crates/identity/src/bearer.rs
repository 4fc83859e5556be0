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

/// The record of a valid bearer token and its subject; `None` if it is unknown, expired or revoked, its application is disabled, or
/// its actor may no longer impersonate. The rules of `authorizer` are then at least as new as the record.
pub(crate) async fn resolve(
    store: &dyn Store,
    authorizer: &dyn Authorizer,
    kind: EnvironmentKind,
    audience_id: &AudienceId,
    names: &Names,
    bearer_token: &str,
    now: Timestamp,
) -> Result<Option<Bearer>, StorageError> {
    let hash = TokenHash::of(bearer_token);
    if !is_personal(bearer_token) {
        let Some(bearer) = store.bearer(&hash, now).await? else {
            return Ok(None);
        };
        authorizer.refresh(bearer.basis).await?;
        // The application was disabled: its tokens end with the next request.
        let client_id = &bearer.token.authorization.client_id;
        if store.application(client_id, bearer.basis).await?.is_none() {
            return Ok(None);
        }
        let is_permitted = match &bearer.token.actor {
            // Nearly all tokens.
            None => true,
            Some(actor) => {
                is_actor_permitted(store, authorizer, names, &actor.subject, &bearer).await?
            }
        };
        return Ok(is_permitted.then_some(bearer));
    }
    let Some((pat, member, basis)) = store.pat(&hash, now).await? else {
        return Ok(None);
    };
    authorizer.refresh(basis).await?;
    if kind == EnvironmentKind::Production {
        // Production creates none, so the database was copied from another environment (contract, part 5).
        let event = AuditEvent::new(now, audit::AuditEventKind::PatRefused)
            .subject(&member.subject.id)
            .organization(&member.subject.home_organization)
            .detail("pat", &*pat.id);
        store.record_once(&event, now.minus(AUDIT_INTERVAL)).await?;
        return Ok(None);
    }
    let scope = Scope::default()
        .with(&names.audience_scope(audience_id.as_str()))
        .with(names.home_organization_scope());
    let token = AccessToken {
        hash,
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
    store: &dyn Store,
    authorizer: &dyn Authorizer,
    names: &Names,
    actor: &SubjectId,
    bearer: &Bearer,
) -> Result<bool, StorageError> {
    let Some(actor) = store.member(actor, bearer.basis).await? else {
        return Ok(false);
    };
    let scope = Scope::from_stored(&bearer.token.authorization.scope);
    match scope.organization(names) {
        Some(organization) => may_impersonate(store, authorizer, &actor, organization).await,
        None => Ok(false),
    }
}
