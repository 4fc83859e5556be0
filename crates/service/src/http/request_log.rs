//! One line per request: what was asked, how it ended, how long it took. Never a query, a header or a body.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use super::CorrelationId;
use crate::world::Clock;

/// What a line needs besides the request.
#[derive(Clone)]
pub(super) struct RequestLog {
    pub(super) server: &'static str,
    pub(super) clock: Arc<dyn Clock>,
}

pub(super) async fn write(State(log): State<RequestLog>, request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let path: String = request.uri().path().chars().take(200).collect();
    let id = request.extensions().get::<CorrelationId>().cloned();
    let began = log.clock.now_ms();
    let response = next.run(request).await;
    tracing::info!(
        server = log.server,
        %method,
        path,
        status = response.status().as_u16(),
        milliseconds = log.clock.now_ms() - began,
        correlation_id = id.as_ref().map(CorrelationId::as_str),
        "answered"
    );
    response
}
