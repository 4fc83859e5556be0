//! POST /oauth/v2/introspect: token introspection for resource servers (contract, parts 2 and 5; RFC 7662).

use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use http::HeaderMap;
use invoicing_contract::ready::ApplicationKind;

use crate::json_object::JsonObjectWriter;
use crate::oauth::FormBody;
use crate::oauth::parse_form;
use crate::oauth::{ClientAuthentication, authenticate};
use crate::oauth::{ErrorCode, OAuthError};
use crate::provider::Provider;
use crate::scope::Scope;
use invoicing_http::Peer;
use invoicing_storage::tokens::Bearer;

/// POST /oauth/v2/introspect
pub(crate) async fn introspect(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Result<Response, OAuthError> {
    let address = peer.client_address(&headers, &provider.proxies);
    let form = parse_form(query.as_deref(), &headers, &body)
        .map_err(|error| provider.count_failure(address, error))?;
    let authentication = ClientAuthentication::from_request(&provider, address, &headers, &form)
        .map_err(OAuthError::with_challenge)?;
    // The token is loaded before the application: the query that finds it also reads the basis. Nothing is disclosed before
    // the client is authenticated.
    let bearer = match form.get("token") {
        Some(token) => Some(provider.resolve_bearer(token).await?),
        None => None,
    };
    let basis = match &bearer {
        Some(Some(bearer)) => bearer.basis,
        Some(None) | None => provider.store.basis().await?,
    };
    let application = authenticate(&provider, &authentication, address, basis)
        .await
        .map_err(OAuthError::with_challenge)?;
    if application.kind != ApplicationKind::Api {
        // Checked after the secret, so that the kind of an application is not disclosed.
        return Err(OAuthError::new(
            ErrorCode::UnauthorizedClient,
            "only an API application may introspect",
        ));
    }
    let bearer = bearer.ok_or(OAuthError::new(
        ErrorCode::InvalidRequest,
        "token is missing",
    ))?;
    let is_own_audience = |audience: &String| audience == provider.audience_id();
    let Some(Bearer { token, member, .. }) = bearer.filter(|bearer| {
        application.serves(&bearer.member.subject.home_organization)
            && bearer
                .token
                .authorization
                .audiences
                .iter()
                .any(is_own_audience)
    }) else {
        return Ok(JsonObjectWriter::new()
            .with("active", false)
            .into_response());
    };
    // The response for an active token (RFC 7662, 2.2).
    let authorization = &token.authorization;
    let scope = Scope::from_stored(&authorization.scope);
    let response = JsonObjectWriter::new()
        .with("active", true)
        .with("scope", &authorization.scope)
        .with("client_id", &authorization.client_id)
        .with("token_type", "Bearer")
        .with("exp", token.expires_at.as_seconds())
        .with("iat", token.issued_at.as_seconds())
        .with("sub", &member.subject.id)
        .with("aud", &authorization.audiences)
        .with("iss", &provider.issuer)
        .with("username", &member.subject.username)
        .roles_and_home(&provider, &member, &scope, authorization.carries_home)
        .actor(token.actor.as_ref().map(|actor| actor.subject.as_str()));
    Ok(response.into_response())
}
