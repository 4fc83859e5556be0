//! The body of a request to the identity provider: a form, and never a large one.

use std::time::Duration;

use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::StatusCode;

use super::oauth_error::{ErrorCode, OAuthError};
use invoicing_http::{BodyError, read_limited};

/// No form that this service reads is longer.
const MOST: usize = 32 * 1024;
/// How long it may take to arrive.
const WITHIN: Duration = Duration::from_secs(10);

/// All of a body.
pub(super) struct FormBody(pub(super) Bytes);

impl<State: Sync> FromRequest<State> for FormBody {
    type Rejection = Response;

    async fn from_request(request: Request, _: &State) -> Result<Self, Response> {
        let read = read_limited(request.into_body(), MOST, WITHIN).await;
        read.map(Self).map_err(|unread| {
            let (status, description) = match unread {
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
