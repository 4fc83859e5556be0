//! Error responses in the form of RFC 6749, section 5.2.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

use super::parameters::ParameterError;
use crate::keys::SigningError;
use crate::limits::LimitExceeded;
use crate::scope::ScopeError;
use invoicing_http::metrics::OAuthErrorCode;
use invoicing_storage::StorageError;

/// An OAuth error response.
#[derive(Debug, Clone)]
pub(crate) struct OAuthError {
    code: ErrorCode,
    description: &'static str,
    /// The status is 401 with a WWW-Authenticate challenge.
    challenged: bool,
    /// The status is 429 with this Retry-After, in seconds.
    retry_after: Option<i64>,
    /// Why the service failed. It is logged when the response is sent: an attempt that is repeated is no failure.
    cause: Option<StorageError>,
}

/// The error codes of this service (RFC 6749, 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorCode {
    InvalidRequest,
    InvalidClient,
    InvalidGrant,
    UnauthorizedClient,
    UnsupportedGrantType,
    InvalidScope,
    /// RFC 7009, 2.2.1.
    UnsupportedTokenType,
    /// A pushed authorization request (RFC 9126, 2.3).
    UnsupportedResponseType,
    /// A pushed authorization request (OpenID Connect Core, 3.1.2.6).
    RequestNotSupported,
    /// The access token of a request is invalid (RFC 6750, 3.1).
    InvalidToken,
    /// Storage is unavailable. RFC 6749 defines this code for the authorization endpoint only (4.1.2.1).
    TemporarilyUnavailable,
}

impl ErrorCode {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::InvalidScope => "invalid_scope",
            Self::UnsupportedTokenType => "unsupported_token_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::RequestNotSupported => "request_not_supported",
            Self::InvalidToken => "invalid_token",
            Self::TemporarilyUnavailable => "temporarily_unavailable",
        }
    }
}

impl OAuthError {
    /// An error with a description for developers. It must not disclose anything that the client did not send.
    pub(crate) const fn new(code: ErrorCode, description: &'static str) -> Self {
        Self {
            code,
            description,
            challenged: false,
            retry_after: None,
            cause: None,
        }
    }

    /// Why the service failed.
    pub(crate) const fn cause(&self) -> Option<&StorageError> {
        self.cause.as_ref()
    }

    /// invalid_client; with 401 and a challenge if the client used HTTP Basic.
    pub(crate) const fn invalid_client(description: &'static str, basic: bool) -> Self {
        let mut error = Self::new(ErrorCode::InvalidClient, description);
        error.challenged = basic;
        error
    }

    /// 429 Too Many Requests, for which RFC 6749 has no error code (decision 0092).
    pub(crate) const fn too_many_requests(seconds: i64) -> Self {
        let mut error = Self::new(
            ErrorCode::TemporarilyUnavailable,
            "too many requests; wait before the next",
        );
        error.retry_after = Some(seconds);
        error
    }

    /// The same error, with 401 and a challenge if it is invalid_client (RFC 7662, 2.3).
    pub(crate) const fn with_challenge(mut self) -> Self {
        self.challenged = matches!(self.code, ErrorCode::InvalidClient);
        self
    }
}

impl From<LimitExceeded> for OAuthError {
    fn from(exceeded: LimitExceeded) -> Self {
        Self::too_many_requests(exceeded.retry_after_seconds())
    }
}

impl From<ParameterError> for OAuthError {
    fn from(error: ParameterError) -> Self {
        let description = match error {
            ParameterError::Repeated(_) => "a parameter occurs more than once",
            ParameterError::NullCharacter => "a parameter contains U+0000",
        };
        Self::new(ErrorCode::InvalidRequest, description)
    }
}

impl From<ScopeError> for OAuthError {
    fn from(error: ScopeError) -> Self {
        match error {
            ScopeError::ForeignAudience => Self::new(
                ErrorCode::InvalidClient,
                "the project audience belongs to another environment",
            ),
            ScopeError::Organization => Self::new(
                ErrorCode::InvalidScope,
                "the organization cannot be selected here",
            ),
        }
    }
}

impl From<SigningError> for OAuthError {
    fn from(error: SigningError) -> Self {
        tracing::error!(%error, "no id_token");
        Self::new(ErrorCode::TemporarilyUnavailable, "try again in a moment")
    }
}

impl From<StorageError> for OAuthError {
    fn from(error: StorageError) -> Self {
        Self {
            cause: Some(error),
            ..Self::new(ErrorCode::TemporarilyUnavailable, "try again in a moment")
        }
    }
}

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        if let Some(error) = &self.cause {
            tracing::error!(error = error as &dyn std::error::Error, "storage failed");
        }
        let status = match self.code {
            ErrorCode::TemporarilyUnavailable if self.retry_after.is_some() => {
                StatusCode::TOO_MANY_REQUESTS
            }
            ErrorCode::TemporarilyUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            ErrorCode::InvalidClient if self.challenged => StatusCode::UNAUTHORIZED,
            ErrorCode::InvalidToken => StatusCode::UNAUTHORIZED,
            ErrorCode::InvalidRequest
            | ErrorCode::InvalidClient
            | ErrorCode::InvalidGrant
            | ErrorCode::UnauthorizedClient
            | ErrorCode::UnsupportedGrantType
            | ErrorCode::InvalidScope
            | ErrorCode::UnsupportedTokenType
            | ErrorCode::UnsupportedResponseType
            | ErrorCode::RequestNotSupported => StatusCode::BAD_REQUEST,
        };
        let body = json!({"error": self.code.name(), "error_description": self.description});
        let mut response = (status, Json(body)).into_response();
        response
            .extensions_mut()
            .insert(OAuthErrorCode(self.code.name()));
        if status == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static(if self.code == ErrorCode::InvalidToken {
                "Bearer error=\"invalid_token\""
            } else {
                "Basic realm=\"token endpoint\", charset=\"UTF-8\""
            });
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, challenge);
        }
        if self.code == ErrorCode::TemporarilyUnavailable {
            let seconds = HeaderValue::from(self.retry_after.unwrap_or(1));
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}
