//! Calls to the gateway, each for the signed-in user and one organization.

mod error;
mod file;
mod message;
mod path;
mod response;
mod retry;
mod stream;

use std::error::Error;
use std::sync::Arc;

use invoicing_contract::{DocumentKey, Operation, OrganizationId, names, operation};
use jiff::Timestamp;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Method, RequestBuilder};
use secrecy::ExposeSecret as _;
use serde::Serialize;
use uuid::Uuid;
use zeroize::Zeroize as _;

use crate::clock::Clock;
use crate::http::{LostResponse, within_time_limit};
use crate::rng::{Rng, time_ordered_id};
use crate::session::{AccessTokenLease, ActiveSession, Session};
use crate::views::{CommandError, Support, Violation};

pub(crate) use error::{Doubt, FailedCall, GatewayError};
pub(crate) use file::{DownloadedFile, PdfFile, XmlFile};
pub(crate) use message::{Answer, BatchResponse, BatchResult, ExpectedDocument, ResponseMessage};
use path::percent_encode;
pub(crate) use response::GatewayResponse;
use retry::CallRetries;
pub(crate) use retry::{PendingRetries, RetryDescription, background_delay, wait_for_retry};
pub(crate) use stream::GatewayStream;

/// The media type of messages.
const JSON: &str = "application/json";

/// The gateway of the environment that the user is signed in to.
#[derive(Clone)]
pub(crate) struct Gateway {
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    session: Arc<Session>,
    pending_retries: Arc<PendingRetries>,
}

/// The session, organization and command that a call is made for.
#[derive(Clone)]
pub(crate) struct CallContext {
    pub(crate) session: Arc<ActiveSession>,
    /// Sent with every call, also for the home organization: the service never chooses a default.
    pub(crate) organization: OrganizationId,
    /// As `freeze_document`.
    pub(crate) command: &'static str,
    /// Whether the command writes. Shown with a pending retry; it does not change the retries.
    pub(crate) write: bool,
    /// Whether temporary errors are retried before the call returns. The outbox retries by itself.
    pub(crate) retries: bool,
}

impl CallContext {
    /// The error of a command with arguments that are refused before any request.
    pub(crate) fn refusal(&self, violations: Vec<Violation>, now: Timestamp) -> CommandError {
        CommandError::InvalidArgument {
            violations,
            support: Box::new(Support {
                operation: self.command.to_owned(),
                organization: self.organization.clone(),
                time: now.to_string(),
                ..Support::default()
            }),
        }
    }
}

impl Gateway {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        session: Arc<Session>,
        pending_retries: Arc<PendingRetries>,
    ) -> Self {
        Self {
            clock,
            rng,
            session,
            pending_retries,
        }
    }

    /// Calls an operation and retries as the retry rules say.
    ///
    /// Every operation can be repeated: reads are safe, creation is identified by its document key, other writes by their
    /// concurrency stamp.
    pub(crate) async fn call<B, T>(
        &self,
        context: &CallContext,
        operation: &Operation,
        target: Option<&DocumentKey>,
        body: &B,
    ) -> Result<T, GatewayError>
    where
        B: Serialize + Sync,
        T: Answer,
    {
        self.call_counting_attempts(context, operation, target, body)
            .await
            .map_err(|failed| failed.error)
    }

    /// As [`call`](Self::call), with the number of failed attempts in the error.
    pub(crate) async fn call_counting_attempts<B, T>(
        &self,
        context: &CallContext,
        operation: &Operation,
        target: Option<&DocumentKey>,
        body: &B,
    ) -> Result<T, FailedCall>
    where
        B: Serialize + Sync,
        T: Answer,
    {
        let mut retries = CallRetries::new(
            self.clock.as_ref(),
            self.rng.as_ref(),
            &self.pending_retries,
            context,
        );
        loop {
            let mut error = match self.attempt(context, operation, target, body).await {
                Ok(message) => return Ok(message),
                Err(error) => error,
            };
            if !self.wait_after(&mut error, operation, &mut retries).await {
                return Err(FailedCall {
                    error,
                    failed_attempts: retries.failed_attempts(),
                    earlier: retries.earlier(),
                });
            }
        }
    }

    /// Completes the error of an attempt, waits as the retry rules say, and returns whether to make another attempt.
    async fn wait_after(
        &self,
        error: &mut GatewayError,
        operation: &Operation,
        retries: &mut CallRetries<'_>,
    ) -> bool {
        let context = retries.context();
        if let GatewayError::OrganizationUnavailable { others_answer, .. } = error {
            *others_answer = self.another_organization_answers(context).await;
        }
        if error.source().is_some() {
            tracing::warn!(
                error = &*error as &dyn Error,
                command = context.command,
                "a call to the gateway failed"
            );
        }
        let shown = error.to_command_error(context, operation, self.clock.now());
        retries.wait_after(error, shown).await
    }

    /// Asks the home organization, or another one if the call was for that, whether it is one organization that is
    /// unavailable or the service (decision 0064). Any answer that is not an error of the server counts.
    async fn another_organization_answers(&self, context: &CallContext) -> bool {
        let identity = context.session.identity();
        let home = identity.home.id.clone();
        let organization = std::iter::once(home)
            .chain(identity.organizations())
            .find(|other| *other != context.organization && identity.grants(other.as_str()));
        let Some(organization) = organization else {
            return false;
        };
        let probe = CallContext {
            organization,
            ..context.clone()
        };
        let Ok(lease) = self.session.lease_access_token(&probe.session, None).await else {
            return false;
        };
        // A document that does not exist is found missing by one lookup, with any role.
        let missing = DocumentKey::new(Uuid::nil().to_string());
        let operation = &operation::GET_INVOICE;
        let request = serde_json::json!({});
        let response = self
            .send(&probe, operation, Some(&missing), &request, lease, JSON)
            .await;
        response.is_ok_and(|answered| answered.status() < 500)
    }

    /// One attempt. A rejected access token is refreshed once: the request was refused before anything was done.
    async fn attempt<B, T>(
        &self,
        context: &CallContext,
        operation: &Operation,
        target: Option<&DocumentKey>,
        body: &B,
    ) -> Result<T, GatewayError>
    where
        B: Serialize + Sync,
        T: Answer,
    {
        let expected = ExpectedDocument {
            key: target.map(DocumentKey::as_str),
            organization: context.organization.as_str(),
        };
        let mut rejected = None;
        loop {
            let lease = self
                .session
                .lease_access_token(&context.session, rejected)
                .await?;
            let generation = lease.generation();
            let response = self
                .send(context, operation, target, body, lease, T::ACCEPT)
                .await?;
            match T::read(response, &expected) {
                Err(GatewayError::Status { status, .. })
                    if is_unauthenticated(&status) && rejected.is_none() =>
                {
                    rejected = Some(generation);
                }
                Err(error) => {
                    if let GatewayError::Status { status, .. } = &error
                        && is_unauthenticated(status)
                    {
                        self.session.note_ended(&context.session);
                    }
                    return Err(error);
                }
                Ok(message) => return Ok(message),
            }
        }
    }

    /// Sends one request. The access token is on lease until the response has been read.
    async fn send<B: Serialize + Sync>(
        &self,
        context: &CallContext,
        operation: &Operation,
        target: Option<&DocumentKey>,
        body: &B,
        lease: AccessTokenLease,
        accept: &'static str,
    ) -> Result<GatewayResponse, GatewayError> {
        let correlation_id = time_ordered_id(&*self.clock, &*self.rng).to_string();
        let sent_id = correlation_id.clone();
        let Some(client) = context.session.http() else {
            return Err(GatewayError::NotSent {
                correlation_id,
                source: None,
            });
        };
        let request = request(
            client,
            context,
            (operation, target),
            body,
            &lease,
            &correlation_id,
            accept,
        );
        let exchange = async {
            match request.send().await {
                Ok(response) => GatewayResponse::receive(response, &correlation_id).await,
                Err(error) if error.is_connect() || error.is_builder() => {
                    Err(GatewayError::NotSent {
                        correlation_id: correlation_id.clone(),
                        source: Some(error),
                    })
                }
                Err(error) => Err(GatewayError::ResponseLost {
                    correlation_id: correlation_id.clone(),
                    source: LostResponse::Connection(error),
                }),
            }
        };
        let response = within_time_limit(self.clock.as_ref(), exchange)
            .await
            .unwrap_or_else(|| {
                Err(GatewayError::ResponseLost {
                    correlation_id: correlation_id.clone(),
                    source: LostResponse::TimedOut,
                })
            });
        drop(lease);
        let outcome = match &response {
            Ok(answered) => answered.status().to_string(),
            Err(error) => error.to_string(),
        };
        // The id is the client's own, also if the answer has another or none.
        tracing::info!(
            command = context.command,
            operation = operation.path,
            organization = %context.organization,
            correlation_id = sent_id,
            outcome,
            "a call to the gateway"
        );
        match response {
            Err(GatewayError::NotSent { .. }) => self.session.note_offline(&context.session),
            Err(GatewayError::ResponseLost { .. }) => {}
            _ => self.session.note_online(&context.session),
        }
        response
    }
}

fn request<B: Serialize>(
    client: &reqwest::Client,
    context: &CallContext,
    (operation, target): (&Operation, Option<&DocumentKey>),
    body: &B,
    lease: &AccessTokenLease,
    correlation_id: &str,
    accept: &'static str,
) -> RequestBuilder {
    let environment = context.session.environment();
    let method = Method::from_bytes(operation.verb.as_bytes()).unwrap_or(Method::POST);
    let with_body = !matches!(method, Method::GET | Method::DELETE);
    let path = path::with_fields(path_of(operation, target), body, !with_body);
    let address = format!("{}{path}", environment.gateway());
    let mut bearer = format!("Bearer {}", lease.token().expose_secret());
    let authorization = HeaderValue::from_str(&bearer).map(|mut value| {
        value.set_sensitive(true);
        value
    });
    bearer.zeroize();
    let mut request = client
        .request(method, address)
        .header(ACCEPT, HeaderValue::from_static(accept))
        .header(
            environment.names().organization_header(),
            context.organization.as_str(),
        )
        .header(names::CORRELATION_ID, correlation_id);
    if let Ok(authorization) = authorization {
        request = request.header(AUTHORIZATION, authorization);
    }
    if with_body {
        request = request
            .header(CONTENT_TYPE, HeaderValue::from_static(JSON))
            .json(body);
    }
    request
}

/// The path of an operation with the document that it is about. Other variables are fields of the body.
fn path_of(operation: &Operation, target: Option<&DocumentKey>) -> String {
    let mut path = operation.path.to_owned();
    if let Some(document) = target {
        path = path.replace("{document_key}", &percent_encode(document.as_str()));
    }
    path
}

fn is_unauthenticated(status: &invoicing_contract::Status) -> bool {
    status.code == invoicing_contract::Code::Unauthenticated
}
