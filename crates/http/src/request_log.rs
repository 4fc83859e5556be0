//! One log line per request: method, path, status and duration. Never a query, a header or a body.

use std::time::Duration;

use axum::response::Response;
use http::{Method, Uri};

use super::{CorrelationId, TraceContext};

/// Writes the line.
pub(super) fn write(
    server: &'static str,
    method: &Method,
    path: &str,
    response: &Response,
    duration: Duration,
    (id, trace): (&CorrelationId, Option<&TraceContext>),
) {
    let trace_id = trace.map(TraceContext::trace_id);
    // Successes are counted by the metrics. A log line for each would cost more than most handlers do.
    if response.status().is_client_error() || response.status().is_server_error() {
        tracing::info!(
            server,
            %method,
            path,
            status = response.status().as_u16(),
            milliseconds = duration.as_millis(),
            correlation_id = id.as_str(),
            trace_id,
            "refused"
        );
    } else {
        tracing::debug!(
            server,
            %method,
            path,
            status = response.status().as_u16(),
            milliseconds = duration.as_millis(),
            correlation_id = id.as_str(),
            trace_id,
            "answered"
        );
    }
}

/// The path as it is logged: without the query, at most 200 bytes.
pub(super) fn path(uri: &Uri) -> String {
    const MAX_BYTES: usize = 200;
    let path = uri.path();
    path[..path.floor_char_boundary(MAX_BYTES)].to_owned()
}
