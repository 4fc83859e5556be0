//! The error responses of the OpenAPI document, with an example of each (contract, part 7).

use std::time::Duration;

use http::StatusCode;
use invoicing_contract::names::CORRELATION_ID;
use invoicing_contract::{Code, Detail, FieldViolation, Status};
use serde_json::{Map, Value, json};

use crate::gateway_error::UNAUTHENTICATED;

/// One error response: HTTP status, name of the component, what it means, and examples by name.
struct ErrorResponse {
    status: StatusCode,
    name: &'static str,
    description: &'static str,
    examples: Vec<(&'static str, Status)>,
}

fn error(
    status: StatusCode,
    name: &'static str,
    description: &'static str,
    examples: Vec<(&'static str, Status)>,
) -> ErrorResponse {
    ErrorResponse {
        status,
        name,
        description,
        examples,
    }
}

fn violation(field: &str, description: &str) -> Vec<FieldViolation> {
    vec![FieldViolation::new(field, description)]
}

/// Every error of every operation.
fn errors() -> Vec<ErrorResponse> {
    let new = Status::new;
    vec![
        error(
            StatusCode::BAD_REQUEST,
            "BadRequest",
            "INVALID_ARGUMENT with every wrong field, or FAILED_PRECONDITION: the state of the record does not allow it.",
            vec![
                (
                    "malformedBody",
                    Status::invalid(
                        "MALFORMED_BODY",
                        "the body is not what this operation takes",
                        violation("changes.contents", "is not a field of this request"),
                    ),
                ),
                (
                    "invalidInvoice",
                    Status::invalid(
                        "INVALID_INVOICE",
                        "the invoice breaks 1 rules",
                        violation(
                            "changes.content.invoice.lines",
                            "BR-16: an invoice has at least one line",
                        ),
                    )
                    .with_metadata("rules", "BR-16"),
                ),
                (
                    "frozen",
                    new(
                        Code::FailedPrecondition,
                        "DOCUMENT_FROZEN",
                        "the document is frozen",
                    )
                    .with_metadata("number", "INV-2026-0001"),
                ),
            ],
        ),
        error(
            StatusCode::UNAUTHORIZED,
            "Unauthenticated",
            "The access token is invalid or expired. Refresh it or sign in again.",
            vec![(
                "invalidToken",
                Status::bare(Code::Unauthenticated, UNAUTHENTICATED),
            )],
        ),
        error(
            StatusCode::FORBIDDEN,
            "PermissionDenied",
            "No Authorization header, a scope that is not held, an organization without a grant, or a plan without the feature. \
             The body is the same in every case, and its message is in Arabic.",
            vec![("permissionDenied", Status::permission_denied())],
        ),
        error(
            StatusCode::NOT_FOUND,
            "NotFound",
            "There is no such record in the organization, or no such path.",
            vec![(
                "documentNotFound",
                new(
                    Code::NotFound,
                    "DOCUMENT_NOT_FOUND",
                    "there is no such document",
                ),
            )],
        ),
        error(
            StatusCode::METHOD_NOT_ALLOWED,
            "MethodNotAllowed",
            "The path has no such method; Allow names those that it has.",
            vec![(
                "methodNotAllowed",
                new(
                    Code::Unimplemented,
                    "METHOD_NOT_ALLOWED",
                    "this path has no such method",
                ),
            )],
        ),
        error(
            StatusCode::REQUEST_TIMEOUT,
            "BodyTooSlow",
            "The body did not arrive in time.",
            vec![(
                "bodyTooSlow",
                new(
                    Code::InvalidArgument,
                    "BODY_TOO_SLOW",
                    "the body did not arrive in time",
                ),
            )],
        ),
        error(
            StatusCode::CONFLICT,
            "Conflict",
            "ABORTED: the concurrency stamp is not the current one; read again, and repeat once. ALREADY_EXISTS: the key is taken.",
            vec![
                (
                    "staleStamp",
                    new(
                        Code::Aborted,
                        "STAMP_MISMATCH",
                        "the document has changed since it was read",
                    ),
                ),
                (
                    "keyTaken",
                    new(
                        Code::AlreadyExists,
                        "DOCUMENT_EXISTS",
                        "a document with this key exists",
                    ),
                ),
            ],
        ),
        error(
            StatusCode::PAYLOAD_TOO_LARGE,
            "BodyTooLarge",
            "The body is larger than the limit.",
            vec![(
                "bodyTooLarge",
                new(
                    Code::InvalidArgument,
                    "BODY_TOO_LARGE",
                    "the body is larger than 4194304 bytes",
                )
                .with_metadata("most", "4194304"),
            )],
        ),
        error(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "UnsupportedMediaType",
            "The body is not JSON.",
            vec![(
                "contentType",
                new(
                    Code::InvalidArgument,
                    "CONTENT_TYPE",
                    "the body must be application/json, not encoded",
                ),
            )],
        ),
        error(
            StatusCode::TOO_MANY_REQUESTS,
            "ResourceExhausted",
            "A limit of requests or of the plan is reached.",
            vec![(
                "planLimit",
                new(
                    Code::ResourceExhausted,
                    "PLAN_LIMIT",
                    "the plan's documents of this month are used up",
                )
                .with_metadata("limit", "100")
                .with(Detail::RetryInfo {
                    delay: Duration::from_secs(3_600),
                }),
            )],
        ),
        error(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Internal",
            "Something went wrong; the log has it under the correlation id.",
            vec![(
                "internal",
                new(Code::Internal, "INTERNAL", "something went wrong"),
            )],
        ),
        error(
            StatusCode::SERVICE_UNAVAILABLE,
            "Unavailable",
            "Something that the service needs does not answer; repeat it later. Without a body: the organization has no tenant \
             yet, and nothing was done.",
            vec![(
                "authorityUnavailable",
                new(
                    Code::Unavailable,
                    "AUTHORITY_UNAVAILABLE",
                    "the tax authority does not answer",
                ),
            )],
        ),
    ]
}

/// What the HTTP server answers before a request reaches the gateway: without a body, and without a correlation id.
const OF_THE_SERVER: [(StatusCode, &str); 2] = [
    (
        StatusCode::URI_TOO_LONG,
        "The address is longer than the server reads.",
    ),
    (
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        "The headers are larger than the server reads.",
    ),
];

/// The responses of an operation, by status. `content` is that of a success.
pub(super) fn of_operation(takes_body: bool, content: Value) -> Value {
    let mut responses = Map::new();
    responses.insert(
        "200".to_owned(),
        json!({"description": "Done.", "headers": common_headers(), "content": content}),
    );
    let of_bodies = [
        StatusCode::REQUEST_TIMEOUT,
        StatusCode::PAYLOAD_TOO_LARGE,
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
    ];
    for (status, description) in OF_THE_SERVER {
        responses.insert(
            status.as_str().to_owned(),
            json!({"description": description}),
        );
    }
    for error in errors() {
        if takes_body || !of_bodies.contains(&error.status) {
            let reference = format!("#/components/responses/{}", error.name);
            responses.insert(error.status.as_str().to_owned(), json!({"$ref": reference}));
        }
    }
    Value::Object(responses)
}

/// The components of the error responses.
pub(super) fn components() -> Value {
    let mut components = Map::new();
    for error in errors() {
        let examples: Map<_, _> = error
            .examples
            .into_iter()
            .map(|(name, status)| (name.to_owned(), json!({"value": status})))
            .collect();
        let mut headers = common_headers();
        let more: &[&str] = match error.status {
            StatusCode::UNAUTHORIZED => &["WWW-Authenticate"],
            StatusCode::METHOD_NOT_ALLOWED => &["Allow"],
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => &["Retry-After"],
            _ => &[],
        };
        for name in more {
            headers[*name] = json!({"$ref": format!("#/components/headers/{name}")});
        }
        components.insert(
            error.name.to_owned(),
            json!({
                "description": error.description,
                "headers": headers,
                "content": {
                    "application/json": {
                        "schema": {"$ref": "#/components/schemas/google.rpc.Status"},
                        "examples": examples,
                    },
                },
            }),
        );
    }
    Value::Object(components)
}

fn common_headers() -> Value {
    json!({CORRELATION_ID: {"$ref": "#/components/headers/X-Correlation-Id"}})
}

/// The components of the headers.
pub(super) fn headers() -> Value {
    let header =
        |description: &str| json!({"description": description, "schema": {"type": "string"}});
    json!({
        "X-Correlation-Id": header("The id of the request. Support finds the request by it."),
        "WWW-Authenticate": header("RFC 6750, section 3."),
        "Allow": header("The methods of the path."),
        "Retry-After": header("The least number of seconds to wait."),
    })
}

/// The schemas of the error body.
pub(super) fn schemas() -> Map<String, Value> {
    let text = || json!({"type": "string"});
    let typed = |name: &str, properties: Value| {
        let mut properties = properties;
        properties["@type"] = json!({"const": format!("type.googleapis.com/google.rpc.{name}")});
        json!({"type": "object", "required": ["@type"], "properties": properties})
    };
    let violation = json!({
        "type": "object",
        "properties": {"field": text(), "description": text()},
    });
    let violations = json!({"fieldViolations": {"type": "array", "items": violation}});
    let info = json!({
        "reason": text(),
        "domain": text(),
        "metadata": {"type": "object", "additionalProperties": text()},
    });
    let quota = json!({
        "type": "object",
        "properties": {"subject": text(), "description": text()},
    });
    let quotas = json!({"violations": {"type": "array", "items": quota}});
    let status = json!({
        "type": "object",
        "description": "Every error. Branch on code and on the reason in ErrorInfo, never on message.",
        "required": ["code", "message", "details"],
        "properties": {
            "code": {"type": "integer", "description": "The number of the gRPC status code."},
            "message": text(),
            "details": {
                "type": "array",
                "items": {"anyOf": [
                    {"$ref": "#/components/schemas/google.rpc.BadRequest"},
                    {"$ref": "#/components/schemas/google.rpc.ErrorInfo"},
                    {"$ref": "#/components/schemas/google.rpc.RetryInfo"},
                    {"$ref": "#/components/schemas/google.rpc.QuotaFailure"},
                ]},
            },
        },
    });
    [
        ("google.rpc.Status", status),
        ("google.rpc.BadRequest", typed("BadRequest", violations)),
        ("google.rpc.ErrorInfo", typed("ErrorInfo", info)),
        (
            "google.rpc.RetryInfo",
            typed("RetryInfo", json!({"retryDelay": text()})),
        ),
        ("google.rpc.QuotaFailure", typed("QuotaFailure", quotas)),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}
