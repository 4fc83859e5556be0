//! The HTTP client for the servers of an environment: the system's trust store and proxy, no redirects, bounded in time.

use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;

use crate::environments::Environment;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Longer than the service itself takes for one request, so that slow responses still arrive.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// Shorter than the limits of servers and middleboxes, and than most sleeps of a computer.
const POOL_IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Makes a client for the servers of an environment. `None` if the system's trust store or proxy settings cannot be
/// used, which is logged: then every request fails as one that was not sent.
pub(crate) fn client(environment: &Environment) -> Option<Client> {
    let builder = Client::builder()
        .https_only(environment.https_only())
        .redirect(Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(REQUEST_TIMEOUT)
        .pool_idle_timeout(POOL_IDLE_TIMEOUT);
    // A company's proxy cannot reach this computer.
    let builder = if environment.is_on_this_computer() {
        builder.no_proxy()
    } else {
        builder
    };
    match builder.build() {
        Ok(client) => Some(client),
        Err(error) => {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "the HTTP client could not be created"
            );
            None
        }
    }
}
