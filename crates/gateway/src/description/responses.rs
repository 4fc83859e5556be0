//! The error responses of the OpenAPI document, with an example of each (contract, part 7).

use http::StatusCode;
use invoicing_contract::Status;
use invoicing_contract::names::CORRELATION_ID;
use serde_json::{Map, Value, json};

use super::examples;

/// One error response: HTTP status, name of the component, and what it means.
struct ErrorResponse {
    status: StatusCode,
    name: &'static str,
    description: &'static str,
}

const fn error(status: StatusCode, name: &'static str, description: &'static str) -> ErrorResponse {
    ErrorResponse {
        status,
        name,
        description,
    }
}

/// Every error of every operation. 504 is that of files in chunks alone.
const ERRORS: [ErrorResponse; 13] = [
    error(
        StatusCode::BAD_REQUEST,
        "BadRequest",
        "INVALID_ARGUMENT with every wrong field, or FAILED_PRECONDITION: the state of the record does not allow it.",
    ),
    error(
        StatusCode::UNAUTHORIZED,
        "Unauthenticated",
        "The access token is invalid or expired. Refresh it or sign in again.",
    ),
    error(
        StatusCode::FORBIDDEN,
        "PermissionDenied",
        "No Authorization header, a scope that is not held, an organization without a grant, or a plan without the feature. \
         The body is the same in every case, and its message is in Arabic.",
    ),
    error(
        StatusCode::NOT_FOUND,
        "NotFound",
        "There is no such record in the organization, or no such path.",
    ),
    error(
        StatusCode::METHOD_NOT_ALLOWED,
        "MethodNotAllowed",
        "The path has no such method; Allow names those that it has.",
    ),
    error(
        StatusCode::REQUEST_TIMEOUT,
        "BodyTooSlow",
        "The body did not arrive in time.",
    ),
    error(
        StatusCode::CONFLICT,
        "Conflict",
        "ABORTED: the concurrency stamp is not the current one; read again, and repeat once. ALREADY_EXISTS: the key is taken.",
    ),
    error(
        StatusCode::PAYLOAD_TOO_LARGE,
        "BodyTooLarge",
        "The body is larger than the limit.",
    ),
    error(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "UnsupportedMediaType",
        "The body is of no media type that the operation takes, or is encoded.",
    ),
    error(
        StatusCode::TOO_MANY_REQUESTS,
        "ResourceExhausted",
        "A limit of requests or of the plan is reached, or too much of its kind is done at once.",
    ),
    error(
        StatusCode::INTERNAL_SERVER_ERROR,
        "Internal",
        "Something went wrong; the log has it under the correlation id.",
    ),
    error(
        StatusCode::SERVICE_UNAVAILABLE,
        "Unavailable",
        "Something that the service needs does not answer; repeat it later. Without a body: the organization has no tenant \
         yet, and nothing was done.",
    ),
    error(
        StatusCode::GATEWAY_TIMEOUT,
        "DeadlineExceeded",
        "The file was not made in time. A file that has begun is broken off instead.",
    ),
];

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

/// What an operation answers.
pub(super) enum Success {
    /// JSON with a schema.
    Json(Value),
    /// A file, as a whole, whose entity tag a request can name.
    File,
    /// A file in chunks.
    Stream,
}

/// The responses of an operation, by status.
pub(super) fn of_operation(takes_body: bool, success: Success) -> Value {
    let mut responses = Map::new();
    let mut headers = common_headers();
    let is_stream = matches!(success, Success::Stream);
    let (of_file, content) = match success {
        Success::Json(schema) => (&[][..], json!({"application/json": {"schema": schema}})),
        Success::File => (
            &["Content-Disposition", "ETag", "Cache-Control"][..],
            file(),
        ),
        Success::Stream => (&["Content-Disposition", "X-Row-Count"][..], file()),
    };
    add_headers(&mut headers, of_file);
    if of_file.contains(&"ETag") {
        let described = json!({
            "description": "The file is the one that If-None-Match names. There is no body.",
            "headers": headers,
        });
        responses.insert(StatusCode::NOT_MODIFIED.as_str().to_owned(), described);
    }
    responses.insert(
        "200".to_owned(),
        json!({"description": "Done.", "headers": headers, "content": content}),
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
    for error in &ERRORS {
        let is_answered = match error.status {
            StatusCode::GATEWAY_TIMEOUT => is_stream,
            status => takes_body || !of_bodies.contains(&status),
        };
        if is_answered {
            let reference = format!("#/components/responses/{}", error.name);
            responses.insert(error.status.as_str().to_owned(), json!({"$ref": reference}));
        }
    }
    Value::Object(responses)
}

/// The content of a file, whose bytes are no JSON.
fn file() -> Value {
    json!({"*/*": {"schema": {"type": "string", "format": "binary"}}})
}

/// The components of the error responses, with the examples of this crate and `others`.
pub(super) fn components(others: &[Status]) -> Value {
    let mut components = Map::new();
    let mut examples = examples::by_status(others);
    for error in &ERRORS {
        let mut headers = common_headers();
        let more: &[&str] = match error.status {
            StatusCode::UNAUTHORIZED => &["WWW-Authenticate"],
            StatusCode::METHOD_NOT_ALLOWED => &["Allow"],
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => &["Retry-After"],
            _ => &[],
        };
        add_headers(&mut headers, more);
        components.insert(
            error.name.to_owned(),
            json!({
                "description": error.description,
                "headers": headers,
                "content": {
                    "application/json": {
                        "schema": {"$ref": "#/components/schemas/google.rpc.Status"},
                        "examples": examples.remove(&error.status),
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

fn add_headers(headers: &mut Value, names: &[&str]) {
    for name in names {
        headers[*name] = json!({"$ref": format!("#/components/headers/{name}")});
    }
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
        "Content-Disposition": header("The name of the file (RFC 6266)."),
        "ETag": header("The entity tag of the file, for If-None-Match."),
        "X-Row-Count": header("How many rows a workbook has, without that of the names."),
        "Cache-Control": header("A private cache may store the file, and asks each time whether it is still the same."),
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
