//! Issues authorization codes.

use axum::response::Response;

use super::request::AuthorizationRequest;
use crate::lifetimes::{AUTHORIZATION_CODE_LIFETIME, REFRESH_TOKEN_ABSOLUTE_LIFETIME};
use crate::provider::Provider;
use invoicing_storage::StorageError;
use invoicing_storage::secret::{Bucket, Secret, time_ordered_id};
use invoicing_storage::tokens::{AuthorizationCode, Family, Session};

/// Stores a code for the subject of `session` and redirects to the application with it.
pub(super) async fn redirect_with_code(
    provider: &Provider,
    request: &AuthorizationRequest,
    session: &Session,
) -> Result<Response, StorageError> {
    let now = provider.now();
    let id = time_ordered_id(now, &*provider.rng);
    let code = Secret::time_ordered_in(now, Bucket::of(id), &*provider.rng);
    let family = Family {
        id,
        client_id: request.application.client_id.clone(),
        subject: session.subject.clone(),
        session_id: Some(session.id.clone()),
        scope: request.scope.to_wire(),
        epoch: session.epoch,
        authenticated_at: session.authenticated_at,
        expires_at: now.plus(REFRESH_TOKEN_ABSOLUTE_LIFETIME),
    };
    let record = AuthorizationCode {
        hash: code.hash(),
        redirect_uri: request.redirect.uri.clone(),
        code_challenge: request.code_challenge.clone(),
        nonce: request.nonce.clone(),
        expires_at: now.plus(AUTHORIZATION_CODE_LIFETIME),
    };
    provider
        .store
        .insert_authorization(&family, &record)
        .await?;
    Ok(request.redirect.code(provider, code.expose()))
}
