//! One line per request: what was asked, how it ended, how long it took; and the same for the metrics. Never a query, a
//! header or a body.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::Uri;

use super::CorrelationId;
use crate::metrics::Metrics;
use crate::storage::sqlite::once_for;
use crate::world::Clock;

/// What a line needs besides the request.
#[derive(Clone)]
pub(super) struct RequestLog {
    pub(super) server: &'static str,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) metrics: Arc<Metrics>,
}

pub(super) async fn write(State(log): State<RequestLog>, request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let uri = request.uri().clone();
    let id = request.extensions().get::<CorrelationId>().cloned();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let began = log.clock.now();
    let response = once_for(next.run(request)).await;
    // A clock that was set back meanwhile says nothing about how long it took.
    let took = Duration::try_from(log.clock.now().duration_since(began)).unwrap_or_default();
    let route = route.as_ref().map(MatchedPath::as_str);
    log.metrics.answered(log.server, route, &response, took);
    // What went well is counted, not told: a line for each would cost more than most answers do.
    if response.status().is_client_error() || response.status().is_server_error() {
        tracing::info!(
            server = log.server,
            %method,
            path = path(&uri),
            status = response.status().as_u16(),
            milliseconds = took.as_millis(),
            correlation_id = id.as_ref().map(CorrelationId::as_str),
            "refused"
        );
    } else {
        tracing::debug!(
            server = log.server,
            %method,
            path = path(&uri),
            status = response.status().as_u16(),
            milliseconds = took.as_millis(),
            correlation_id = id.as_ref().map(CorrelationId::as_str),
            "answered"
        );
    }
    response
}

/// What is logged of an address: never its query, and no more than anybody needs.
fn path(uri: &Uri) -> String {
    uri.path().chars().take(200).collect()
}
