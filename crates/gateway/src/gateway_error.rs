//! Requests that the gateway does not answer with a message, and their response in each protocol (contract, part 7;
//! decision 0026).

use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use http::header::{ALLOW, CONTENT_LENGTH, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use invoicing_contract::{Code, Detail, FieldViolation, OrganizationId, QuotaViolation, Status};
use invoicing_http::{Protocol, error_response, http_status};

use crate::body::BUDGET_RETRY_AFTER;

const UNAUTHENTICATED: &str = "the access token is invalid or expired; refresh it or sign in again";

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

    /// Step 2: the address has presented too many tokens that were refused, and another one is looked up after `delay`.
    pub(crate) fn address_limit(delay: Duration) -> Self {
        let status = Status::new(
            Code::ResourceExhausted,
            "ADDRESS_LIMIT",
            "too many invalid access tokens from this address",
        );
        status.with(Detail::RetryInfo { delay }).into()
    }

    /// Large bodies of the organization, or of all, take all the memory that there is for them.
    pub(crate) fn no_room_for_body() -> Self {
        let status = Status::new(
            Code::ResourceExhausted,
            "BODY_QUEUE_FULL",
            "too many large bodies are received at once",
        );
        let delay = BUDGET_RETRY_AFTER;
        status.with(Detail::RetryInfo { delay }).into()
    }

    /// Step 8: the organization has sent all the requests of a minute, and may send the next one after `delay`.
    pub(crate) fn rate_limit(
        organization: &OrganizationId,
        requests_per_minute: u32,
        delay: Duration,
    ) -> Self {
        rate_limit_status(organization, requests_per_minute, delay).into()
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

    /// An error status of a gRPC service. One without details is tonic's own, and gets those of the contract. A message has at most
    /// `max_bytes`.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the others are those of handlers, or as good as unknown"
    )]
    pub(crate) fn from_service(status: &tonic::Status, max_bytes: usize) -> Self {
        if !status.details().is_empty() {
            return Self::from_handler(status);
        }
        match status.code() {
            // A message that is too large, as it arrives or once it is decompressed.
            tonic::Code::ResourceExhausted | tonic::Code::OutOfRange => {
                Self::body_too_large(max_bytes)
            }
            // A message that cannot be decoded: the caller is at fault.
            tonic::Code::Internal => {
                tracing::debug!(reason = status.message(), "a message could not be decoded");
                Self::malformed_body(vec![FieldViolation::new(
                    "",
                    "the message cannot be decoded",
                )])
            }
            tonic::Code::InvalidArgument => {
                Self::malformed_body(vec![FieldViolation::new("", status.message())])
            }
            // A service, file or symbol that health or reflection is asked for.
            tonic::Code::NotFound => {
                Status::new(Code::NotFound, "NAME_NOT_FOUND", status.message()).into()
            }
            _ => Self::from_handler(status),
        }
    }

    /// The response in a protocol.
    pub(crate) fn response(self, protocol: Protocol) -> Response {
        let Some((status, http)) = self.status() else {
            return tenant_unavailable(protocol);
        };
        let mut response = error_response(protocol, status, http);
        match self {
            Self::Unauthenticated => {
                let headers = response.headers_mut();
                headers.insert(WWW_AUTHENTICATE, invalid_token());
            }
            Self::Status {
                allow: Some(allow), ..
            } => {
                response.headers_mut().insert(ALLOW, allow);
            }
            Self::PermissionDenied | Self::TenantUnavailable | Self::Status { .. } => {}
        }
        response
    }

    /// The trailers of a stream that ends with the error. `None`: there is no status.
    pub(crate) fn trailers(&self) -> Option<HeaderMap> {
        self.status().map(|(status, _http)| status_trailers(status))
    }

    /// The HTTP status over REST and the Status of the body. `None`: there is no body.
    pub(crate) fn rest_status(&self) -> Option<(StatusCode, Status)> {
        let (status, http) = self.status()?;
        Some((http_status(&status, http), status))
    }

    /// The Status, and the HTTP status that replaces that of its code. `None`: there is no body.
    fn status(&self) -> Option<(Status, Option<StatusCode>)> {
        match self {
            Self::PermissionDenied => Some((Status::permission_denied(), None)),
            Self::Unauthenticated => Some((unauthenticated(), None)),
            Self::TenantUnavailable => None,
            Self::Status { status, http, .. } => Some((status.clone(), *http)),
        }
    }
}

/// The response to a request whose organization has no tenant: before there is a status.
fn tenant_unavailable(protocol: Protocol) -> Response {
    let retry_after = (RETRY_AFTER, HeaderValue::from_static("1"));
    match protocol {
        Protocol::Rest => {
            let content_length = (CONTENT_LENGTH, HeaderValue::from_static("0"));
            let headers = [retry_after, content_length];
            (StatusCode::SERVICE_UNAVAILABLE, headers, Body::empty()).into_response()
        }
        Protocol::Grpc => {
            let status = Status::bare(Code::Unavailable, "");
            let mut response = error_response(protocol, status, None);
            let (name, value) = retry_after;
            response.headers_mut().insert(name, value);
            response
        }
    }
}

/// The status of a request over the limit of an organization, which is accepted after `delay`.
pub(crate) fn rate_limit_status(
    organization: &OrganizationId,
    requests_per_minute: u32,
    delay: Duration,
) -> Status {
    let violation = QuotaViolation::of_organization(
        organization.as_str(),
        format!("{requests_per_minute} requests in a minute"),
    );
    Status::new(
        Code::ResourceExhausted,
        "RATE_LIMIT",
        "too many requests for this organization",
    )
    .with_metadata("requestsPerMinute", requests_per_minute.to_string())
    .with(Detail::QuotaFailure {
        violations: vec![violation],
    })
    .with(Detail::RetryInfo { delay })
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

/// The trailers of a stream that ends with an error.
pub(crate) fn status_trailers(status: Status) -> HeaderMap {
    let mut trailers = HeaderMap::new();
    let status = tonic::Status::from(status);
    if status.add_header(&mut trailers).is_err() {
        tracing::error!("a status cannot be written");
    }
    trailers
}

fn invalid_token() -> HeaderValue {
    HeaderValue::from_static("Bearer error=\"invalid_token\"")
}
