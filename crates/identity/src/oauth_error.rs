//! Errors of the endpoints that programs call, in the shape of RFC 6749, section 5.2.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

use super::parameters::Duplicate;
use invoicing_http::metrics::OAuthErrorCode;
use invoicing_storage::StorageError;

/// An error and what a developer should know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OAuthError {
    code: ErrorCode,
    description: &'static str,
    /// 401 with a challenge.
    challenged: bool,
    /// 429: seconds to wait.
    wait: Option<i64>,
}

/// The codes that this service gives (RFC 6749, 5.2).
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
    /// Not in 5.2, which has no code for it: storage does not answer.
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
            Self::TemporarilyUnavailable => "temporarily_unavailable",
        }
    }
}

impl OAuthError {
    /// `description` is for developers and says nothing that the caller did not send.
    pub(crate) const fn new(code: ErrorCode, description: &'static str) -> Self {
        Self {
            code,
            description,
            challenged: false,
            wait: None,
        }
    }

    /// invalid_client for a caller that tried HTTP Basic: 401 with a challenge.
    pub(crate) const fn invalid_client(description: &'static str, basic: bool) -> Self {
        let mut error = Self::new(ErrorCode::InvalidClient, description);
        error.challenged = basic;
        error
    }

    /// For whoever tries too often: 429, since 5.2 has no code for it.
    pub(crate) const fn too_many_requests(seconds: i64) -> Self {
        let mut error = Self::new(
            ErrorCode::TemporarilyUnavailable,
            "too many tries; wait before the next",
        );
        error.wait = Some(seconds);
        error
    }

    /// The same, with 401 and a challenge if the application did not authenticate (RFC 7662, 2.3).
    pub(crate) const fn with_challenge(mut self) -> Self {
        self.challenged = matches!(self.code, ErrorCode::InvalidClient);
        self
    }
}

impl From<Duplicate> for OAuthError {
    fn from(_: Duplicate) -> Self {
        Self::new(
            ErrorCode::InvalidRequest,
            "a parameter occurs more than once",
        )
    }
}

impl From<StorageError> for OAuthError {
    fn from(error: StorageError) -> Self {
        tracing::error!(%error, "storage did not answer");
        Self::new(ErrorCode::TemporarilyUnavailable, "try again in a moment")
    }
}

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let status = match self.code {
            ErrorCode::TemporarilyUnavailable if self.wait.is_some() => {
                StatusCode::TOO_MANY_REQUESTS
            }
            ErrorCode::TemporarilyUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            ErrorCode::InvalidClient if self.challenged => StatusCode::UNAUTHORIZED,
            ErrorCode::InvalidRequest
            | ErrorCode::InvalidClient
            | ErrorCode::InvalidGrant
            | ErrorCode::UnauthorizedClient
            | ErrorCode::UnsupportedGrantType
            | ErrorCode::InvalidScope
            | ErrorCode::UnsupportedTokenType => StatusCode::BAD_REQUEST,
        };
        let body = json!({"error": self.code.name(), "error_description": self.description});
        let mut response = (status, Json(body)).into_response();
        response
            .extensions_mut()
            .insert(OAuthErrorCode(self.code.name()));
        if status == StatusCode::UNAUTHORIZED {
            let challenge =
                HeaderValue::from_static("Basic realm=\"token endpoint\", charset=\"UTF-8\"");
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, challenge);
        }
        if self.code == ErrorCode::TemporarilyUnavailable {
            let seconds = HeaderValue::from(self.wait.unwrap_or(1));
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}
