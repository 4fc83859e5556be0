//! Errors as responses, over REST and gRPC alike (contract, part 7; decision 0026).

use axum::Json;
use axum::response::{IntoResponse as _, Response};
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderValue, StatusCode};
use invoicing_contract::Status;

/// The protocol of a request, and so of its response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP with JSON.
    Rest,
    /// gRPC, whose errors are HTTP 200 with their code in a header.
    Grpc,
}

impl Protocol {
    /// The protocol of a request with these headers.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Self {
        let grpc = headers
            .get(CONTENT_TYPE)
            .is_some_and(|value| value.as_bytes().starts_with(b"application/grpc"));
        if grpc { Self::Grpc } else { Self::Rest }
    }
}

/// The HTTP status of a response with `status`: `http`, or that of its code.
#[must_use]
pub fn http_status(status: &Status, http: Option<StatusCode>) -> StatusCode {
    http.or_else(|| StatusCode::from_u16(status.code.http()).ok())
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// The response to a request that ends with the error `status`. Over REST `http` replaces the HTTP status of its code.
#[must_use]
pub fn error_response(protocol: Protocol, status: Status, http: Option<StatusCode>) -> Response {
    let wait = retry_after(&status);
    let mut response = match protocol {
        Protocol::Rest => (http_status(&status, http), Json(status)).into_response(),
        Protocol::Grpc => tonic::Status::from(status).into_http(),
    };
    if let Some(wait) = wait {
        response.headers_mut().insert(RETRY_AFTER, wait);
    }
    response
}

/// The least time until a retry, in whole seconds, rounded up (RFC 9110, section 10.2.3).
fn retry_after(status: &Status) -> Option<HeaderValue> {
    let delay = status.retry_after()?;
    let seconds = delay.as_secs() + u64::from(delay.subsec_nanos() > 0);
    Some(HeaderValue::from(seconds))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use http_body_util::BodyExt as _;
    use invoicing_contract::{Code, Detail};

    use super::*;

    #[tokio::test]
    async fn error_is_a_status_in_json_over_rest_and_in_headers_over_grpc() {
        let status = Status::new(Code::ResourceExhausted, "BUSY", "busy").with(Detail::RetryInfo {
            delay: Duration::from_millis(1_500),
        });
        let rest = error_response(Protocol::Rest, status.clone(), None);
        assert_eq!(rest.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(rest.headers()[CONTENT_TYPE], "application/json");
        assert_eq!(rest.headers()[RETRY_AFTER], "2");
        let body = rest.into_body().collect().await.expect("a body").to_bytes();
        assert_eq!(
            serde_json::from_slice::<Status>(&body).ok(),
            Some(status.clone())
        );
        let other = Some(StatusCode::MISDIRECTED_REQUEST);
        let other = error_response(Protocol::Rest, status.clone(), other);
        assert_eq!(other.status(), StatusCode::MISDIRECTED_REQUEST);

        let grpc = error_response(Protocol::Grpc, status, None);
        assert_eq!(grpc.status(), StatusCode::OK);
        assert_eq!(grpc.headers()["grpc-status"], "8");
        assert_eq!(grpc.headers()[RETRY_AFTER], "2");
        let read = tonic::Status::from_header_map(grpc.headers()).expect("a status");
        assert_eq!(Status::from(&read).reason(), Some("BUSY"));
    }
}
