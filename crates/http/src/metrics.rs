//! What operators see on a listener of their own: whether the service lives, whether it can work, and how it does.
//!
//! Labels come from closed sets (servers, routes of ours, status codes, OAuth errors), never from what a caller sends: no
//! caller can make a new time series, and no secret can become one.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::{StatusCode, header};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use invoicing_storage::Store;

/// Upper bounds of the histogram, in seconds: from a read out of memory to what people call an outage.
const BOUNDS: [f64; 11] = [
    0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.5, 2.0, 10.0,
];

/// The counters. Each service has its own; nothing is global to the process.
pub struct Metrics {
    registry: Registry,
    answers: Family<Answer, Counter>,
    durations: Family<Served, Histogram>,
    refusals: Family<Refusal, Counter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answer {
    server: &'static str,
    route: String,
    status: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Served {
    server: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Refusal {
    error: &'static str,
}

/// The OAuth error that an answer carries: an extension of the response.
#[derive(Debug, Clone, Copy)]
pub struct Refused(pub &'static str);

impl Metrics {
    /// Counters at zero.
    #[must_use]
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("invoicing");
        let answers = Family::default();
        let durations = Family::new_with_constructor(histogram as fn() -> Histogram);
        let refusals = Family::default();
        registry.register(
            "build",
            "What runs",
            Info::new([("version", env!("CARGO_PKG_VERSION"))]),
        );
        registry.register(
            "http_answers",
            "Answered requests by server, route and status",
            answers.clone(),
        );
        registry.register_with_unit(
            "http_answer_duration",
            "From the head of a request to the head of its answer",
            Unit::Seconds,
            durations.clone(),
        );
        registry.register(
            "oauth_refusals",
            "Requests refused by the identity provider, by error code",
            refusals.clone(),
        );
        Self {
            registry,
            answers,
            durations,
            refusals,
        }
    }

    /// Notes an answer. `route` is the pattern that matched, not the path.
    pub fn answered(
        &self,
        server: &'static str,
        route: Option<&str>,
        response: &Response,
        took: Duration,
    ) {
        let answer = Answer {
            server,
            route: route.unwrap_or("other").to_owned(),
            status: u32::from(response.status().as_u16()),
        };
        self.answers.get_or_create(&answer).inc();
        self.durations
            .get_or_create(&Served { server })
            .observe(took.as_secs_f64());
        if let Some(Refused(error)) = response.extensions().get::<Refused>() {
            self.refusals.get_or_create(&Refusal { error }).inc();
        }
    }

    /// All of it in the text format of OpenMetrics, which Prometheus reads.
    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail; an empty answer would show at once.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

fn histogram() -> Histogram {
    Histogram::new(BOUNDS)
}

/// `/healthz`, `/readyz` and `/metrics`.
pub fn router(metrics: Arc<Metrics>, store: Arc<dyn Store>) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "live\n" }))
        .route("/readyz", get(ready).with_state(store))
        .route("/metrics", get(told).with_state(metrics))
}

/// 503 while the database does not answer.
async fn ready(State(store): State<Arc<dyn Store>>) -> Response {
    match store.organization("").await {
        Ok(_) => "ready\n".into_response(),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "storage does not answer\n").into_response()
        }
    }
}

async fn told(State(metrics): State<Arc<Metrics>>) -> Response {
    const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, OPENMETRICS)], metrics.text()).into_response()
}
