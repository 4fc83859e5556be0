//! The response to a request whose handler panicked. The connection and its other requests go on.

use axum::response::Response;
use invoicing_contract::{Code, Status};

use crate::error_response::{Protocol, error_response};

/// INTERNAL, without the cause, which is in the log.
pub(super) fn internal_error(protocol: Protocol) -> Response {
    tracing::error!("a request ended in a panic");
    let status = Status::new(Code::Internal, "INTERNAL", "unexpected error");
    error_response(protocol, status, None)
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body;
    use axum::routing::get;
    use http::Request;
    use http_body_util::BodyExt as _;
    use tower::ServiceExt as _;

    use crate::with_request_layer;
    use std::sync::Arc;

    use invoicing_storage::{Clock, Rng, SystemClock, SystemRng};

    #[tokio::test]
    async fn a_panic_returns_internal_with_a_correlation_id() {
        async fn fails() -> &'static str {
            panic!("a secret is in here")
        }
        let router = with_request_layer(
            Router::new().route("/", get(fails)),
            "test",
            Vec::new(),
            crate::HostPolicy::Any,
            &(Arc::new(SystemClock) as Arc<dyn Clock>),
            &(Arc::new(SystemRng) as Arc<dyn Rng>),
            &Arc::new(crate::metrics::Metrics::default()),
        );
        let answer = router.oneshot(Request::new(Body::empty())).await.unwrap();
        assert_eq!(answer.status().as_u16(), 500);
        assert!(answer.headers().contains_key("x-correlation-id"));
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        let body = String::from_utf8_lossy(&body);
        assert!(
            body.starts_with(r#"{"code":13,"#) && !body.contains("secret"),
            "{body}"
        );
    }
}
