//! Sign-ins of generated users: an authorization with an access token and a refresh token, as the token endpoint stores it.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use invoicing_contract::ready::ApplicationKind;
use invoicing_storage::applications::{Application, GrantType, ScopeKind};
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_storage::keys::SigningAlgorithm;
use invoicing_storage::secret::{Bucket, Secret, time_ordered_id};
use invoicing_storage::tokens::{
    AccessToken, Family, IssuedTokens, RefreshToken, TokenAuthorization,
};
use invoicing_storage::{Clock, Rng, StorageError, Store};

use super::CONCURRENCY;
use super::users::LoadUser;
use crate::seed::demo::SEED;

/// The application that everybody has signed in with.
const CLIENT_ID: &str = "load";
const SCOPE: &str = "openid offline_access";
/// Of access tokens: as long as the token endpoint issues them for.
const ACCESS_TOKEN_LIFETIME: Duration = Duration::from_secs(12 * 60 * 60);
/// Of refresh tokens and of what they descend from.
const SESSION_LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Registers the application of all sessions, unless it is there.
pub(super) async fn insert_application(
    store: &dyn Store,
    clock: &dyn Clock,
) -> Result<(), StorageError> {
    if store
        .registered_application(&CLIENT_ID.into())
        .await?
        .is_some()
    {
        return Ok(());
    }
    let application = Application {
        client_id: CLIENT_ID.into(),
        name: "Generated load".to_owned(),
        kind: ApplicationKind::Public,
        secret: None,
        subject: None,
        organization: None,
        grant_types: vec![GrantType::AuthorizationCode, GrantType::RefreshToken],
        scopes: ScopeKind::USUAL.to_vec(),
        includes_audience: false,
        redirect_uris: Vec::new(),
        post_logout_uris: Vec::new(),
        id_token_algorithm: SigningAlgorithm::Rs256,
        revoke_family_on_reuse: false,
        organization_only: false,
        disabled_at: None,
        concurrency_stamp: "0".into(),
    };
    let registered = AuditEvent::new(clock.timestamp(), AuditEventKind::ApplicationRegistered)
        .actor(SEED)
        .client(&application.client_id);
    store
        .put_application(&application, &registered)
        .await
        .map(drop)
}

/// Signs the users in one after the other, until there are `count` sessions.
pub(super) async fn insert(
    store: &dyn Store,
    clock: &dyn Clock,
    rng: &dyn Rng,
    users: &[LoadUser],
    count: u32,
) -> Result<(), StorageError> {
    let authorization = Arc::new(TokenAuthorization {
        client_id: CLIENT_ID.into(),
        scope: SCOPE.to_owned(),
        audiences: Vec::new(),
        carries_home: false,
    });
    let sessions = (0..count).zip(users.iter().cycle());
    stream::iter(sessions)
        .map(Ok)
        .try_for_each_concurrent(CONCURRENCY, |(_, user)| {
            sign_in(store, clock, rng, *user, &authorization)
        })
        .await
}

async fn sign_in(
    store: &dyn Store,
    clock: &dyn Clock,
    rng: &dyn Rng,
    user: LoadUser,
    authorization: &Arc<TokenAuthorization>,
) -> Result<(), StorageError> {
    let now = clock.timestamp();
    let expires_at = now.plus(SESSION_LIFETIME);
    let family = Family {
        id: time_ordered_id(now, rng),
        client_id: authorization.client_id.clone(),
        subject: user.id(),
        session_id: None,
        scope: SCOPE.to_owned(),
        epoch: 0,
        authenticated_at: now,
        expires_at,
    };
    let secret = || Secret::time_ordered_in(now, Bucket::of(family.id), rng);
    let tokens = IssuedTokens {
        access: AccessToken {
            hash: secret().hash(),
            family: Some(family.id),
            authorization: authorization.clone(),
            subject: family.subject.clone(),
            epoch: family.epoch,
            actor: None,
            issued_at: now,
            expires_at: now.plus(ACCESS_TOKEN_LIFETIME),
        },
        refresh: Some(RefreshToken {
            hash: secret().hash(),
            expires_at,
        }),
    };
    let event = AuditEvent::new(now, AuditEventKind::TokenIssued)
        .subject(&family.subject)
        .organization(&user.organization())
        .client(&family.client_id)
        .detail("grant", GrantType::AuthorizationCode.name());
    store
        .insert_authorization_with_tokens(family, tokens, vec![event])
        .await
}
