//! Calls to the gateway, each as the person who is signed in and about one organization.

mod answer;
mod failure;

use std::sync::Arc;

use invoicing_contract::{Operation, names};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Method, RequestBuilder};
use secrecy::ExposeSecret as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;
use zeroize::Zeroize as _;

use crate::clock::Clock;
use crate::retry::{Retry, Waits};
use crate::rng::Rng;
use crate::session::{AccessTokenLease, ActiveSession, Session};

pub(crate) use answer::Answer;
use answer::Received;
pub(crate) use failure::Failure;

/// The gateway of whatever environment is signed in to.
pub(crate) struct Gateway {
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    session: Arc<Session>,
    waits: Arc<Waits>,
}

/// On whose behalf, where, and for which command a call is made.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) live: Arc<ActiveSession>,
    /// Sent with every call, also for the home organization: a window's organization is never left to a default.
    pub(crate) organization: String,
    /// As `freeze_invoice`.
    pub(crate) command: &'static str,
    /// Whether the command writes.
    pub(crate) write: bool,
    /// Whether what may pass is tried again before the call ends: not where whoever calls does that, as the outbox.
    pub(crate) tries_again: bool,
}

impl Gateway {
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        session: Arc<Session>,
        waits: Arc<Waits>,
    ) -> Self {
        Self {
            clock,
            rng,
            session,
            waits,
        }
    }

    /// Calls an operation, and again as the retry table says.
    ///
    /// Every operation may be repeated: reads as they are, creating by its document key, other writes by their stamp.
    pub(crate) async fn call<B, T>(
        &self,
        caller: &Caller,
        operation: &Operation,
        key: &str,
        body: &B,
    ) -> Result<T, Failure>
    where
        B: Serialize + Sync,
        T: DeserializeOwned,
    {
        self.counted(caller, operation, key, body)
            .await
            .map_err(|(failure, _)| failure)
    }

    /// As [`call`](Self::call), and says how many tries failed: a write that is refused after a try of our own failed may
    /// have been done by that try.
    pub(crate) async fn counted<B, T>(
        &self,
        caller: &Caller,
        operation: &Operation,
        key: &str,
        body: &B,
    ) -> Result<T, (Failure, u32)>
    where
        B: Serialize + Sync,
        T: DeserializeOwned,
    {
        let mut retry = Retry::new(&*self.clock, &*self.rng, &self.waits, caller);
        loop {
            let failure = match self.once(caller, operation, key, body).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let command_error =
                failure
                    .clone()
                    .into_command_error(caller, operation, self.clock.now());
            if !retry.again(&failure, command_error).await {
                return Err((failure, retry.failed()));
            }
        }
    }

    async fn once<B, T>(
        &self,
        caller: &Caller,
        operation: &Operation,
        key: &str,
        body: &B,
    ) -> Result<T, Failure>
    where
        B: Serialize + Sync,
        T: DeserializeOwned,
    {
        let mut rejected = None;
        loop {
            let lent = self
                .session
                .lease_access_token(&caller.live, rejected)
                .await
                .map_err(Failure::Session)?;
            let generation = lent.generation();
            let received = self.send(caller, operation, key, body, lent).await?;
            match received.read() {
                // Judged before anything was done, so that it may go once more with a newer token.
                Err(Failure::Status { status, .. })
                    if is_unauthenticated(&status) && rejected.is_none() =>
                {
                    rejected = Some(generation);
                }
                Err(failure) => {
                    if let Failure::Status { status, .. } = &failure
                        && is_unauthenticated(status)
                    {
                        self.session.note_ended(&caller.live);
                    }
                    return Err(failure);
                }
                Ok(answer) => return Ok(answer),
            }
        }
    }

    /// Sends one request; the access token is on loan until the answer has come.
    async fn send<B: Serialize + Sync>(
        &self,
        caller: &Caller,
        operation: &Operation,
        key: &str,
        body: &B,
        lent: AccessTokenLease,
    ) -> Result<Received, Failure> {
        let correlation_id = Uuid::now_v7().to_string();
        let Some(client) = caller.live.http() else {
            return Err(Failure::NotSent { correlation_id });
        };
        let request = request(client, caller, operation, key, body, &lent, &correlation_id);
        let received = match request.send().await {
            Ok(response) => Received::new(response, &correlation_id).await,
            Err(error) if error.is_connect() || error.is_builder() => {
                Err(Failure::NotSent { correlation_id })
            }
            Err(_) => Err(Failure::Lost { correlation_id }),
        };
        drop(lent);
        match received {
            Err(Failure::NotSent { .. }) => self.session.note_offline(&caller.live),
            Err(Failure::Lost { .. }) => {}
            _ => self.session.note_online(&caller.live),
        }
        received
    }
}

fn request<B: Serialize>(
    client: &reqwest::Client,
    caller: &Caller,
    operation: &Operation,
    key: &str,
    body: &B,
    lent: &AccessTokenLease,
    correlation_id: &str,
) -> RequestBuilder {
    let environment = caller.live.environment();
    let address = format!(
        "{}{}",
        environment.gateway(),
        operation.path.replace("{document_key}", &escape(key))
    );
    let method = Method::from_bytes(operation.verb.as_bytes()).unwrap_or(Method::POST);
    let with_body = method != Method::GET;
    let mut bearer = format!("Bearer {}", lent.token().expose_secret());
    let authorization = HeaderValue::from_str(&bearer).map(|mut value| {
        value.set_sensitive(true);
        value
    });
    bearer.zeroize();
    let mut request = client
        .request(method, address)
        .header(ACCEPT, HeaderValue::from_static("application/json"))
        .header(
            environment.names().organization_header(),
            &caller.organization,
        )
        .header(names::CORRELATION_ID, correlation_id);
    if let Ok(authorization) = authorization {
        request = request.header(AUTHORIZATION, authorization);
    }
    if with_body {
        request = request
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .json(body);
    }
    request
}

/// A document key in a path. A key is a UUID; anything else stays one harmless segment.
fn escape(key: &str) -> String {
    let mut escaped = String::new();
    for byte in key.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~') {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

fn is_unauthenticated(status: &invoicing_contract::Status) -> bool {
    status.code == invoicing_contract::Code::Unauthenticated
}
