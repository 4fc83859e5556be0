//! GET and POST /oidc/v1/userinfo: who a bearer token stands for (contract, part 2; OpenID Connect Core, 5.3).

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::{Map, Value, json};
use url::form_urlencoded;

use super::scope::Scope;
use super::{Provider, claims};
use crate::storage::StorageError;
use crate::storage::tokens::Bearer;

/// GET and POST /oidc/v1/userinfo
pub(super) async fn userinfo(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let token = match bearer(&headers) {
        // Two tokens could be two people: a caller uses one method (RFC 6750, 2).
        Ok(_) if names_a_token(query.unwrap_or_default().as_bytes()) || names_a_token(&body) => {
            return Problem::InvalidRequest.into_response();
        }
        Ok(token) => token,
        Err(problem) => return problem.into_response(),
    };
    match claims_of(&provider, token).await {
        Ok(Some(claims)) => Json(claims).into_response(),
        Ok(None) => Problem::InvalidToken.into_response(),
        Err(error) => super::oauth_error::OAuthError::from(error).into_response(),
    }
}

fn names_a_token(encoded: &[u8]) -> bool {
    form_urlencoded::parse(encoded).any(|(name, _)| name == "access_token")
}

async fn claims_of(
    provider: &Provider,
    token: &str,
) -> Result<Option<Map<String, Value>>, StorageError> {
    let Some(Bearer { token, subject }) = provider.bearer(token).await? else {
        return Ok(None);
    };
    let mut claims = Map::from_iter([("sub".to_owned(), json!(subject.id))]);
    let scope = Scope::stored(&token.scope);
    claims.extend(claims::profile(&subject, &scope));
    if token.carries_home {
        claims.extend(claims::home_organization(provider, &subject).await?);
    }
    claims.extend(claims::roles(provider, &subject, &scope).await?);
    if let Some(actor) = token.actor {
        claims.insert("act".to_owned(), json!({"sub": actor}));
    }
    Ok(Some(claims))
}

/// What is wrong with a bearer token (RFC 6750, 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Problem {
    NoToken,
    InvalidRequest,
    InvalidToken,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, challenge) = match self {
            Self::NoToken => (StatusCode::UNAUTHORIZED, "Bearer"),
            Self::InvalidRequest => (StatusCode::BAD_REQUEST, "Bearer error=\"invalid_request\""),
            Self::InvalidToken => (StatusCode::UNAUTHORIZED, "Bearer error=\"invalid_token\""),
        };
        (
            status,
            [(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static(challenge),
            )],
        )
            .into_response()
    }
}

/// The one bearer token of a request (RFC 6750, 2.1).
pub(super) fn bearer(headers: &HeaderMap) -> Result<&str, Problem> {
    let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
    let authorization = authorizations.next().ok_or(Problem::NoToken)?;
    if authorizations.next().is_some() {
        return Err(Problem::InvalidRequest);
    }
    let (scheme, token) = authorization
        .to_str()
        .ok()
        .and_then(|value| value.split_once(' '))
        .ok_or(Problem::InvalidRequest)?;
    if scheme.eq_ignore_ascii_case("bearer") {
        Ok(token.trim())
    } else {
        Err(Problem::InvalidRequest)
    }
}
