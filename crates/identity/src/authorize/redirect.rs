//! Redirects to the application with an authorization response (RFC 6749, 4.1.2).

use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, StatusCode, header};
use url::form_urlencoded;

use super::request_error::RequestError;
use crate::oauth::is_claimed_https;
use crate::provider::Provider;

/// The target of authorization responses: a registered redirect URI and the `state` of the request.
#[derive(Clone)]
pub(super) struct Redirect {
    pub(super) uri: String,
    pub(super) state: Option<String>,
}

/// Errors of the authorization response (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedirectError {
    /// The request is not valid.
    Request(RequestError),
    /// The pushed request was used or has expired (RFC 9101, 7).
    InvalidRequestUri,
    LoginRequired,
    InteractionRequired,
    AccountSelectionRequired,
    AccessDenied,
}

impl From<RequestError> for RedirectError {
    fn from(error: RequestError) -> Self {
        Self::Request(error)
    }
}

impl RedirectError {
    const fn code(self) -> &'static str {
        match self {
            Self::Request(error) => error.code(),
            Self::InvalidRequestUri => "invalid_request_uri",
            Self::LoginRequired => "login_required",
            Self::InteractionRequired => "interaction_required",
            Self::AccountSelectionRequired => "account_selection_required",
            Self::AccessDenied => "access_denied",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Request(error) => error.description(),
            Self::InvalidRequestUri => "the pushed request was used, or it has expired",
            Self::LoginRequired => "nobody is signed in, or not recently enough",
            Self::InteractionRequired => {
                "a public application gets no code at this address unless the person confirms it"
            }
            Self::AccountSelectionRequired => "several people are signed in with this browser",
            Self::AccessDenied => "the person went back without signing in",
        }
    }
}

impl Redirect {
    /// Whether only the application can receive the response: no other program on the computer can claim the address
    /// (RFC 8252, 7.2 and 8.6).
    pub(super) fn is_claimed(&self) -> bool {
        is_claimed_https(&self.uri)
    }

    /// A redirect with an error.
    pub(super) fn error(&self, provider: &Provider, error: RedirectError) -> Response {
        self.with_parameters(
            provider,
            &[
                ("error", error.code()),
                ("error_description", error.description()),
            ],
        )
    }

    /// A redirect with `code`.
    pub(super) fn code(&self, provider: &Provider, code: &str) -> Response {
        self.with_parameters(provider, &[("code", code)])
    }

    /// A redirect with `parameters`, the state and the issuer (RFC 9207). The status is 303, so that the browser does not
    /// repeat the POST with the password.
    fn with_parameters(&self, provider: &Provider, parameters: &[(&str, &str)]) -> Response {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters);
        if let Some(state) = &self.state {
            query.append_pair("state", state);
        }
        query.append_pair("iss", &provider.issuer);
        let separator = if self.uri.contains('?') { '&' } else { '?' };
        let Ok(mut location) =
            HeaderValue::from_str(&format!("{}{separator}{}", self.uri, query.finish()))
        else {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        };
        location.set_sensitive(true);
        (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
    }
}
