//! One line per request: what was asked, how it ended, how long it took. Never a query, a header or a body.

use std::time::Duration;

use axum::response::Response;
use http::{Method, Uri};

use super::CorrelationId;

/// Writes the line.
pub(super) fn write(
    server: &'static str,
    method: &Method,
    path: &str,
    response: &Response,
    took: Duration,
    id: &CorrelationId,
) {
    // What went well is counted, not told: a line for each would cost more than most answers do.
    if response.status().is_client_error() || response.status().is_server_error() {
        tracing::info!(
            server,
            %method,
            path,
            status = response.status().as_u16(),
            milliseconds = took.as_millis(),
            correlation_id = id.as_str(),
            "refused"
        );
    } else {
        tracing::debug!(
            server,
            %method,
            path,
            status = response.status().as_u16(),
            milliseconds = took.as_millis(),
            correlation_id = id.as_str(),
            "answered"
        );
    }
}

/// What is logged of an address: never its query, and no more than anybody needs.
pub(super) fn path(uri: &Uri) -> String {
    const MOST: usize = 200;
    let path = uri.path();
    path[..path.floor_char_boundary(MOST)].to_owned()
}
