//! HTTP to the identity provider: no redirects, bounded in time and size, and an eye on the clock.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::fmt::rfc2822::DateTimeParser;
use openidconnect::{AsyncHttpClient, http};
use reqwest::header::DATE;
use thiserror::Error;
use url::Url;

use super::ProviderError;
use crate::BoxFuture;
use crate::clock::Clock;
use crate::environments::Environment;
use crate::http::client as http_client;

/// More than any metadata, key set or token response.
const LARGEST_BODY: usize = 1024 * 1024;

/// Requests to one identity provider.
pub(super) struct Transport {
    client: Option<reqwest::Client>,
    clock: Arc<dyn Clock>,
    /// By how many minutes this computer is ahead, from the last answer's Date.
    minutes_ahead: Mutex<Option<i32>>,
}

/// A request that gave no answer worth reading. It holds no address and no body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum TransportError {
    /// No connection.
    #[error("not sent")]
    NotSent,
    /// Sent, and no whole answer came.
    #[error("the answer was lost")]
    Lost,
    /// 5xx or 429.
    #[error("answered {0}")]
    Busy(u16),
    /// An answer that is too large, redirects, or is a page for people.
    #[error("a strange answer ({0})")]
    Strange(u16),
}

impl From<TransportError> for ProviderError {
    fn from(error: TransportError) -> Self {
        match error {
            TransportError::NotSent => Self::Unreachable,
            TransportError::Lost => Self::AnswerLost,
            TransportError::Busy(status) => Self::Busy { status },
            TransportError::Strange(status) => Self::Strange { status },
        }
    }
}

impl<'c> AsyncHttpClient<'c> for Transport {
    type Error = TransportError;
    type Future = BoxFuture<'c, Result<http::Response<Vec<u8>>, TransportError>>;

    fn call(&'c self, request: http::Request<Vec<u8>>) -> Self::Future {
        Box::pin(async move {
            let request =
                reqwest::Request::try_from(request).map_err(|_| TransportError::NotSent)?;
            self.execute(request).await
        })
    }
}

impl Transport {
    pub(super) fn new(environment: &Environment, clock: Arc<dyn Clock>) -> Self {
        Self {
            client: http_client(environment),
            clock,
            minutes_ahead: Mutex::new(None),
        }
    }

    /// Posts a form; any 2xx is well.
    pub(super) async fn post(
        &self,
        address: &Url,
        form: &[(&str, &str)],
    ) -> Result<(), ProviderError> {
        let client = self.client.as_ref().ok_or(ProviderError::Unreachable)?;
        let request = client
            .post(address.clone())
            .form(form)
            .build()
            .map_err(|_| ProviderError::Unreachable)?;
        let answer = self.execute(request).await?;
        if answer.status().is_success() {
            Ok(())
        } else {
            Err(ProviderError::Strange {
                status: answer.status().as_u16(),
            })
        }
    }

    /// Asks for the discovery document only to see whether anybody answers.
    pub(super) async fn probe(&self, environment: &Environment) -> Result<(), TransportError> {
        let client = self.client.as_ref().ok_or(TransportError::NotSent)?;
        let address = format!("{}/.well-known/openid-configuration", environment.issuer());
        let request = client
            .get(address)
            .build()
            .map_err(|_| TransportError::NotSent)?;
        self.execute(request).await.map(|_| ())
    }

    /// By how many minutes this computer's clock is ahead of the identity provider's.
    pub(super) fn minutes_ahead(&self) -> Option<i32> {
        *self
            .minutes_ahead
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    async fn execute(
        &self,
        request: reqwest::Request,
    ) -> Result<http::Response<Vec<u8>>, TransportError> {
        let client = self.client.as_ref().ok_or(TransportError::NotSent)?;
        let mut response = client.execute(request).await.map_err(|error| {
            // What connects not was not sent; anything later may have been.
            if error.is_connect() || error.is_builder() {
                TransportError::NotSent
            } else {
                TransportError::Lost
            }
        })?;
        self.compare_clocks(response.headers());
        let status = response.status();
        if status.is_server_error() || status.as_u16() == 429 {
            return Err(TransportError::Busy(status.as_u16()));
        }
        let html = response
            .headers()
            .get("content-type")
            .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        if status.is_redirection() || html {
            return Err(TransportError::Strange(status.as_u16()));
        }
        let mut answer = http::Response::builder().status(status);
        if let Some(headers) = answer.headers_mut() {
            headers.clone_from(response.headers());
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|_| TransportError::Lost)? {
            if body.len() + chunk.len() > LARGEST_BODY {
                return Err(TransportError::Strange(status.as_u16()));
            }
            body.extend_from_slice(&chunk);
        }
        answer
            .body(body)
            .map_err(|_| TransportError::Strange(status.as_u16()))
    }

    fn compare_clocks(&self, headers: &http::HeaderMap) {
        let Some(date) = headers.get(DATE).and_then(|date| date.to_str().ok()) else {
            return;
        };
        let Ok(theirs) = DateTimeParser::new().parse_timestamp(date) else {
            return;
        };
        let seconds = self.clock.now().as_second() - theirs.as_second();
        let minutes = i32::try_from(seconds / 60).unwrap_or(i32::MAX);
        *self
            .minutes_ahead
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(minutes);
    }
}
