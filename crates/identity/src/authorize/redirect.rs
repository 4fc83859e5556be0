//! Redirects to the application with an authorization response (RFC 6749, 4.1.2).

use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, StatusCode, header};
use url::form_urlencoded;

use crate::provider::Provider;
use crate::scope::ForeignAudience;

/// The target of authorization responses: a registered redirect URI and the `state` of the request.
#[derive(Clone)]
pub(super) struct Redirect {
    pub(super) uri: String,
    pub(super) state: Option<String>,
}

/// Errors of the authorization response (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedirectError {
    /// The field is the description.
    InvalidRequest(&'static str),
    /// The project audience belongs to another environment. The token endpoint uses the same code (contract, part 1).
    InvalidClient,
    UnsupportedResponseType,
    RequestNotSupported,
    RequestUriNotSupported,
    LoginRequired,
    InteractionRequired,
    AccountSelectionRequired,
    AccessDenied,
}

impl From<ForeignAudience> for RedirectError {
    fn from(_: ForeignAudience) -> Self {
        Self::InvalidClient
    }
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
