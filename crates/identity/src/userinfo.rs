//! GET and POST /oidc/v1/userinfo: who a bearer token stands for (contract, part 2; OpenID Connect Core, 5.3).

use invoicing_contract::SubjectId;
use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use url::form_urlencoded;

use super::Provider;
use super::form_body::FormBody;
use super::json_object::JsonObjectWriter;
use super::scope::Scope;
use invoicing_http::{BearerError, BearerPolicy, bearer_token};
use invoicing_storage::StorageError;
use invoicing_storage::tokens::Bearer;

/// GET and POST /oidc/v1/userinfo
pub(super) async fn userinfo(
    State(provider): State<Arc<Provider>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    let token = match bearer(&headers) {
        // Two tokens could be two people: a caller uses one method (RFC 6750, 2).
        Ok(_) if names_a_token(query.unwrap_or_default().as_bytes()) || names_a_token(&body) => {
            return Problem::InvalidRequest.into_response();
        }
        Ok(token) => token,
        Err(problem) => return problem.into_response(),
    };
    match answer(&provider, token).await {
        Ok(answer) => answer,
        Err(error) => super::oauth_error::OAuthError::from(error).into_response(),
    }
}

fn names_a_token(encoded: &[u8]) -> bool {
    form_urlencoded::parse(encoded).any(|(name, _)| name == "access_token")
}

/// Who a token stands for (OpenID Connect Core, 5.3.2).
async fn answer(provider: &Provider, token: &str) -> Result<Response, StorageError> {
    let Some(Bearer { token, member, .. }) = provider.bearer(token).await? else {
        return Ok(Problem::InvalidToken.into_response());
    };
    let scope = Scope::stored(&token.authorization.scope);
    let claims = JsonObjectWriter::new()
        .with("sub", &member.subject.id)
        .profile(provider, &member, &scope)
        .roles_and_home(provider, &member, &scope, token.authorization.carries_home)
        .actor(token.actor.as_ref().map(SubjectId::as_str));
    Ok(claims.into_response())
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

/// The bearer token of a request. Text in another form than a token is looked up too, and is an invalid token then.
pub(super) fn bearer(headers: &HeaderMap) -> Result<&str, Problem> {
    bearer_token(headers, BearerPolicy::Lenient).map_err(|error| match error {
        BearerError::Missing => Problem::NoToken,
        BearerError::Malformed => Problem::InvalidRequest,
    })
}
