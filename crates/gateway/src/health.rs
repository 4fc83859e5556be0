//! Whether the gateway lives, and whether it can do its work. Open to everybody: both tell nothing else.

use std::sync::Arc;

use axum::response::{IntoResponse as _, Response};
use http::StatusCode;
use invoicing_contract::OrganizationId;

use invoicing_storage::Store;

pub(super) async fn live() -> &'static str {
    "live\n"
}

/// 503 while storage does not answer.
pub(super) async fn ready(store: Arc<dyn Store>) -> Response {
    match store.organization(&OrganizationId::default()).await {
        Ok(_) => "ready\n".into_response(),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "storage does not answer\n").into_response()
        }
    }
}
