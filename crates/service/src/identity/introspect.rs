//! POST /oauth/v2/introspect: a resource server asks about a token (contract, parts 2 and 5; RFC 7662).

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use http::HeaderMap;
use invoicing_contract::ready::ApplicationKind;
use serde_json::{Map, Value, json};

use super::client_authentication::authenticate;
use super::oauth_error::{ErrorCode, OAuthError};
use super::scope::Scope;
use super::token::form;
use super::{Provider, claims};
use crate::storage::StorageError;
use crate::storage::tokens::Bearer;

/// POST /oauth/v2/introspect
pub(super) async fn introspect(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Map<String, Value>>, OAuthError> {
    let form = form(query.as_deref(), &headers, &body)?;
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
    let token = form.get("token").ok_or(OAuthError::new(
        ErrorCode::InvalidRequest,
        "token is missing",
    ))?;
    let inactive = || Map::from_iter([("active".to_owned(), json!(false))]);
    Ok(Json(
        active(&provider, token).await?.unwrap_or_else(inactive),
    ))
}

async fn active(
    provider: &Provider,
    token: &str,
) -> Result<Option<Map<String, Value>>, StorageError> {
    let Some(Bearer { token, subject }) = provider.bearer(token).await? else {
        return Ok(None);
    };
    if !token
        .audiences
        .iter()
        .any(|audience| audience == provider.audience_id())
    {
        return Ok(None);
    }
    let described = json!({
        "active": true,
        "scope": token.scope,
        "client_id": token.client_id,
        "token_type": "Bearer",
        "exp": token.expires_at / 1000,
        "iat": token.issued_at / 1000,
        "sub": subject.id,
        "aud": token.audiences,
        "iss": provider.issuer,
        "username": subject.username,
    });
    let Value::Object(mut claims) = described else {
        return Ok(None);
    };
    if token.carries_home {
        claims.extend(claims::home_organization(provider, &subject).await?);
    }
    claims.extend(claims::roles(provider, &subject, &Scope::stored(&token.scope)).await?);
    if let Some(actor) = token.actor {
        claims.insert("act".to_owned(), json!({"sub": actor}));
    }
    Ok(Some(claims))
}
