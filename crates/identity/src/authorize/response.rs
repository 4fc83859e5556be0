//! Sends the browser back to the application, with a code or with an error.

use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, StatusCode, header};
use url::form_urlencoded;

use super::request::AuthorizationRequest;
use crate::Provider;
use crate::token::REFRESH_ABSOLUTE_MS;
use invoicing_storage::StorageError;
use invoicing_storage::secret::{Secret, time_ordered_id};
use invoicing_storage::tokens::{AuthorizationCode, Family, Session};

/// Lifetime of a code (decision 0004).
const CODE_MS: i64 = 60 * 1000;

/// Where answers go: a registered URI and the caller's state.
#[derive(Clone)]
pub(super) struct Redirect {
    pub(super) uri: String,
    pub(super) state: Option<String>,
}

/// Errors that the application hears of (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedirectError {
    /// With what is wrong.
    InvalidRequest(&'static str),
    /// The project audience of another environment: the same code as at the token endpoint (contract, part 1).
    InvalidClient,
    UnsupportedResponseType,
    RequestNotSupported,
    RequestUriNotSupported,
    LoginRequired,
    InteractionRequired,
    AccountSelectionRequired,
    AccessDenied,
}

impl RedirectError {
    const fn code(self) -> &'static str {
        match self {
            Self::InvalidRequest(_) => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::RequestNotSupported => "request_not_supported",
            Self::RequestUriNotSupported => "request_uri_not_supported",
            Self::LoginRequired => "login_required",
            Self::InteractionRequired => "interaction_required",
            Self::AccountSelectionRequired => "account_selection_required",
            Self::AccessDenied => "access_denied",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::InvalidRequest(description) => description,
            Self::InvalidClient => "the project audience belongs to another environment",
            Self::UnsupportedResponseType => "only response_type=code is offered",
            Self::RequestNotSupported | Self::RequestUriNotSupported => {
                "request objects are not supported"
            }
            Self::LoginRequired => "nobody is signed in, or not recently enough",
            Self::InteractionRequired => {
                "a private-use scheme is answered silently only with an id_token_hint"
            }
            Self::AccountSelectionRequired => "several people are signed in with this browser",
            Self::AccessDenied => "the person went back without signing in",
        }
    }
}

impl Redirect {
    /// Whether the address has a scheme of a native application's own, which nobody guards (RFC 8252, 7.1).
    pub(super) fn is_private_use(&self) -> bool {
        !self.uri.starts_with("https:") && !self.uri.starts_with("http:")
    }

    /// Back with an error.
    pub(super) fn error(&self, provider: &Provider, error: RedirectError) -> Response {
        self.to(
            provider,
            &[
                ("error", error.code()),
                ("error_description", error.description()),
            ],
        )
    }

    /// Back with `parameters`, the state, and the issuer (RFC 9207). 303: the browser must not post the password again.
    fn to(&self, provider: &Provider, parameters: &[(&str, &str)]) -> Response {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        if let Some(state) = &self.state {
            query.append_pair("state", state);
        }
        query.append_pair("iss", &provider.issuer);
        let joint = if self.uri.contains('?') { '&' } else { '?' };
        let Ok(mut location) =
            HeaderValue::from_str(&format!("{}{joint}{}", self.uri, query.finish()))
        else {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        };
        location.set_sensitive(true);
        (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
    }
}

/// Back with a code for the person of `session`.
pub(super) async fn with_code(
    provider: &Provider,
    request: &AuthorizationRequest,
    session: &Session,
) -> Result<Response, StorageError> {
    let now = provider.now_ms();
    let code = Secret::time_ordered(now, &*provider.world.randomness);
    let family = Family {
        id: time_ordered_id(now, &*provider.world.randomness),
        client_id: request.application.client_id.clone(),
        subject: session.subject.clone(),
        session_id: Some(session.id.clone()),
        scope: request.scope.joined(),
        authenticated_at: session.authenticated_at,
        expires_at: now + REFRESH_ABSOLUTE_MS,
    };
    let kept = AuthorizationCode {
        hash: code.hash(),
        redirect_uri: request.redirect.uri.clone(),
        code_challenge: request.code_challenge.clone(),
        nonce: request.nonce.clone(),
        expires_at: now + CODE_MS,
    };
    provider.store.insert_authorization(&family, &kept).await?;
    Ok(request.redirect.to(provider, &[("code", code.expose())]))
}
