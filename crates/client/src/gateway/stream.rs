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

/// How long the service may take before the first byte: it makes a workbook before.
const HEAD_LIMIT: Duration = Duration::from_secs(600);

/// A successful response of which the body is still to be read.
pub(crate) struct GatewayStream {
    response: reqwest::Response,
    correlation_id: String,
}

impl GatewayStream {
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
            let error = match self.open(context, operation, media_type, body, lease).await {
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
            let shown = error.to_command_error(context, operation, self.clock.now());
            if !retries.wait_after(&error, shown).await {
                return Err(error);
            }
        }
    }

    /// One attempt. The lease ends with the head of the response: the service has checked the token then.
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
        let answered = tokio::select! {
            answered = request.send() => answered,
            () = self.clock.sleep(HEAD_LIMIT) => return Err(lost(LostResponse::TimedOut)),
        };
        drop(lease);
        let response = match answered {
            Ok(response) => response,
            Err(error) if error.is_connect() || error.is_builder() => {
                self.session.note_offline(&context.session);
                return Err(not_sent(Some(error)));
            }
            Err(error) => return Err(lost(LostResponse::Connection(error))),
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
            let received = GatewayResponse::receive(response, &correlation_id).await?;
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
