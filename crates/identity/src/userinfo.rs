//! GET and POST /oidc/v1/userinfo: the claims about the subject of an access token (contract, part 2; OpenID Connect Core,
//! 5.3).

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use url::form_urlencoded;

use crate::json_object::JsonObjectWriter;
use crate::oauth::FormBody;
use crate::provider::Provider;
use crate::scope::Scope;
use invoicing_storage::StorageError;
use invoicing_storage::tokens::Bearer;

/// GET and POST /oidc/v1/userinfo
pub(crate) async fn userinfo(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    let token = match bearer(&headers) {
        // A client must use one method only, since two tokens could have different subjects (RFC 6750, 2).
        Ok(_)
            if has_access_token_parameter(query.unwrap_or_default().as_bytes())
                || has_access_token_parameter(&body) =>
        {
            return BearerError::InvalidRequest.into_response();
        }
        Ok(token) => token,
        Err(problem) => return problem.into_response(),
    };
    match respond(&provider, token).await {
        Ok(response) => response,
        Err(error) => crate::oauth::OAuthError::from(error).into_response(),
    }
}

fn has_access_token_parameter(encoded: &[u8]) -> bool {
    form_urlencoded::parse(encoded).any(|(name, _)| name == "access_token")
}

/// The claims about the subject of `token` (OpenID Connect Core, 5.3.2).
async fn respond(provider: &Provider, token: &str) -> Result<Response, StorageError> {
    let Some(Bearer { token, member }) = provider.resolve_bearer(token).await? else {
        return Ok(BearerError::InvalidToken.into_response());
    };
    let scope = Scope::from_stored(&token.reach.scope);
    let claims = JsonObjectWriter::new()
        .with("sub", &member.subject.id)
        .profile(provider, &member, &scope)
        .roles_and_home(provider, &member, &scope, token.reach.carries_home)
        .actor(token.actor.as_deref());
    Ok(claims.into_response())
}

/// What is wrong with a bearer token (RFC 6750, 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BearerError {
    NoToken,
    InvalidRequest,
    InvalidToken,
}

impl IntoResponse for BearerError {
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
pub(crate) fn bearer(headers: &HeaderMap) -> Result<&str, BearerError> {
    let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
    let authorization = authorizations.next().ok_or(BearerError::NoToken)?;
    if authorizations.next().is_some() {
        return Err(BearerError::InvalidRequest);
    }
    let (scheme, token) = authorization
        .to_str()
        .ok()
        .and_then(|value| value.split_once(' '))
        .ok_or(BearerError::InvalidRequest)?;
    if scheme.eq_ignore_ascii_case("bearer") {
        Ok(token.trim())
    } else {
        Err(BearerError::InvalidRequest)
    }
}
