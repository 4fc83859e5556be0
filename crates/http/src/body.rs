//! Reads the body of a request whole, bounded in size and time.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};

/// Why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
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
pub async fn whole(body: Body, most: usize, within: Duration) -> Result<Bytes, Unread> {
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    let mut reading = pin!(Limited::new(body, most).collect());
    // Mostly it has arrived with the headers and is handed over as soon as somebody has asked for it: a moment later, for
    // which no clock is set.
    let collected = match at_once(reading.as_mut()).await {
        Some(collected) => collected,
        None => tokio::time::timeout(within, reading)
            .await
            .map_err(|_| Unread::TooSlow)?,
    };
    match collected {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Unread::TooLarge),
        Err(_) => Err(Unread::EndedEarly),
    }
}

/// What `future` gives when it is asked, or asked once more.
async fn at_once<Output>(mut future: Pin<&mut impl Future<Output = Output>>) -> Option<Output> {
    let mut asked = false;
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending if asked => Poll::Ready(None),
        Poll::Pending => {
            asked = true;
            context.waker().wake_by_ref();
            Poll::Pending
        }
    })
    .await
}
