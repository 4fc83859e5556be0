//! The HTTP client for the servers of an environment: the system's trust store and proxy, or those of the environment, no
//! redirects, bounded in time.

use std::error::Error as StdError;
use std::iter::successors;
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::Resolve;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, ClientBuilder};
use thiserror::Error;

use crate::clock::Clock;
use crate::environments::{Environment, Proxy};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// From the start of a request to the end of its response. Longer than the service itself takes for one request, so that
/// slow responses still arrive.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// Shorter than the limits of servers and middleboxes, and than most sleeps of a computer.
const POOL_IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// How servers are found and trusted. The default is the resolver and the trust store of the system.
#[derive(Clone, Default)]
pub struct Network {
    /// Resolves host names in the place of the system.
    pub resolver: Option<Arc<dyn Resolve>>,
    /// Certificate authorities that are trusted beside those of the system.
    pub certificates: Vec<Certificate>,
}

impl Network {
    /// Makes a client for the servers of an environment. `None` if the system's trust store or proxy settings cannot be
    /// used, which is logged: then every request fails as one that was not sent.
    pub(crate) fn client(&self, environment: &Environment) -> Option<Client> {
        let mut builder = Client::builder()
            .https_only(environment.https_only())
            .redirect(Policy::none())
            .retry(unhandled_requests())
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(POOL_IDLE_TIMEOUT);
        builder = match environment.network().proxy() {
            Proxy::Address(address) => match reqwest::Proxy::all(address.clone()) {
                Ok(proxy) => builder.proxy(proxy),
                Err(error) => return not_created(&error),
            },
            Proxy::Direct => builder.no_proxy(),
            // A company's proxy cannot reach this computer.
            Proxy::System if environment.is_on_this_computer() => builder.no_proxy(),
            Proxy::System => builder,
        };
        if let Some(resolver) = &self.resolver {
            builder = builder.dns_resolver(Arc::clone(resolver));
        }
        // Nothing is encrypted within this computer. To read the certificates of the system takes tens of milliseconds of each start.
        builder = if environment.is_in_clear() {
            builder.tls_certs_only([])
        } else {
            with_certificates(
                builder.tls_certs_merge(self.certificates.iter().cloned()),
                environment,
            )
        };
        match builder.build() {
            Ok(client) => Some(client),
            Err(error) => not_created(&error),
        }
    }
}

/// What is sent again by itself: requests that the server says it has not handled, with GOAWAY (RFC 9113, section 6.8). A stream that is
/// refused should say the same (section 8.7), but proxies refuse that of a request whose server was killed meanwhile, which may have
/// handled it (decision 0186).
fn unhandled_requests() -> reqwest::retry::Builder {
    reqwest::retry::for_host(EveryHost)
        .no_budget()
        .classify_fn(|attempt| {
            if attempt.error().is_some_and(is_go_away) {
                attempt.retryable()
            } else {
                attempt.success()
            }
        })
}

/// Whether a server has closed the connection in order before it handled the request.
fn is_go_away(error: &(dyn StdError + 'static)) -> bool {
    successors(Some(error), |error| (*error).source())
        .filter_map(|error| error.downcast_ref::<h2::Error>())
        .any(|error| {
            error.is_go_away() && error.is_remote() && error.reason() == Some(h2::Reason::NO_ERROR)
        })
}

/// Equals the host of each request: the policy is for all of them.
struct EveryHost;

impl PartialEq<&str> for EveryHost {
    fn eq(&self, _: &&str) -> bool {
        true
    }
}

/// Trusts the authorities of the environment's file besides those of the system. Without them nothing is trusted that
/// should not be, so a file that cannot be used only makes connections fail; the diagnosis says why.
fn with_certificates(builder: ClientBuilder, environment: &Environment) -> ClientBuilder {
    let certificates = environment
        .network()
        .certificates()
        .unwrap_or_else(|error| {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "the file of certificate authorities cannot be used"
            );
            Vec::new()
        });
    let parsed: Vec<_> = certificates
        .iter()
        .filter_map(|certificate| Certificate::from_der(certificate).ok())
        .collect();
    builder.tls_certs_merge(parsed)
}

fn not_created(error: &reqwest::Error) -> Option<Client> {
    tracing::error!(
        error = error as &dyn std::error::Error,
        "the HTTP client could not be created"
    );
    None
}

/// Why a request that was sent has no complete response.
#[derive(Debug, Error)]
pub(crate) enum LostResponse {
    /// The connection failed, or what came is not HTTP.
    #[error("the connection failed")]
    Connection(#[source] reqwest::Error),
    /// The time for one request has passed.
    #[error("no complete response came within {} s", REQUEST_TIMEOUT.as_secs())]
    TimedOut,
}

/// Runs a request to the end of its response. `None` after [`REQUEST_TIMEOUT`], measured by the clock that is passed in.
pub(crate) async fn within_time_limit<T>(
    clock: &dyn Clock,
    request: impl Future<Output = T>,
) -> Option<T> {
    let limit = clock.sleep(REQUEST_TIMEOUT);
    tokio::select! {
        done = request => Some(done),
        () = limit => None,
    }
}
