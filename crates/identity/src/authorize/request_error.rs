//! Errors of the parameters of an authorization request, at the authorization endpoint and where requests are pushed.

use crate::oauth::{ErrorCode, OAuthError};
use crate::scope::ScopeError;

/// Why an authorization request is not valid (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6; RFC 9126, 2.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestError {
    /// The field is the description.
    InvalidRequest(&'static str),
    /// The scope is missing (contract, part 4).
    MissingScope,
    /// The requested scope is refused as a whole.
    Scope(ScopeError),
    UnsupportedResponseType,
    RequestNotSupported,
    RequestUriNotSupported,
}

impl From<ScopeError> for RequestError {
    fn from(error: ScopeError) -> Self {
        Self::Scope(error)
    }
}

impl RequestError {
    /// The value of `error`.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::InvalidRequest(_) => "invalid_request",
            Self::MissingScope | Self::Scope(ScopeError::Organization) => "invalid_scope",
            // The token endpoint uses the same code (contract, part 1).
            Self::Scope(ScopeError::ForeignAudience) => "invalid_client",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::RequestNotSupported => "request_not_supported",
            Self::RequestUriNotSupported => "request_uri_not_supported",
        }
    }

    /// The value of `error_description`.
    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::InvalidRequest(description) => description,
            Self::MissingScope => "scope is missing",
            Self::Scope(ScopeError::Organization) => "the organization cannot be selected here",
            Self::Scope(ScopeError::ForeignAudience) => {
                "the project audience belongs to another environment"
            }
            Self::UnsupportedResponseType => "only response_type=code is offered",
            Self::RequestNotSupported | Self::RequestUriNotSupported => {
                "request objects are not supported"
            }
        }
    }
}

/// The error where a request is pushed (RFC 9126, 2.3).
impl From<RequestError> for OAuthError {
    fn from(error: RequestError) -> Self {
        let code = match error {
            RequestError::Scope(error) => return error.into(),
            // A pushed request names no other request (RFC 9126, 2.1).
            RequestError::InvalidRequest(_) | RequestError::RequestUriNotSupported => {
                ErrorCode::InvalidRequest
            }
            RequestError::MissingScope => ErrorCode::InvalidScope,
            RequestError::UnsupportedResponseType => ErrorCode::UnsupportedResponseType,
            RequestError::RequestNotSupported => ErrorCode::RequestNotSupported,
        };
        Self::new(code, error.description())
    }
}
