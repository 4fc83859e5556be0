//! Reads request bodies of `application/x-www-form-urlencoded`, with a limit of size and time.

use std::time::Duration;

use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use invoicing_http::{BodyError, read_limited};

use super::error::{ErrorCode, OAuthError};
use super::parameters::Parameters;

/// Maximum size of a body in bytes. No form of this service is larger.
const MAX_BODY_BYTES: usize = 32 * 1024;
/// Maximum time for a body to arrive.
const READ_TIMEOUT: Duration = Duration::from_secs(10);

/// The complete body of a request.
pub(crate) struct FormBody(pub(crate) Bytes);

impl<State: Sync> FromRequest<State> for FormBody {
    type Rejection = Response;

    async fn from_request(request: Request, _: &State) -> Result<Self, Response> {
        let body = read_limited(request.into_body(), MAX_BODY_BYTES, READ_TIMEOUT).await;
        body.map(Self).map_err(|error| {
            let (status, description) = match error {
                BodyError::TooLarge => (
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "the body is larger than 32 KiB",
                ),
                BodyError::Timeout => (
                    StatusCode::REQUEST_TIMEOUT,
                    "the body did not arrive in time",
                ),
                BodyError::Incomplete => (StatusCode::BAD_REQUEST, "the body ended early"),
            };
            let error = OAuthError::new(ErrorCode::InvalidRequest, description);
            (status, error).into_response()
        })
    }
}

/// Parses the form of a POST. Parameters in the query are rejected, since URLs are logged (RFC 6749, 2.3.1).
pub(crate) fn parse_form(
    query: Option<&str>,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Parameters, OAuthError> {
    let invalid = |description| OAuthError::new(ErrorCode::InvalidRequest, description);
    if query.is_some_and(|query| !query.is_empty()) {
        return Err(invalid("parameters belong in the body, not in the address"));
    }
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(invalid(
            "the body must be application/x-www-form-urlencoded",
        ));
    }
    Ok(Parameters::parse(body)?)
}
