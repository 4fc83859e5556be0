//! HTTP to the OpenID Provider: no redirects, bounded in time and size. Observes the difference between the two clocks.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use invoicing_contract::names;
use jiff::fmt::rfc2822::DateTimeParser;
use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse, http};
use reqwest::header::{CONTENT_TYPE, DATE};
use secrecy::{ExposeSecret as _, SecretString};
use thiserror::Error;
use url::Url;

use super::ProviderError;
use crate::BoxFuture;
use crate::clock::Clock;
use crate::environments::Environment;
use crate::http::{LostResponse, Network, within_time_limit};
use crate::rng::{Rng, time_ordered_id};

/// In bytes; more than any discovery document, key set or token response.
const MAX_BODY: usize = 1024 * 1024;

/// Sends requests to one OpenID Provider.
pub(super) struct Transport {
    client: Option<reqwest::Client>,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    /// By how many seconds this computer's clock is ahead, from the `Date` header of the last response.
    seconds_ahead: Mutex<Option<i64>>,
}

/// Why a request has no usable response. It holds no URL and no body.
#[derive(Debug, Error)]
pub(crate) enum TransportError {
    /// The HTTP client could not be created.
    #[error("the HTTP client could not be created")]
    NoClient,
    /// No connection: nothing was sent.
    #[error("the request was not sent")]
    NotSent(#[source] reqwest::Error),
    /// The request was sent, and no complete response was received.
    #[error("the response was lost")]
    ResponseLost(#[source] LostResponse),
    /// 5xx or 429.
    #[error("HTTP status {status}")]
    Unavailable { status: u16 },
    /// Not a response of an OpenID Provider.
    #[error("unexpected response with HTTP status {status}")]
    UnexpectedResponse {
        status: u16,
        #[source]
        defect: ResponseDefect,
    },
}

/// Why a response is not one of an OpenID Provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum ResponseDefect {
    /// Redirects are not followed: tokens go to the configured server or nowhere.
    #[error("it is a redirect")]
    Redirect,
    /// Probably from a captive portal or a proxy.
    #[error("it is an HTML page")]
    Html,
    /// Larger than [`MAX_BODY`].
    #[error("it is too large")]
    TooLarge,
    /// Not 2xx where nothing else is expected.
    #[error("its status is not 2xx")]
    Status,
}

/// `oauth2` and `openidconnect` send their requests through the transport.
impl<'c> AsyncHttpClient<'c> for Transport {
    type Error = TransportError;
    type Future = BoxFuture<'c, Result<HttpResponse, TransportError>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let request = reqwest::Request::try_from(request).map_err(not_sent)?;
            self.execute(request).await
        })
    }
}

impl Transport {
    pub(super) fn new(
        environment: &Environment,
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        network: &Network,
    ) -> Self {
        Self {
            client: network.client(environment),
            clock,
            rng,
            seconds_ahead: Mutex::new(None),
        }
    }

    /// Posts a form and expects status 2xx.
    pub(super) async fn post(
        &self,
        endpoint: &Url,
        form: &[(&str, &str)],
    ) -> Result<(), ProviderError> {
        let request = self.client()?.post(endpoint.clone()).form(form).build();
        let response = self.execute(request.map_err(not_sent)?).await?;
        if response.status().is_success() {
            Ok(())
        } else {
            Err(unexpected(response.status(), ResponseDefect::Status).into())
        }
    }

    /// Posts a form with an access token, expects status 2xx, and returns the body.
    pub(super) async fn post_as_bearer(
        &self,
        endpoint: &Url,
        form: &[(Cow<'_, str>, Cow<'_, str>)],
        access_token: &SecretString,
    ) -> Result<Vec<u8>, ProviderError> {
        let request = self
            .client()?
            .post(endpoint.clone())
            .bearer_auth(access_token.expose_secret())
            .form(form)
            .build();
        let response = self.execute(request.map_err(not_sent)?).await?;
        if response.status().is_success() {
            Ok(response.into_body())
        } else {
            Err(unexpected(response.status(), ResponseDefect::Status).into())
        }
    }

    /// Requests the discovery document only to learn whether the provider answers.
    pub(super) async fn probe(&self, environment: &Environment) -> Result<(), TransportError> {
        let address = format!("{}/.well-known/openid-configuration", environment.issuer());
        let request = self.client()?.get(address).build().map_err(not_sent)?;
        self.execute(request).await.map(|_| ())
    }

    /// By how many seconds this computer's clock is ahead of the provider's.
    pub(super) fn seconds_ahead(&self) -> Option<i64> {
        *self
            .seconds_ahead
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The HTTP client. `None` if it could not be created.
    pub(super) fn http(&self) -> Option<&reqwest::Client> {
        self.client.as_ref()
    }

    fn client(&self) -> Result<&reqwest::Client, TransportError> {
        self.client.as_ref().ok_or(TransportError::NoClient)
    }

    /// Sends a request with a correlation id of its own, which is logged with the outcome.
    async fn execute(&self, mut request: reqwest::Request) -> Result<HttpResponse, TransportError> {
        let correlation_id = time_ordered_id(&*self.clock, &*self.rng).to_string();
        if let Ok(value) = http::HeaderValue::from_str(&correlation_id) {
            request.headers_mut().insert(names::CORRELATION_ID, value);
        }
        let path = request.url().path().to_owned();
        let received = within_time_limit(self.clock.as_ref(), self.exchange(request))
            .await
            .unwrap_or(Err(TransportError::ResponseLost(LostResponse::TimedOut)));
        let outcome = match &received {
            Ok(response) => response.status().as_u16().to_string(),
            Err(error) => error.to_string(),
        };
        tracing::info!(
            path,
            correlation_id,
            outcome,
            "a request to the identity provider"
        );
        received
    }

    async fn exchange(&self, request: reqwest::Request) -> Result<HttpResponse, TransportError> {
        let mut response = self.client()?.execute(request).await.map_err(|error| {
            // A request that failed after the connection may have been received.
            if error.is_connect() || error.is_builder() {
                not_sent(error)
            } else {
                response_lost(error)
            }
        })?;
        self.compare_clocks(response.headers());
        let status = response.status();
        if status.is_server_error() || status == http::StatusCode::TOO_MANY_REQUESTS {
            return Err(TransportError::Unavailable {
                status: status.as_u16(),
            });
        }
        if status.is_redirection() {
            return Err(unexpected(status, ResponseDefect::Redirect));
        }
        let html = response
            .headers()
            .get(CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        if html {
            return Err(unexpected(status, ResponseDefect::Html));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(response_lost)? {
            if body.len() + chunk.len() > MAX_BODY {
                return Err(unexpected(status, ResponseDefect::TooLarge));
            }
            body.extend_from_slice(&chunk);
        }
        let mut received = http::Response::new(body);
        *received.status_mut() = status;
        received.headers_mut().clone_from(response.headers());
        Ok(received)
    }

    fn compare_clocks(&self, headers: &http::HeaderMap) {
        let Some(date) = headers.get(DATE).and_then(|date| date.to_str().ok()) else {
            return;
        };
        let Ok(theirs) = DateTimeParser::new().parse_timestamp(date) else {
            return;
        };
        let seconds = self.clock.now().as_second() - theirs.as_second();
        *self
            .seconds_ahead
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(seconds);
    }
}

fn not_sent(error: reqwest::Error) -> TransportError {
    TransportError::NotSent(error.without_url())
}

fn response_lost(error: reqwest::Error) -> TransportError {
    TransportError::ResponseLost(LostResponse::Connection(error.without_url()))
}

const fn unexpected(status: http::StatusCode, defect: ResponseDefect) -> TransportError {
    TransportError::UnexpectedResponse {
        status: status.as_u16(),
        defect,
    }
}
