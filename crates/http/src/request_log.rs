//! One log line per request: method, path, status and duration. Never a query, a header or a body.

use std::time::Duration;

use axum::response::Response;
use http::{Method, Uri};

use super::{CorrelationId, TraceContext, contract_status};

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
    let (method, status) = (method_name(method), contract_status(response));
    // Successes are counted by the metrics. A log line for each would cost more than most handlers do.
    if status.is_client_error() || status.is_server_error() {
        tracing::info!(
            server,
            %method,
            path,
            status = status.as_u16(),
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
            status = status.as_u16(),
            milliseconds = duration.as_millis(),
            correlation_id = id.as_str(),
            trace_id,
            "answered"
        );
    }
}

/// The name of a method of HTTP, and `_OTHER` for one that a caller has made up, which can be as long as a head (OpenTelemetry,
/// "HTTP request method").
#[must_use]
pub fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::CONNECT => "CONNECT",
        Method::TRACE => "TRACE",
        _ => "_OTHER",
    }
}

/// The path as it is logged: without the query, at most 200 bytes.
pub(super) fn path(uri: &Uri) -> String {
    const MAX_BYTES: usize = 200;
    let path = uri.path();
    path[..path.floor_char_boundary(MAX_BYTES)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn method_that_a_caller_has_made_up_is_not_in_the_log() {
        let made_up = Method::from_bytes("M".repeat(60_000).as_bytes()).expect("a token");
        assert_eq!(method_name(&made_up), "_OTHER");
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            let known = Method::from_bytes(method.as_bytes()).expect("a token");
            assert_eq!(method_name(&known), method);
        }
    }
}
