//! Requests that the gateway does not answer with a message, and their response in each protocol (contract, part 7;
//! decision 0026).

use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use http::header::{ALLOW, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use invoicing_contract::{Code, Detail, FieldViolation, OrganizationId, QuotaViolation, Status};

const UNAUTHENTICATED: &str = "the access token is invalid or expired; refresh it or sign in again";

/// The protocol of a request, and so of its response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    Rest,
    Grpc,
}

impl Protocol {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let grpc = headers
            .get(CONTENT_TYPE)
            .is_some_and(|value| value.as_bytes().starts_with(b"application/grpc"));
        if grpc { Self::Grpc } else { Self::Rest }
    }
}

/// Why a request is not answered with a message. The step numbers are those of decision 0025.
#[derive(Debug)]
pub(crate) enum GatewayError {
    /// Steps 1, 3, 4, 5 and 7: 403.
    PermissionDenied,
    /// Step 2: 401.
    Unauthenticated,
    /// Step 6, the organization has no tenant: 503 without a body.
    TenantUnavailable,
    /// Anything else, as a Status. Over REST `http` replaces the HTTP status of its code.
    Status {
        status: Status,
        http: Option<StatusCode>,
        allow: Option<HeaderValue>,
    },
}

impl From<Status> for GatewayError {
    fn from(status: Status) -> Self {
        Self::Status {
            status,
            http: None,
            allow: None,
        }
    }
}

impl GatewayError {
    fn with_http(status: Status, http: StatusCode) -> Self {
        Self::Status {
            status,
            http: Some(http),
            allow: None,
        }
    }

    pub(crate) fn unknown_path() -> Self {
        Status::new(Code::NotFound, "PATH_NOT_FOUND", "there is no such path").into()
    }

    pub(crate) fn unknown_method() -> Self {
        Status::new(
            Code::Unimplemented,
            "METHOD_NOT_FOUND",
            "there is no such method",
        )
        .into()
    }

    /// `allowed` are HTTP methods.
    pub(crate) fn method_not_allowed(allowed: &[&str]) -> Self {
        let status = Status::new(
            Code::Unimplemented,
            "METHOD_NOT_ALLOWED",
            "this path has no such method",
        );
        let allow = HeaderValue::from_str(&allowed.join(", ")).ok();
        Self::Status {
            status,
            http: Some(StatusCode::METHOD_NOT_ALLOWED),
            allow,
        }
    }

    pub(crate) fn unsupported_content_type() -> Self {
        let status = Status::new(
            Code::InvalidArgument,
            "CONTENT_TYPE",
            "the body must be application/json, not encoded",
        );
        Self::with_http(status, StatusCode::UNSUPPORTED_MEDIA_TYPE)
    }

    pub(crate) fn body_too_large(max_bytes: usize) -> Self {
        let status = Status::new(
            Code::InvalidArgument,
            "BODY_TOO_LARGE",
            format!("the body is larger than {max_bytes} bytes"),
        );
        Self::with_http(
            status.with_metadata("most", max_bytes.to_string()),
            StatusCode::PAYLOAD_TOO_LARGE,
        )
    }

    pub(crate) fn body_too_slow() -> Self {
        let status = Status::new(
            Code::InvalidArgument,
            "BODY_TOO_SLOW",
            "the body did not arrive in time",
        );
        Self::with_http(status, StatusCode::REQUEST_TIMEOUT)
    }

    /// Step 8: the organization has sent all the requests of a minute, and may send the next one after `delay`.
    pub(crate) fn rate_limit(
        organization: &OrganizationId,
        requests_per_minute: u32,
        delay: Duration,
    ) -> Self {
        let status = Status::new(
            Code::ResourceExhausted,
            "RATE_LIMIT",
            "too many requests for this organization",
        );
        let violation = QuotaViolation::of_organization(
            organization.as_str(),
            format!("{requests_per_minute} requests in a minute"),
        );
        status
            .with_metadata("requestsPerMinute", requests_per_minute.to_string())
            .with(Detail::QuotaFailure {
                violations: vec![violation],
            })
            .with(Detail::RetryInfo { delay })
            .into()
    }

    /// The deadline of a gRPC call. REST has none.
    pub(crate) fn deadline_exceeded() -> Self {
        deadline_exceeded().into()
    }

    /// The body is not the request message of the operation.
    pub(crate) fn malformed_body(violations: Vec<FieldViolation>) -> Self {
        Status::invalid(
            "MALFORMED_BODY",
            "the body is not what this operation takes",
            violations,
        )
        .into()
    }

    /// An error status of a handler. UNKNOWN and a bare UNIMPLEMENTED are tonic's own, for requests that are not gRPC.
    pub(crate) fn from_handler(status: &tonic::Status) -> Self {
        let status = Status::from(status);
        if status.code == Code::Unknown
            || (status.code == Code::Unimplemented && status.details.is_empty())
        {
            return Self::malformed_body(vec![FieldViolation::new(
                "",
                "the request is not one that this method takes",
            )]);
        }
        status.into()
    }

    pub(crate) fn response(self, protocol: Protocol) -> Response {
        match protocol {
            Protocol::Rest => self.rest(),
            Protocol::Grpc => self.grpc(),
        }
    }

    /// The HTTP status over REST and the Status of the body. `None`: there is no body.
    pub(crate) fn rest_status(&self) -> Option<(StatusCode, Status)> {
        let (status, http) = match self {
            Self::PermissionDenied => (Status::permission_denied(), None),
            Self::Unauthenticated => (unauthenticated(), None),
            Self::TenantUnavailable => return None,
            Self::Status { status, http, .. } => (status.clone(), *http),
        };
        let http = http.or_else(|| StatusCode::from_u16(status.code.http()).ok());
        Some((http.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), status))
    }

    fn rest(self) -> Response {
        let Some((http, status)) = self.rest_status() else {
            let headers = [
                (RETRY_AFTER, HeaderValue::from_static("1")),
                (CONTENT_LENGTH, HeaderValue::from_static("0")),
            ];
            return (StatusCode::SERVICE_UNAVAILABLE, headers, Body::empty()).into_response();
        };
        let body = serde_json::to_vec(&status).expect("a Status has only text, numbers and lists");
        let mut response = (http, [(CONTENT_TYPE, "application/json")], body).into_response();
        let headers = response.headers_mut();
        if let Some(wait) = retry_after(&status) {
            headers.insert(RETRY_AFTER, wait);
        }
        match self {
            Self::Unauthenticated => {
                headers.insert(WWW_AUTHENTICATE, invalid_token());
            }
            Self::Status {
                allow: Some(allow), ..
            } => {
                headers.insert(ALLOW, allow);
            }
            Self::PermissionDenied | Self::TenantUnavailable | Self::Status { .. } => {}
        }
        response
    }

    fn grpc(self) -> Response {
        match self {
            Self::PermissionDenied => grpc_status(Status::permission_denied()),
            Self::Unauthenticated => {
                let mut response = grpc_status(unauthenticated());
                response
                    .headers_mut()
                    .insert(WWW_AUTHENTICATE, invalid_token());
                response
            }
            Self::TenantUnavailable => {
                let mut response = grpc_status(Status::bare(Code::Unavailable, ""));
                response
                    .headers_mut()
                    .insert(RETRY_AFTER, HeaderValue::from_static("1"));
                response
            }
            Self::Status { status, .. } => {
                let wait = retry_after(&status);
                let mut response = grpc_status(status);
                if let Some(wait) = wait {
                    response.headers_mut().insert(RETRY_AFTER, wait);
                }
                response
            }
        }
    }
}

/// The status of a call that has not ended at the deadline of its caller.
pub(crate) fn deadline_exceeded() -> Status {
    Status::new(
        Code::DeadlineExceeded,
        "DEADLINE_EXCEEDED",
        "the deadline of the caller has passed",
    )
}

fn unauthenticated() -> Status {
    Status::bare(Code::Unauthenticated, UNAUTHENTICATED)
}

fn grpc_status(status: Status) -> Response {
    tonic::Status::from(status).into_http()
}

/// The least time until a retry, in whole seconds, rounded up (RFC 9110, section 10.2.3).
fn retry_after(status: &Status) -> Option<HeaderValue> {
    let delay = status.retry_after()?;
    let seconds = delay.as_secs() + u64::from(delay.subsec_nanos() > 0);
    Some(HeaderValue::from(seconds))
}

fn invalid_token() -> HeaderValue {
    HeaderValue::from_static("Bearer error=\"invalid_token\"")
}
