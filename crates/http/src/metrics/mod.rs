//! Metrics and health checks for operators, on a listener of their own.
//!
//! Labels come from closed sets (servers, route patterns, status codes, OAuth errors), never from a request: a caller can
//! neither create a time series nor leak a secret into one.

mod certificate_metrics;
mod clearance_metrics;
mod connection_metrics;
mod storage_metrics;
#[cfg(test)]
mod tests;

pub use connection_metrics::ConnectionMetrics;
pub(crate) use connection_metrics::{ConnectionTimeout, RefusedBy};
pub use storage_metrics::StatisticsSource;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::middleware::map_response;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::{HeaderValue, header};
use invoicing_contract::Timestamp;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use certificate_metrics::CertificateMetrics;
use clearance_metrics::ClearanceMetrics;
use connection_metrics::ConnectionFamilies;
use storage_metrics::StorageMetrics;

use crate::contract_status::contract_status;
use crate::health::{self, Readiness};

/// Upper bounds of the duration buckets, in seconds.
const BUCKETS: [f64; 11] = [
    0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.5, 2.0, 10.0,
];

/// The metrics of one service instance. Nothing is global to the process.
pub struct Metrics {
    registry: Registry,
    responses: Family<ResponseLabels, Counter>,
    durations: Family<ServerLabels, Histogram>,
    oauth_errors: Family<OAuthErrorLabels, Counter>,
    connections: ConnectionFamilies,
    certificates: CertificateMetrics,
    clearance: ClearanceMetrics,
    storage: StorageMetrics,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ResponseLabels {
    server: &'static str,
    route: String,
    status: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ServerLabels {
    server: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OAuthErrorLabels {
    error: &'static str,
}

/// The path template of the operation that a request named, as `/api/v2/documents/{document_key}`: an extension of the response
/// of a router that finds its operations by itself.
#[derive(Debug, Clone, Copy)]
pub struct OperationPath(pub &'static str);

/// The OAuth error code of a response (RFC 6749, section 5.2): an extension of the response.
#[derive(Debug, Clone, Copy)]
pub struct OAuthErrorCode(pub &'static str);

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("invoicing");
        let responses = Family::default();
        let durations = Family::new_with_constructor(histogram as fn() -> Histogram);
        let oauth_errors = Family::default();
        let connections = ConnectionFamilies::default();
        let certificates = CertificateMetrics::default();
        let clearance = ClearanceMetrics::default();
        let storage = StorageMetrics::default();
        registry.register(
            "build",
            "What runs",
            Info::new([("version", env!("CARGO_PKG_VERSION"))]),
        );
        registry.register(
            "http_answers",
            "Answered requests by server, route and status",
            responses.clone(),
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
            oauth_errors.clone(),
        );
        connections.register(&mut registry);
        certificates.register(&mut registry);
        clearance.register(&mut registry);
        storage.register(&mut registry);
        Self {
            registry,
            responses,
            durations,
            oauth_errors,
            connections,
            certificates,
            clearance,
            storage,
        }
    }
}

impl Metrics {
    /// Records a response. `route` is the pattern that matched, not the path. Without one it is that of the operation.
    pub fn record_response(
        &self,
        server: &'static str,
        route: Option<&str>,
        response: &Response,
        duration: Duration,
    ) {
        let operation = response.extensions().get::<OperationPath>();
        let route = route.or_else(|| operation.map(|OperationPath(path)| *path));
        let labels = ResponseLabels {
            server,
            route: route.unwrap_or("other").to_owned(),
            status: u32::from(contract_status(response).as_u16()),
        };
        self.responses.get_or_create(&labels).inc();
        self.durations
            .get_or_create(&ServerLabels { server })
            .observe(duration.as_secs_f64());
        if let Some(OAuthErrorCode(error)) = response.extensions().get::<OAuthErrorCode>() {
            self.oauth_errors
                .get_or_create(&OAuthErrorLabels { error })
                .inc();
        }
    }

    /// The metrics of the connections of the listener that is labelled `server`.
    #[must_use]
    pub fn connections(&self, server: &'static str) -> ConnectionMetrics {
        ConnectionMetrics::new(self.connections.clone(), server)
    }

    /// Records that everything that had expired at `time` is removed, or that the process starts at `time`.
    pub fn record_maintenance(&self, time: Timestamp) {
        self.storage.record_maintenance(time);
    }

    /// Counts an attempt at archiving old events of the audit that failed. They stay in the database.
    pub fn count_archive_failure(&self) {
        self.storage.count_archive_failure();
    }

    /// Records how many documents have no answer of their tax authority, and the age of the one that was sent most often.
    pub fn record_clearance(&self, waiting: u64, oldest_age: Duration) {
        self.clearance.record(waiting, oldest_age);
    }

    /// Records when the first of the certificates that are called `certificates` ends.
    pub(crate) fn record_certificate_end(&self, certificates: &'static str, end: Timestamp) {
        self.certificates.record_end(certificates, end);
    }

    /// All metrics in the OpenMetrics text format.
    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail; an empty answer would show at once.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

fn histogram() -> Histogram {
    Histogram::new(BUCKETS)
}

/// `/healthz`, `/readyz` and `/metrics`, with the statistics of an engine that has any.
pub fn router(
    metrics: Arc<Metrics>,
    readiness: Arc<Readiness>,
    statistics: Option<StatisticsSource>,
) -> Router {
    let exposition = Arc::new(Exposition {
        metrics,
        readiness: readiness.clone(),
        statistics,
    });
    Router::new()
        .route("/healthz", get(health::live))
        .route("/readyz", get(health::ready).with_state(readiness))
        .route("/metrics", get(metrics_text).with_state(exposition))
        .layer(map_response(with_default_headers))
}

async fn with_default_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    response
}

/// What `/metrics` shows.
struct Exposition {
    metrics: Arc<Metrics>,
    readiness: Arc<Readiness>,
    statistics: Option<StatisticsSource>,
}

async fn metrics_text(State(exposition): State<Arc<Exposition>>) -> Response {
    const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let Exposition {
        metrics,
        readiness,
        statistics,
    } = &*exposition;
    metrics.storage.record_ready(readiness.check().await);
    if let Some(statistics) = statistics {
        metrics.storage.record(statistics());
    }
    ([(header::CONTENT_TYPE, OPENMETRICS)], metrics.text()).into_response()
}
