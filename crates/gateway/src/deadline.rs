//! The deadline of a gRPC call: the header `grpc-timeout` (gRPC over HTTP/2, "Requests").

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use http::HeaderMap;
use http_body::{Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use crate::gateway_error::{GatewayError, deadline_exceeded, status_trailers};

/// How long a caller waits for the answer, from when it is made.
#[derive(Debug)]
pub(crate) struct Deadline(Option<Pin<Box<Sleep>>>);

impl Deadline {
    /// The time in `grpc-timeout`. A value that is not of the standard is no deadline.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        Self::after(grpc_timeout(headers))
    }

    fn after(time: Option<Duration>) -> Self {
        Self(time.map(|time| Box::pin(sleep(time))))
    }

    /// The outcome of `work`, which is cancelled at the deadline. A transaction that has not been committed by then is rolled
    /// back, so a write is whole or not done.
    ///
    /// # Errors
    /// DEADLINE_EXCEEDED, or what `work` returns.
    pub(crate) async fn limit<Output>(
        &mut self,
        work: impl Future<Output = Result<Output, GatewayError>>,
    ) -> Result<Output, GatewayError> {
        let Some(passed) = &mut self.0 else {
            return work.await;
        };
        tokio::select! {
            biased;
            output = work => output,
            () = passed => Err(GatewayError::deadline_exceeded()),
        }
    }

    /// The body of the answer, which ends at the deadline with DEADLINE_EXCEEDED in its trailers: that of a stream is made while
    /// it is sent.
    pub(crate) fn limit_body(self, body: Body) -> Body {
        match self.0 {
            None => body,
            Some(passed) => Body::new(LimitedBody {
                inner: Some(body),
                passed,
            }),
        }
    }
}

/// A body that ends at a deadline.
struct LimitedBody {
    /// `None` once it has ended.
    inner: Option<Body>,
    passed: Pin<Box<Sleep>>,
}

impl HttpBody for LimitedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        let Some(inner) = &mut this.inner else {
            return Poll::Ready(None);
        };
        // First: a stream that always has a next message must end too.
        if this.passed.as_mut().poll(context).is_ready() {
            this.inner = None;
            let trailers = status_trailers(deadline_exceeded());
            return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
        }
        let frame = ready!(Pin::new(inner).poll_frame(context));
        let is_last = match &frame {
            Some(Ok(frame)) => frame.is_trailers(),
            Some(Err(_)) | None => true,
        };
        if is_last {
            this.inner = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let inner = self.inner.as_ref().map(HttpBody::size_hint);
        inner.unwrap_or_else(|| SizeHint::with_exact(0))
    }
}

/// The time in `grpc-timeout`; `None` without one, or if its value is not of the standard.
pub(crate) fn grpc_timeout(headers: &HeaderMap) -> Option<Duration> {
    parse_timeout(headers.get("grpc-timeout")?.to_str().ok()?)
}

/// `TimeoutValue TimeoutUnit`: at most eight digits, then one letter.
fn parse_timeout(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(value * 60 * 60),
        "M" => Duration::from_secs(value * 60),
        "S" => Duration::from_secs(value),
        "m" => Duration::from_millis(value),
        "u" => Duration::from_micros(value),
        "n" => Duration::from_nanos(value),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use futures_util::stream;
    use tokio::sync::oneshot;

    use super::*;

    #[test]
    fn timeout_has_at_most_eight_digits_and_a_unit() {
        assert_eq!(parse_timeout("2H"), Some(Duration::from_secs(7_200)));
        assert_eq!(parse_timeout("100m"), Some(Duration::from_millis(100)));
        let most = Duration::from_nanos(99_999_999);
        assert_eq!(parse_timeout("99999999n"), Some(most));
        for wrong in [
            "",
            "S",
            "123456789S",
            "1",
            "-1S",
            "+1S",
            "1s",
            "1.5S",
            "1 S",
            "١S",
        ] {
            assert_eq!(parse_timeout(wrong), None, "{wrong:?}");
        }
    }

    #[tokio::test]
    async fn work_is_cancelled_at_the_deadline() {
        let deadline = |time| Deadline::after(Some(time));
        let never = std::future::pending::<Result<(), _>>();
        let late = deadline(Duration::ZERO).limit(never).await;
        let Err(GatewayError::Status { status, .. }) = late else {
            panic!("the work never ends");
        };
        assert_eq!(status.reason(), Some("DEADLINE_EXCEEDED"));
        let mut later = deadline(Duration::from_secs(60));
        assert!(later.limit(async { Ok(()) }).await.is_ok());
        let mut never = Deadline::after(None);
        assert!(never.limit(async { Ok(()) }).await.is_ok());
    }

    async fn next_frame(body: &mut Body) -> Option<Frame<Bytes>> {
        let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await;
        frame.map(|frame| frame.expect("no error"))
    }

    #[tokio::test]
    async fn body_without_end_ends_at_the_deadline_with_a_status() {
        let (held, dropped) = oneshot::channel::<()>();
        let endless = stream::repeat_with(move || {
            let _ = &held;
            Ok::<_, axum::Error>(Bytes::from_static(b"a chunk"))
        });
        let mut body = Deadline::after(Some(Duration::ZERO)).limit_body(Body::from_stream(endless));
        let mut frame = next_frame(&mut body).await.expect("a frame");
        while frame.is_data() {
            // As a connection does between frames; timers advance then.
            tokio::task::yield_now().await;
            frame = next_frame(&mut body).await.expect("a frame");
        }
        let trailers = frame.into_trailers().expect("the last frame");
        assert_eq!(trailers["grpc-status"], "4");
        dropped.await.expect_err("the work is cancelled");
        assert!(body.is_end_stream());
        assert!(next_frame(&mut body).await.is_none());
    }

    #[tokio::test]
    async fn body_that_ends_before_the_deadline_is_unchanged() {
        for deadline in [Some(Duration::from_secs(60)), None] {
            let mut body = Deadline::after(deadline).limit_body(Body::from("a message"));
            assert_eq!(body.size_hint().exact(), Some(9), "{deadline:?}");
            let frame = next_frame(&mut body).await.expect("a frame");
            assert_eq!(frame.into_data().ok(), Some(Bytes::from("a message")));
            assert!(next_frame(&mut body).await.is_none(), "{deadline:?}");
        }
    }
}
