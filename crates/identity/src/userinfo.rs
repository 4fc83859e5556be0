//! GET and POST /oidc/v1/userinfo: the claims about the subject of an access token (contract, part 2; OpenID Connect Core,
//! 5.3).

use std::net::IpAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use invoicing_http::{BearerError, BearerPolicy, Peer, bearer_token};
use url::form_urlencoded;

use crate::json_object::JsonObjectWriter;
use crate::oauth::{FormBody, OAuthError};
use crate::provider::Provider;
use crate::scope::Scope;
use invoicing_storage::tokens::Bearer;

/// GET and POST /oidc/v1/userinfo
pub(crate) async fn userinfo(
    State(provider): State<Arc<Provider>>,
    Extension(peer): Extension<Peer>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    FormBody(body): FormBody,
) -> Response {
    let address = peer.client_address(&headers, &provider.proxies);
    let token = match bearer(&headers) {
        // A client must use one method only, since two tokens could have different subjects (RFC 6750, 2).
        Ok(_)
            if has_access_token_parameter(query.unwrap_or_default().as_bytes())
                || has_access_token_parameter(&body) =>
        {
            return refuse(&provider, address, BearerChallenge::InvalidRequest);
        }
        Ok(token) => token,
        Err(challenge) => return refuse(&provider, address, challenge),
    };
    match respond(&provider, token, address).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

/// Counts a request without a valid token. Returns `challenge`, or 429 if the limit is reached (decision 0092).
fn refuse(provider: &Provider, address: IpAddr, challenge: BearerChallenge) -> Response {
    let (limits, now) = (&provider.request_limits, provider.monotonic());
    match limits.admit_failure(address, now) {
        Ok(()) => challenge.into_response(),
        Err(exceeded) => OAuthError::from(exceeded).into_response(),
    }
}

fn has_access_token_parameter(encoded: &[u8]) -> bool {
    form_urlencoded::parse(encoded).any(|(name, _)| name == "access_token")
}

/// The claims about the subject of `token` (OpenID Connect Core, 5.3.2).
async fn respond(
    provider: &Provider,
    token: &str,
    address: IpAddr,
) -> Result<Response, OAuthError> {
    let Some(Bearer { token, member, .. }) = provider.resolve_bearer(token).await? else {
        return Ok(refuse(provider, address, BearerChallenge::InvalidToken));
    };
    let client_id = &token.authorization.client_id;
    let (limits, now) = (&provider.request_limits, provider.monotonic());
    limits.admit_bearer(client_id, address, now)?;
    let scope = Scope::from_stored(&token.authorization.scope);
    let claims = JsonObjectWriter::new()
        .with("sub", &member.subject.id)
        .profile(provider, &member, &scope)
        .roles_and_home(provider, &member, &scope, token.authorization.carries_home)
        .actor(token.actor.as_ref().map(|actor| actor.subject.as_str()));
    Ok(claims.into_response())
}

/// An error response with a challenge (RFC 6750, 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BearerChallenge {
    NoToken,
    InvalidRequest,
    InvalidToken,
}

impl IntoResponse for BearerChallenge {
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

/// The bearer token of a request. A token in an unknown form is looked up too, and is then an invalid token.
pub(crate) fn bearer(headers: &HeaderMap) -> Result<&str, BearerChallenge> {
    bearer_token(headers, BearerPolicy::Lenient).map_err(|error| match error {
        BearerError::Missing => BearerChallenge::NoToken,
        BearerError::Malformed => BearerChallenge::InvalidRequest,
    })
}
