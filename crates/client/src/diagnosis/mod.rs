//! The diagnosis of the connection to an environment: each step on the way to its servers, with what it finds.
//!
//! Nothing secret is sent: no token, no cookie, no password of a proxy (decision 0067).

mod route;
#[cfg(test)]
mod tests;
mod tls;

use std::sync::Arc;
use std::time::Duration;

use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::DATE;
use url::Url;

use crate::clock::Clock;
use crate::environments::Environment;
use crate::http::Network;
use crate::provider::Provider;
use crate::rng::Rng;
use crate::views::{
    CommandError, DiagnosedServer, Diagnosis, DiagnosisFinding, DiagnosisStep, Support,
};

use route::Route;

/// What one step may take.
const STEP_TIMEOUT: Duration = Duration::from_secs(10);
/// As at a sign-in: a larger difference makes the checks of tokens fail.
const MAX_CLOCK_DIFFERENCE_SECONDS: i64 = 5 * 60;

/// Takes all steps to both servers of an environment.
pub(crate) async fn diagnose(
    environment: &Environment,
    network: &Network,
    clock: &Arc<dyn Clock>,
    rng: &Arc<dyn Rng>,
) -> Diagnosis {
    let identity = format!("{}/.well-known/openid-configuration", environment.issuer());
    let gateway = format!("{}/", environment.gateway());
    let mut steps = Vec::new();
    for (server, address) in [
        (DiagnosedServer::IdentityProvider, identity),
        (DiagnosedServer::Gateway, gateway),
    ] {
        let Ok(address) = Url::parse(&address) else {
            continue;
        };
        let mut trace = Trace {
            server,
            host: host_of(&address),
            clock: Arc::clone(clock),
            rng: Arc::clone(rng),
            steps: Vec::new(),
        };
        // `None` is the end after a failed step.
        let _ = trace.follow(environment, network, &address).await;
        steps.append(&mut trace.steps);
    }
    Diagnosis {
        environment: environment.name().to_owned(),
        time: clock.now().to_string(),
        steps,
    }
}

/// The steps to one server.
struct Trace {
    server: DiagnosedServer,
    host: String,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    steps: Vec<DiagnosisStep>,
}

/// The result of a step: what it yields, or nothing if it failed, and what it found.
type Step<T> = (Option<T>, DiagnosisFinding);

impl Trace {
    /// Takes the steps to the server, until one fails.
    async fn follow(
        &mut self,
        environment: &Environment,
        network: &Network,
        address: &Url,
    ) -> Option<()> {
        if environment.network().ca_file().is_some() {
            self.step(async { read_ca_file(environment) }).await?;
        }
        let route = self
            .step(async { Route::find(environment, address) })
            .await?;
        let addresses = self.step(route.resolve()).await?;
        let stream = self.step(route.connect(&addresses)).await?;
        if address.scheme() == "https" {
            self.step(tls::handshake(environment, &route, stream))
                .await?;
        } else {
            drop(stream);
            self.step(async { (Some(()), DiagnosisFinding::Plain) })
                .await?;
        }
        let client = network.client(environment);
        let date = self.step(request(client, address)).await?;
        if self.server == DiagnosedServer::IdentityProvider {
            let clock = Arc::clone(&self.clock);
            let difference = async { compare_clocks(clock.as_ref(), date.as_deref()) };
            self.step(difference).await;
            let rng = Arc::clone(&self.rng);
            self.step(discover(environment, network, clock, rng))
                .await?;
        }
        Some(())
    }

    async fn step<T>(&mut self, work: impl Future<Output = Step<T>>) -> Option<T> {
        let start = self.clock.monotonic();
        let (value, finding) = work.await;
        let elapsed = self.clock.monotonic().saturating_sub(start);
        self.steps.push(DiagnosisStep {
            server: self.server,
            host: self.host.clone(),
            passed: value.is_some(),
            milliseconds: u32::try_from(elapsed.as_millis()).unwrap_or(u32::MAX),
            finding,
        });
        value
    }
}

/// Bounds a step in real time: it waits for the network.
async fn in_time<T>(work: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(STEP_TIMEOUT, work).await.ok()
}

fn read_ca_file(environment: &Environment) -> Step<()> {
    match environment.network().certificates() {
        Ok(certificates) => (
            Some(()),
            DiagnosisFinding::CaFile {
                certificates: u32::try_from(certificates.len()).unwrap_or(u32::MAX),
            },
        ),
        // The system's authorities may suffice, but the user has asked for this file.
        Err(error) => (
            None,
            DiagnosisFinding::CaFileUnusable {
                reason: error.to_string(),
            },
        ),
    }
}

/// Requests an address with the client of all other requests. Returns the header `Date`.
async fn request(client: Option<reqwest::Client>, address: &Url) -> Step<Option<String>> {
    let Some(client) = client else {
        let reason = "the HTTP client could not be created".to_owned();
        return (None, DiagnosisFinding::NotAnswered { reason });
    };
    match in_time(client.get(address.clone()).send()).await {
        Some(Ok(response)) => {
            let date = response.headers().get(DATE);
            let date = date.and_then(|date| date.to_str().ok()).map(str::to_owned);
            let status = response.status().as_u16();
            (Some(date), DiagnosisFinding::Answered { status })
        }
        Some(Err(error)) => {
            let reason = with_sources(&error.without_url());
            (None, DiagnosisFinding::NotAnswered { reason })
        }
        None => (
            None,
            DiagnosisFinding::NotAnswered {
                reason: timed_out(),
            },
        ),
    }
}

fn compare_clocks(clock: &dyn Clock, date: Option<&str>) -> Step<()> {
    let theirs = date.and_then(|date| DateTimeParser::new().parse_timestamp(date).ok());
    let Some(theirs) = theirs else {
        return (Some(()), DiagnosisFinding::ClockRight { seconds: 0 });
    };
    let difference = clock.now().as_second() - theirs.as_second();
    let seconds = i32::try_from(difference).unwrap_or(i32::MAX);
    if difference.abs() > MAX_CLOCK_DIFFERENCE_SECONDS {
        (None, DiagnosisFinding::ClockWrong { seconds })
    } else {
        (Some(()), DiagnosisFinding::ClockRight { seconds })
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the words for the others are those of the error itself"
)]
async fn discover(
    environment: &Environment,
    network: &Network,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
) -> Step<()> {
    let provider = Provider::new(environment.clone(), clock, rng, network);
    let reason = match in_time(provider.discover()).await {
        Some(Ok(())) => return (Some(()), DiagnosisFinding::Discovered),
        Some(Err(error)) => match error.to_command_error(environment, Support::default()) {
            CommandError::NotTrusted { check } => check,
            // The step before has already said it.
            CommandError::ClockOff { .. } => return (Some(()), DiagnosisFinding::Discovered),
            _ => with_sources(&error),
        },
        None => timed_out(),
    };
    (None, DiagnosisFinding::NotDiscovered { reason })
}

fn host_of(address: &Url) -> String {
    let host = address.host_str().unwrap_or_default();
    match address.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

fn timed_out() -> String {
    format!("no answer within {} seconds", STEP_TIMEOUT.as_secs())
}

/// An error with its causes, which name what really happened.
fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}
