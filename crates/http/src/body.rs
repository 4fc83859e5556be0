//! Reads a request body, bounded in size and time.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

/// Why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It exceeds the size limit.
    #[error("the body is too large")]
    TooLarge,
    /// It did not arrive within the time limit.
    #[error("the body did not arrive in time")]
    Timeout,
    /// The connection ended before the end of the body.
    #[error("the body ended early")]
    Incomplete,
}

/// Reads all of `body`: at most `max_bytes`, within `timeout`.
///
/// # Errors
/// See [`BodyError`].
pub async fn read_limited(
    body: Body,
    max_bytes: usize,
    timeout: Duration,
) -> Result<Bytes, BodyError> {
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    let mut reading = pin!(Limited::new(body, max_bytes).collect());
    // Most bodies arrive with the headers and are complete after one wake-up of the connection. Those need no timer.
    let collected = match poll_twice(reading.as_mut()).await {
        Some(collected) => collected,
        None => tokio::time::timeout(timeout, reading)
            .await
            .map_err(|_elapsed| BodyError::Timeout)?,
    };
    match collected {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(BodyError::TooLarge),
        Err(error) => {
            tracing::debug!(%error, "a request body ended early");
            Err(BodyError::Incomplete)
        }
    }
}

/// `body`, which ends with an error after `max_bytes`: for a handler that takes a stream of messages, which may have no end.
pub fn limit_size(body: Body, max_bytes: usize) -> Body {
    Body::new(Limited::new(body, max_bytes))
}

/// The output of `future` if it is ready at the first or the second poll.
async fn poll_twice<Output>(mut future: Pin<&mut impl Future<Output = Output>>) -> Option<Output> {
    let mut polled = false;
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending if polled => Poll::Ready(None),
        Poll::Pending => {
            polled = true;
            context.waker().wake_by_ref();
            Poll::Pending
        }
    })
    .await
}
