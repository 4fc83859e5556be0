//! Bodies of requests and responses that take part in the limits of a connection.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::time::Sleep;

use super::activity::{Activity, Stage};

/// Bytes of a body that are received although no handler reads them.
const UNREAD_LIMIT: usize = 64 * 1024;
/// How long that may take.
const UNREAD_TIMEOUT: Duration = Duration::from_secs(1);

/// A request body did not arrive within the time limit.
#[derive(Debug, thiserror::Error)]
#[error("the body did not arrive in time")]
pub(super) struct BodyTimeout;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A request body that has to arrive within a time limit, for handlers that have none: tonic waits for a message for ever.
///
/// What the handler leaves unread of a body over HTTP/2 is still received, as far as it is short. Otherwise the stream would be
/// reset after the response (RFC 9113, section 8.1), for which some proxies end the connection of their client.
pub(super) struct RequestBody {
    incoming: Option<Incoming>,
    http_2: bool,
    timeout: Duration,
    polled: bool,
    /// `None` until the body is known to be late.
    timer: Option<Pin<Box<Sleep>>>,
}

impl RequestBody {
    pub(super) const fn new(incoming: Incoming, timeout: Duration, http_2: bool) -> Self {
        Self {
            incoming: Some(incoming),
            http_2,
            timeout,
            polled: false,
            timer: None,
        }
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let Some(incoming) = &mut self.incoming else {
            return Poll::Ready(None);
        };
        if let Poll::Ready(frame) = Pin::new(incoming).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        // Most bodies arrive with the head and are complete after one wake-up of the connection. Those need no timer.
        if !self.polled {
            self.polled = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let timeout = self.timeout;
        let timer = self
            .timer
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(timeout)));
        match timer.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Some(Err(BodyTimeout.into()))),
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.as_ref().is_none_or(Incoming::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let hint = self.incoming.as_ref().map(Incoming::size_hint);
        hint.unwrap_or_else(|| SizeHint::with_exact(0))
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        let Some(incoming) = self.incoming.take() else {
            return;
        };
        if self.http_2 && !incoming.is_end_stream() {
            tokio::spawn(tokio::time::timeout(UNREAD_TIMEOUT, receive(incoming)));
        }
    }
}

/// Receives the rest of a body, up to [`UNREAD_LIMIT`].
async fn receive(mut incoming: Incoming) {
    let mut received = 0;
    while let Some(Ok(frame)) = incoming.frame().await {
        received += frame.data_ref().map_or(0, Bytes::len);
        if received > UNREAD_LIMIT || incoming.is_end_stream() {
            return;
        }
    }
}

/// A request in progress: until its response is delivered, or dropped.
pub(super) struct RequestInProgress {
    activity: Arc<Activity>,
    stage: Stage,
}

impl RequestInProgress {
    /// `None` if the connection is being closed.
    pub(super) fn start(activity: &Arc<Activity>, http_2: bool) -> Option<Self> {
        activity.start_request(http_2).then(|| Self {
            activity: activity.clone(),
            stage: Stage::Handled,
        })
    }

    fn set_stage(&mut self, stage: Stage) {
        match (self.stage, stage) {
            (Stage::Handled, Stage::Delivered) => self.activity.begin_response(),
            (Stage::Delivered, Stage::Delivered) => self.activity.note_progress(),
            (Stage::Delivered, Stage::Waiting) => self.activity.begin_waiting(),
            (Stage::Waiting, Stage::Delivered) => self.activity.end_waiting(),
            (_, Stage::Handled | Stage::Waiting) => return,
        }
        self.stage = stage;
    }
}

impl Drop for RequestInProgress {
    fn drop(&mut self) {
        self.activity.end_request(self.stage);
    }
}

/// A response body whose request is in progress until the connection has taken it.
pub(super) struct ResponseBody {
    inner: Body,
    request: RequestInProgress,
    /// What remains of the last frame.
    rest: Bytes,
    /// HTTP/2 accepts a frame of any size as soon as the client has room for a byte. Small frames are accepted when the client
    /// has taken those before.
    frame_limit: usize,
}

impl ResponseBody {
    pub(super) fn new(inner: Body, mut request: RequestInProgress, http_2: bool) -> Self {
        const HTTP_2_FRAME_LIMIT: usize = 64 * 1024;
        request.set_stage(Stage::Delivered);
        Self {
            inner,
            request,
            rest: Bytes::new(),
            frame_limit: if http_2 {
                HTTP_2_FRAME_LIMIT
            } else {
                usize::MAX
            },
        }
    }
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let mut data = std::mem::take(&mut self.rest);
        if data.is_empty() {
            let Poll::Ready(frame) = Pin::new(&mut self.inner).poll_frame(context) else {
                self.request.set_stage(Stage::Waiting);
                return Poll::Pending;
            };
            let Some(Ok(frame)) = frame else {
                return Poll::Ready(frame);
            };
            match frame.into_data() {
                Ok(bytes) => data = bytes,
                Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
            }
        }
        if data.len() > self.frame_limit {
            self.rest = data.split_off(self.frame_limit);
        }
        if !self.is_end_stream() {
            self.request.set_stage(Stage::Delivered);
        }
        Poll::Ready(Some(Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = self.inner.size_hint();
        let rest = u64::try_from(self.rest.len()).unwrap_or(u64::MAX);
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint.set_lower(hint.lower().saturating_add(rest));
        hint
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;
    use invoicing_storage::AdjustableClock;

    use super::super::stopwatch::Stopwatch;
    use super::*;

    fn request() -> (Arc<Activity>, RequestInProgress) {
        let clock = Arc::new(AdjustableClock::default());
        let activity = Arc::new(Activity::new(Arc::new(Stopwatch::start(clock))));
        let request = RequestInProgress::start(&activity, true).expect("it is open");
        (activity, request)
    }

    #[tokio::test]
    async fn request_is_in_progress_until_http_2_has_taken_the_last_part_of_its_response() {
        let content = Bytes::from(vec![7; 200_000]);
        let (activity, request) = request();
        let mut body = ResponseBody::new(Body::from(content.clone()), request, true);
        assert_eq!(body.size_hint().exact(), Some(200_000));
        let mut taken = Vec::new();
        while let Some(frame) = body.frame().await {
            assert!(activity.idle_since().is_none(), "{} bytes", taken.len());
            let data = frame.unwrap().into_data().unwrap();
            assert!(data.len() <= 64 * 1024);
            taken.extend(data);
            let rest = u64::try_from(content.len() - taken.len()).unwrap();
            assert_eq!(body.size_hint().exact(), Some(rest));
        }
        assert_eq!(taken, content);
        assert!(body.is_end_stream());
        drop(body);
        assert!(activity.idle_since().is_some());
    }

    #[test]
    fn dropped_request_and_dropped_response_are_not_in_progress() {
        let (activity, first) = request();
        assert!(activity.idle_since().is_none());
        drop(first);
        assert!(activity.idle_since().is_some());
        let second = RequestInProgress::start(&activity, true).expect("it is open");
        let response = ResponseBody::new(Body::from("content"), second, true);
        assert!(activity.idle_since().is_none());
        drop(response);
        assert!(activity.idle_since().is_some());
    }
}
