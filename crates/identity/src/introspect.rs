//! POST /oauth/v2/introspect: a resource server asks about a token (contract, parts 2 and 5; RFC 7662).

use invoicing_contract::SubjectId;
use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use http::HeaderMap;
use invoicing_contract::ready::ApplicationKind;

use super::Provider;
use super::client_authentication::{Credentials, authenticate};
use super::form_body::FormBody;
use super::json_object::JsonObjectWriter;
use super::oauth_error::{ErrorCode, OAuthError};
use super::scope::Scope;
use super::token::form;
use invoicing_storage::tokens::Bearer;

/// POST /oauth/v2/introspect
pub(super) async fn introspect(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Result<Response, OAuthError> {
    let form = form(query.as_deref(), &headers, &body)?;
    // Before the application is read: a stored token comes with the basis, so that one query is enough. Nothing about the token
    // is returned before the application has authenticated.
    let found = match form.get("token") {
        Some(token) => Some(provider.bearer(token).await?),
        None => None,
    };
    let credentials = Credentials::of(&headers, &form).map_err(OAuthError::with_challenge)?;
    let basis = match &found {
        Some(Some(bearer)) => bearer.basis,
        Some(None) | None => provider.store.basis().await?,
    };
    let application = authenticate(&provider, &credentials, basis)
        .await
        .map_err(OAuthError::with_challenge)?;
    if application.kind != ApplicationKind::Api {
        // Only after its secret was right: who guesses learns nothing.
        return Err(OAuthError::new(
            ErrorCode::UnauthorizedClient,
            "only an API application may introspect",
        ));
    }
    let found = found.ok_or(OAuthError::new(
        ErrorCode::InvalidRequest,
        "token is missing",
    ))?;
    let ours = |audience: &String| audience == provider.audience_id();
    let Some(Bearer { token, member, .. }) =
        found.filter(|bearer| bearer.token.authorization.audiences.iter().any(ours))
    else {
        return Ok(JsonObjectWriter::new()
            .with("active", false)
            .into_response());
    };
    // What a token that is valid stands for (RFC 7662, 2.2).
    let authorization = &token.authorization;
    let scope = Scope::stored(&authorization.scope);
    let claims = JsonObjectWriter::new()
        .with("active", true)
        .with("scope", &authorization.scope)
        .with("client_id", &authorization.client_id)
        .with("token_type", "Bearer")
        .with("exp", token.expires_at / 1000)
        .with("iat", token.issued_at / 1000)
        .with("sub", &member.subject.id)
        .with("aud", &authorization.audiences)
        .with("iss", &provider.issuer)
        .with("username", &member.subject.username)
        .roles_and_home(&provider, &member, &scope, authorization.carries_home)
        .actor(token.actor.as_ref().map(SubjectId::as_str));
    Ok(claims.into_response())
}
