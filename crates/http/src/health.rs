//! Liveness and readiness of the service. They need no credentials and disclose nothing else.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use invoicing_contract::OrganizationId;
use invoicing_storage::Store;

/// Answers while the process accepts connections.
pub async fn live() -> &'static str {
    "live\n"
}

/// Answers 200 while storage answers, else 503.
pub async fn ready(State(store): State<Arc<dyn Store>>) -> Response {
    match store.organization(&OrganizationId::default()).await {
        Ok(_) => "ready\n".into_response(),
        Err(error) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "storage does not answer\n").into_response()
        }
    }
}
