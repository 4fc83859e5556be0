//! The body of a request to the identity provider: a form, and never a large one.

use std::time::Duration;

use axum::extract::{FromRequest, Request};
use bytes::Bytes;

use super::oauth_error::{ErrorCode, OAuthError};
use crate::http::{Unread, whole};

/// No form that this service reads is longer.
const MOST: usize = 32 * 1024;
/// How long it may take to arrive.
const WITHIN: Duration = Duration::from_secs(10);

/// All of a body.
pub(super) struct Content(pub(super) Bytes);

impl<State: Sync> FromRequest<State> for Content {
    type Rejection = OAuthError;

    async fn from_request(request: Request, _: &State) -> Result<Self, OAuthError> {
        let read = whole(request.into_body(), MOST, WITHIN).await;
        read.map(Self).map_err(|unread| {
            let description = match unread {
                Unread::TooLarge => "the body is larger than 32 KiB",
                Unread::TooSlow => "the body did not arrive in time",
                Unread::EndedEarly => "the body ended early",
            };
            OAuthError::new(ErrorCode::InvalidRequest, description)
        })
    }
}
