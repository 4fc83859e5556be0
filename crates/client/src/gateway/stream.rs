//! Responses that are read in chunks: files of any size.

use std::time::Duration;

use bytes::Bytes;
use invoicing_contract::{Operation, names};
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use serde::Serialize;

use super::response::{GatewayResponse, MalformedResponse, ResponseHead};
use super::retry::CallRetries;
use super::{CallContext, Gateway, GatewayError, is_unauthenticated, request};
use crate::clock::Clock;
use crate::http::{LostResponse, within_time_limit};
use crate::rng::time_ordered_id;

/// How long the service may take before the first byte, beyond the time for one request: it makes a workbook before.
const WORKBOOK_LIMIT: Duration = Duration::from_secs(540);

/// A successful response of which the body is still to be read.
pub(crate) struct GatewayStream {
    response: reqwest::Response,
    correlation_id: String,
}

impl GatewayStream {
    /// How many rows the file has, if the service knows it before the first byte.
    pub(crate) fn rows(&self) -> Option<u32> {
        let value = self.response.headers().get(names::ROW_COUNT)?;
        value.to_str().ok()?.parse().ok()
    }

    /// The next bytes; `None` after the last. A connection that ends before is an error: a part is never taken for the whole.
    pub(crate) async fn chunk(&mut self, clock: &dyn Clock) -> Result<Option<Bytes>, GatewayError> {
        let lost = |source| GatewayError::ResponseLost {
            correlation_id: self.correlation_id.clone(),
            source,
        };
        match within_time_limit(clock, self.response.chunk()).await {
            Some(Ok(chunk)) => Ok(chunk),
            Some(Err(error)) => Err(lost(LostResponse::Connection(error))),
            None => Err(lost(LostResponse::TimedOut)),
        }
    }
}

impl Gateway {
    /// Calls an operation whose response is a file, with retries until its first byte.
    pub(crate) async fn stream<B: Serialize + Sync>(
        &self,
        context: &CallContext,
        operation: &Operation,
        media_type: &'static str,
        body: &B,
    ) -> Result<GatewayStream, GatewayError> {
        let mut retries = CallRetries::new(
            self.clock.as_ref(),
            self.rng.as_ref(),
            &self.pending_retries,
            context,
        );
        let mut rejected = None;
        loop {
            let lease = self
                .session
                .lease_access_token(&context.session, rejected)
                .await?;
            let generation = lease.generation();
            let mut error = match self.open(context, operation, media_type, body, lease).await {
                Ok(stream) => return Ok(stream),
                Err(error) => error,
            };
            if let GatewayError::Status { status, .. } = &error
                && is_unauthenticated(status)
            {
                if rejected.is_none() {
                    rejected = Some(generation);
                    continue;
                }
                self.session.note_ended(&context.session);
            }
            if !self.wait_after(&mut error, operation, &mut retries).await {
                return Err(error);
            }
        }
    }

    /// One attempt.
    async fn open<B: Serialize + Sync>(
        &self,
        context: &CallContext,
        operation: &Operation,
        media_type: &'static str,
        body: &B,
        lease: crate::session::AccessTokenLease,
    ) -> Result<GatewayStream, GatewayError> {
        let correlation_id = time_ordered_id(&*self.clock, &*self.rng).to_string();
        let not_sent = |source| GatewayError::NotSent {
            correlation_id: correlation_id.clone(),
            source,
        };
        let Some(client) = context.session.http() else {
            return Err(not_sent(None));
        };
        let request = request(
            client,
            context,
            (operation, None),
            body,
            &lease,
            &correlation_id,
            media_type,
        );
        let lost = |source| GatewayError::ResponseLost {
            correlation_id: correlation_id.clone(),
            source,
        };
        let response = match head_within_limit(self.clock.as_ref(), lease, request.send()).await {
            Some(Ok(response)) => response,
            Some(Err(error)) if error.is_connect() || error.is_builder() => {
                self.session.note_offline(&context.session);
                return Err(not_sent(Some(error)));
            }
            Some(Err(error)) => return Err(lost(LostResponse::Connection(error))),
            None => return Err(lost(LostResponse::TimedOut)),
        };
        self.session.note_online(&context.session);
        let status = response.status();
        tracing::info!(
            command = context.command,
            operation = operation.path,
            organization = %context.organization,
            correlation_id,
            status = status.as_u16(),
            "a file of the gateway"
        );
        let text = |name: &str| {
            let value = response.headers().get(name).map(HeaderValue::to_str);
            value.and_then(Result::ok).unwrap_or_default().to_owned()
        };
        if !status.is_success() {
            let receiving = GatewayResponse::receive(response, &correlation_id);
            let received = within_time_limit(self.clock.as_ref(), receiving).await;
            let received = received.unwrap_or_else(|| Err(lost(LostResponse::TimedOut)))?;
            let error = received.successful().err();
            return Err(error.unwrap_or_else(|| not_sent(None)));
        }
        let found = text(CONTENT_TYPE.as_str());
        if found.split(';').next() != Some(media_type) {
            return Err(GatewayError::UnexpectedResponse {
                response: ResponseHead {
                    status: status.as_u16(),
                    correlation_id: text(names::CORRELATION_ID),
                    retry_after: None,
                },
                source: MalformedResponse::ContentType,
            });
        }
        Ok(GatewayStream {
            response,
            correlation_id,
        })
    }
}

/// Awaits the head of a response; `None` after the limit. The lease ends with it, since the service has checked the token then, or
/// after the time for one request, as that of any other call: a refresh waits for the lease, and all other calls for the refresh.
async fn head_within_limit<T: Send>(
    clock: &dyn Clock,
    lease: impl Send,
    head: impl Future<Output = T> + Send,
) -> Option<T> {
    let mut head = std::pin::pin!(head);
    if let Some(answered) = within_time_limit(clock, head.as_mut()).await {
        return Some(answered);
    }
    drop(lease);
    tokio::select! {
        answered = head => Some(answered),
        () = clock.sleep(WORKBOOK_LIMIT) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use jiff::Timestamp;

    use super::*;
    use crate::clock::FakeClock;

    #[tokio::test]
    async fn lease_of_a_file_that_takes_long_ends_as_that_of_any_other_call() {
        let clock = FakeClock::new(Timestamp::UNIX_EPOCH);
        let lease = Arc::new(());
        let held = Arc::downgrade(&lease);
        let head = head_within_limit(&clock, lease, std::future::pending::<()>());
        let waiting = async {
            let request = Duration::from_secs(60);
            clock.sleep_matching(|left| left == request).await;
            assert!(held.upgrade().is_some(), "the request was just sent");
            clock.advance(request);
            clock.sleep_matching(|left| left == WORKBOOK_LIMIT).await;
            assert!(held.upgrade().is_none(), "a refresh would wait");
            clock.advance(WORKBOOK_LIMIT);
        };
        let (answered, ()) = tokio::join!(head, waiting);
        assert_eq!(answered, None);
    }

    #[tokio::test]
    async fn head_that_comes_late_is_taken() {
        let clock = FakeClock::new(Timestamp::UNIX_EPOCH);
        let (answer, late) = tokio::sync::oneshot::channel();
        let head = head_within_limit(&clock, (), late);
        let waiting = async {
            let request = Duration::from_secs(60);
            clock.sleep_matching(|left| left == request).await;
            clock.advance(request);
            clock.sleep_matching(|left| left == WORKBOOK_LIMIT).await;
            answer.send(7).expect("it is awaited");
        };
        let (answered, ()) = tokio::join!(head, waiting);
        assert_eq!(answered, Some(Ok(7)));
    }
}
