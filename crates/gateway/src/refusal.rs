//! Requests that do not reach a handler, and how each protocol is told (contract, part 7; decision 0026).

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use http::header::{ALLOW, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use invoicing_contract::{Code, FieldViolation, Status};

const NOT_AUTHENTICATED: &str =
    "the access token is invalid or expired; refresh it or sign in again";

/// How a request came, and so how it is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    Rest,
    Grpc,
}

impl Protocol {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let grpc = headers
            .get(CONTENT_TYPE)
            .is_some_and(|value| value.as_bytes().starts_with(b"application/grpc"));
        if grpc { Self::Grpc } else { Self::Rest }
    }
}

/// Why a request goes no further.
#[derive(Debug)]
pub(super) enum Refusal {
    /// 1, 3, 4, 5 and 7 of the order: 403.
    NotAuthorized,
    /// 2: 401.
    NotAuthenticated,
    /// 6: the empty 503.
    Unresolvable,
    /// Anything else, as a Status; over REST with an HTTP status of its own where the code's does not fit.
    Status {
        status: Status,
        http: Option<StatusCode>,
        allow: Option<HeaderValue>,
    },
}

impl From<Status> for Refusal {
    fn from(status: Status) -> Self {
        Self::Status {
            status,
            http: None,
            allow: None,
        }
    }
}

impl Refusal {
    fn with_http(status: Status, http: StatusCode) -> Self {
        Self::Status {
            status,
            http: Some(http),
            allow: None,
        }
    }

    pub(super) fn unknown_path() -> Self {
        Status::new(Code::NotFound, "PATH_NOT_FOUND", "there is no such path").into()
    }

    pub(super) fn unknown_method() -> Self {
        Status::new(
            Code::Unimplemented,
            "METHOD_NOT_FOUND",
            "there is no such method",
        )
        .into()
    }

    /// `allowed` are HTTP methods.
    pub(super) fn wrong_method(allowed: &[&str]) -> Self {
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

    pub(super) fn wrong_content_type() -> Self {
        let status = Status::new(
            Code::InvalidArgument,
            "CONTENT_TYPE",
            "the body must be application/json, not encoded",
        );
        Self::with_http(status, StatusCode::UNSUPPORTED_MEDIA_TYPE)
    }

    pub(super) fn too_large(most: usize) -> Self {
        let status = Status::new(
            Code::InvalidArgument,
            "BODY_TOO_LARGE",
            format!("the body is larger than {most} bytes"),
        );
        Self::with_http(
            status.with_metadata("most", most.to_string()),
            StatusCode::PAYLOAD_TOO_LARGE,
        )
    }

    pub(super) fn too_slow() -> Self {
        let status = Status::new(
            Code::InvalidArgument,
            "BODY_TOO_SLOW",
            "the body did not arrive in time",
        );
        Self::with_http(status, StatusCode::REQUEST_TIMEOUT)
    }

    /// The body is not the message that the operation takes.
    pub(super) fn malformed(violations: Vec<FieldViolation>) -> Self {
        Status::invalid(
            "MALFORMED_BODY",
            "the body is not what this operation takes",
            violations,
        )
        .into()
    }

    pub(super) fn response(self, protocol: Protocol) -> Response {
        match protocol {
            Protocol::Rest => self.rest(),
            Protocol::Grpc => self.grpc(),
        }
    }

    fn rest(self) -> Response {
        match self {
            Self::NotAuthorized => rest_status(&Status::permission_denied(), None),
            Self::NotAuthenticated => {
                let mut response = rest_status(
                    &Status::bare(Code::Unauthenticated, NOT_AUTHENTICATED),
                    None,
                );
                response
                    .headers_mut()
                    .insert(WWW_AUTHENTICATE, invalid_token());
                response
            }
            Self::Unresolvable => {
                let headers = [
                    (RETRY_AFTER, HeaderValue::from_static("1")),
                    (CONTENT_LENGTH, HeaderValue::from_static("0")),
                ];
                (StatusCode::SERVICE_UNAVAILABLE, headers, Body::empty()).into_response()
            }
            Self::Status {
                status,
                http,
                allow,
            } => {
                let mut response = rest_status(&status, http);
                if let Some(allow) = allow {
                    response.headers_mut().insert(ALLOW, allow);
                }
                response
            }
        }
    }

    fn grpc(self) -> Response {
        match self {
            Self::NotAuthorized => grpc_status(Status::permission_denied()),
            Self::NotAuthenticated => {
                let mut response =
                    grpc_status(Status::bare(Code::Unauthenticated, NOT_AUTHENTICATED));
                response
                    .headers_mut()
                    .insert(WWW_AUTHENTICATE, invalid_token());
                response
            }
            Self::Unresolvable => {
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

/// A Status as the contract's body.
pub(super) fn rest_status(status: &Status, http: Option<StatusCode>) -> Response {
    let http = http
        .or_else(|| StatusCode::from_u16(status.code.http()).ok())
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let body = serde_json::to_vec(status).expect("a Status is texts and numbers");
    let mut response = (http, [(CONTENT_TYPE, "application/json")], body).into_response();
    if let Some(wait) = retry_after(status) {
        response.headers_mut().insert(RETRY_AFTER, wait);
    }
    response
}

fn grpc_status(status: Status) -> Response {
    tonic::Status::from(status).into_http()
}

/// Whole seconds, rounded up: it is a floor.
fn retry_after(status: &Status) -> Option<HeaderValue> {
    let delay = status.retry_after()?;
    let seconds = delay.as_secs() + u64::from(delay.subsec_nanos() > 0);
    Some(HeaderValue::from(seconds))
}

fn invalid_token() -> HeaderValue {
    HeaderValue::from_static("Bearer error=\"invalid_token\"")
}
