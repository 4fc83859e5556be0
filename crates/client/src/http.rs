//! The one HTTP stack: the system's trust store and proxy, no redirects, bounded in time.

use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;

use crate::environments::Environment;

const CONNECTING: Duration = Duration::from_secs(10);
/// Longer than the service itself takes for one request, so that slow answers come as answers.
const ANSWERING: Duration = Duration::from_secs(60);
/// Shorter than the servers' and middleboxes' own limits, and than most sleeps of a computer.
const IDLE: Duration = Duration::from_secs(30);

/// A client for the servers of an environment. `None` if the system's trust store or proxy settings cannot be used: then
/// every request fails as one that was not sent.
pub(crate) fn client(environment: &Environment) -> Option<Client> {
    let builder = Client::builder()
        .https_only(environment.https_only())
        .redirect(Policy::none())
        .connect_timeout(CONNECTING)
        .timeout(ANSWERING)
        .pool_idle_timeout(IDLE);
    // A company's proxy cannot reach this computer.
    let builder = if environment.is_on_this_computer() {
        builder.no_proxy()
    } else {
        builder
    };
    match builder.build() {
        Ok(client) => Some(client),
        Err(error) => {
            tracing::error!(%error, "there is no HTTP client");
            None
        }
    }
}
