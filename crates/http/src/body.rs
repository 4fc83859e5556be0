//! Reads a request body, bounded in size and time.

use std::future::{poll_fn, ready};
use std::mem;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use bytes::{Bytes, BytesMut};
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
    let nothing = ready(Ok::<(), BodyError>(()));
    let read = read_reserving(body, max_bytes, timeout, max_bytes, nothing).await;
    read.map(|(bytes, _nothing)| bytes)
}

/// Reads all of `body` as [`read_limited`] does. What comes after its first `small_bytes` is read once `reservation` is ready, whose
/// output is returned too: a caller that must not hold too many bodies reserves room for the largest that this one can be.
///
/// # Errors
/// See [`BodyError`], or `reservation` fails.
pub async fn read_reserving<Reserved, Failure: From<BodyError>>(
    body: Body,
    max_bytes: usize,
    timeout: Duration,
    small_bytes: usize,
    reservation: impl Future<Output = Result<Reserved, Failure>>,
) -> Result<(Bytes, Option<Reserved>), Failure> {
    if body.is_end_stream() {
        return Ok((Bytes::new(), None));
    }
    let body = Limited::new(body, max_bytes);
    let mut reading = pin!(read_parts(body, small_bytes, reservation));
    // Most bodies arrive with the headers and are complete after one wake-up of the connection. Those need no timer.
    if let Some(read) = poll_twice(reading.as_mut()).await {
        return read;
    }
    match tokio::time::timeout(timeout, reading).await {
        Ok(read) => read,
        Err(_elapsed) => Err(BodyError::Timeout.into()),
    }
}

async fn read_parts<Reserved, Failure: From<BodyError>>(
    mut body: Limited<Body>,
    small_bytes: usize,
    reservation: impl Future<Output = Result<Reserved, Failure>>,
) -> Result<(Bytes, Option<Reserved>), Failure> {
    let mut parts = JoinedParts::default();
    while parts.len() <= small_bytes {
        let Some(part) = next_part(&mut body).await? else {
            return Ok((parts.into_bytes(), None));
        };
        parts.push(part);
    }
    let reserved = reservation.await?;
    while let Some(part) = next_part(&mut body).await? {
        parts.push(part);
    }
    Ok((parts.into_bytes(), Some(reserved)))
}

/// The next bytes of a body; `None` at its end.
async fn next_part(body: &mut Limited<Body>) -> Result<Option<Bytes>, BodyError> {
    while let Some(frame) = body.frame().await {
        match frame {
            Ok(frame) => {
                // Trailers are ignored.
                if let Ok(part) = frame.into_data() {
                    return Ok(Some(part));
                }
            }
            Err(error) if error.is::<LengthLimitError>() => return Err(BodyError::TooLarge),
            Err(error) => {
                tracing::debug!(%error, "a request body ended early");
                return Err(BodyError::Incomplete);
            }
        }
    }
    Ok(None)
}

/// What has arrived of a body. A single part is not copied. Further ones are, at once: kept apart, many tiny or empty parts would
/// take many times the memory of their bytes.
#[derive(Default)]
struct JoinedParts {
    /// The first part, until there is another.
    single: Bytes,
    joined: BytesMut,
}

impl JoinedParts {
    fn len(&self) -> usize {
        // One of them is empty.
        self.single.len() + self.joined.len()
    }

    fn push(&mut self, part: Bytes) {
        if self.len() == 0 {
            self.single = part;
        } else {
            self.joined.extend_from_slice(&mem::take(&mut self.single));
            self.joined.extend_from_slice(&part);
        }
    }

    fn into_bytes(self) -> Bytes {
        if self.joined.is_empty() {
            self.single
        } else {
            self.joined.freeze()
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use futures_util::stream;

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(60);

    /// A body of parts of ten bytes.
    fn body(parts: usize) -> Body {
        let parts = (0..parts).map(|_| Ok::<_, BodyError>(Bytes::from_static(b"0123456789")));
        Body::from_stream(stream::iter(parts))
    }

    #[tokio::test]
    async fn body_of_several_parts_is_read_up_to_the_limit_and_no_further() {
        let whole = read_limited(body(3), 30, TIMEOUT).await;
        assert_eq!(whole, Ok(Bytes::from("0123456789".repeat(3))));
        let larger = read_limited(body(3), 29, TIMEOUT).await;
        assert_eq!(larger, Err(BodyError::TooLarge));
        assert_eq!(
            read_limited(Body::empty(), 0, TIMEOUT).await,
            Ok(Bytes::new())
        );
        assert_eq!(read_limited(body(0), 0, TIMEOUT).await, Ok(Bytes::new()));
        let parts = ["", "ab", "", "c", ""].map(|part| Ok::<_, BodyError>(Bytes::from(part)));
        let with_empty_parts = Body::from_stream(stream::iter(parts));
        let read = read_limited(with_empty_parts, 3, TIMEOUT).await;
        assert_eq!(read, Ok(Bytes::from("abc")));
        let never = Body::from_stream(stream::pending::<Result<Bytes, BodyError>>());
        let late = read_limited(never, 30, Duration::ZERO).await;
        assert_eq!(late, Err(BodyError::Timeout));
    }

    #[tokio::test]
    async fn room_is_reserved_only_for_a_body_that_is_not_small() {
        for (parts, is_reserved) in [(0, false), (1, false), (2, true), (3, true)] {
            let asked = AtomicBool::new(false);
            let reservation = async {
                asked.store(true, Ordering::SeqCst);
                Ok::<_, BodyError>("room")
            };
            let read = read_reserving(body(parts), 30, TIMEOUT, 10, reservation).await;
            let (bytes, room) = read.expect("a body");
            assert_eq!(bytes.len(), parts * 10);
            assert_eq!(room, is_reserved.then_some("room"), "{parts} parts");
            assert_eq!(asked.load(Ordering::SeqCst), is_reserved, "{parts} parts");
        }
        let refused = ready(Err::<(), _>(BodyError::Incomplete));
        let read = read_reserving(body(2), 30, TIMEOUT, 10, refused).await;
        assert_eq!(read.err(), Some(BodyError::Incomplete));
    }
}
