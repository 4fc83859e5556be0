//! Bodies of requests and responses that take part in the limits of a connection.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use tokio::time::Sleep;

use super::activity::{Activity, Stage};

/// A request body did not arrive within the time limit.
#[derive(Debug, thiserror::Error)]
#[error("the body did not arrive in time")]
pub(super) struct BodyTimeout;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A request body that has to arrive within a time limit, for handlers that have none: tonic waits for a message for ever.
pub(super) struct RequestBody {
    incoming: Incoming,
    timeout: Duration,
    polled: bool,
    /// `None` until the body is known to be late.
    timer: Option<Pin<Box<Sleep>>>,
}

impl RequestBody {
    pub(super) const fn new(incoming: Incoming, timeout: Duration) -> Self {
        Self {
            incoming,
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
        if let Poll::Ready(frame) = Pin::new(&mut self.incoming).poll_frame(context) {
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
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
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

    use super::super::stopwatch::Stopwatch;
    use super::*;

    fn request() -> (Arc<Activity>, RequestInProgress) {
        let activity = Arc::new(Activity::new(Arc::new(Stopwatch::start())));
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
