//! POST /oauth/v2/introspect: a resource server asks about a token (contract, parts 2 and 5; RFC 7662).

use std::sync::Arc;

use axum::Json;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse as _, Response};
use http::HeaderMap;
use invoicing_contract::ready::ApplicationKind;
use serde::Serialize;
use serde_json::json;

use super::Provider;
use super::claims::{Act, Standing};
use super::client_authentication::authenticate;
use super::content::Content;
use super::oauth_error::{ErrorCode, OAuthError};
use super::scope::Scope;
use super::token::form;
use crate::storage::tokens::Bearer;

/// What a token that is valid stands for (RFC 7662, 2.2).
#[derive(Serialize)]
struct Active<'a> {
    active: bool,
    scope: &'a str,
    client_id: &'a str,
    token_type: &'static str,
    exp: i64,
    iat: i64,
    sub: &'a str,
    aud: &'a [String],
    iss: &'a str,
    username: &'a str,
    #[serde(flatten)]
    standing: Standing<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    act: Option<Act<'a>>,
}

/// POST /oauth/v2/introspect
pub(super) async fn introspect(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    Content(body): Content,
) -> Result<Response, OAuthError> {
    let form = form(query.as_deref(), &headers, &body)?;
    // Before the application is looked up: with a token that is found, the database has told all there is to ask it. Nothing
    // of it is told before the application authenticated.
    let found = match form.get("token") {
        Some(token) => Some(provider.bearer(token).await?),
        None => None,
    };
    let application = authenticate(&provider, &headers, &form)
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
    let Some(Bearer { token, member }) =
        found.filter(|bearer| bearer.token.reach.audiences.iter().any(ours))
    else {
        return Ok(Json(json!({"active": false})).into_response());
    };
    let scope = Scope::stored(&token.reach.scope);
    let active = Active {
        active: true,
        scope: &token.reach.scope,
        client_id: &token.reach.client_id,
        token_type: "Bearer",
        exp: token.expires_at / 1000,
        iat: token.issued_at / 1000,
        sub: &member.subject.id,
        aud: &token.reach.audiences,
        iss: &provider.issuer,
        username: &member.subject.username,
        standing: Standing::of(&provider, &member, &scope, token.reach.carries_home),
        act: token.actor.as_deref().map(|sub| Act { sub }),
    };
    Ok(Json(active).into_response())
}
