//! Reads the body of a request whole, bounded in size and time.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

/// Why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It is larger than may be.
    TooLarge,
    /// It did not arrive in time.
    TooSlow,
    /// The caller left in the middle of it.
    EndedEarly,
}

/// All of `body`, if it is of no more than `most` bytes and arrives `within` that time.
///
/// # Errors
/// See [`Unread`].
pub(crate) async fn whole(body: Body, most: usize, within: Duration) -> Result<Bytes, Unread> {
    match tokio::time::timeout(within, Limited::new(body, most).collect()).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Unread::TooLarge),
        Ok(Err(_)) => Err(Unread::EndedEarly),
        Err(_) => Err(Unread::TooSlow),
    }
}
