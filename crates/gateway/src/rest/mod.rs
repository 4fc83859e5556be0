//! REST by transcoding (the google.api.http annotations of the .proto files): JSON to a message, the handler of the
//! operation, and its answer to JSON.

pub(crate) mod fuzz_checks;
mod json;
mod message_reader;
mod routes;

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, VARY};
use http::{HeaderMap, Method};
use invoicing_contract::handlers::UnaryHandlers;
use invoicing_contract::{Code, FieldViolation, Status};
use invoicing_http::{RequestContext, accepts_gzip, gzip};
use prost::Message as _;
use prost_reflect::{DynamicMessage, SerializeOptions};

use self::json::Json;
use self::message_reader::MessageReader;
pub use self::routes::RouteError;
pub(crate) use self::routes::Target;
use self::routes::{Route, Routes};
use crate::body::{MAX_BODY_BYTES, read_limited};
use crate::gateway_error::GatewayError;

/// The least bytes of an answer that is compressed. A smaller one fits into one packet either way.
const COMPRESSED_BYTES: usize = 1_400;

/// Finds the operation of a REST request.
pub(crate) struct Transcoder {
    routes: Routes,
}

impl Transcoder {
    /// The routes of all operations of the contract, which `handlers` serve.
    ///
    /// # Errors
    /// See [`RouteError`].
    pub(crate) fn new(handlers: &UnaryHandlers) -> Result<Self, RouteError> {
        let routes = Routes::new(|operation| handlers.get(operation).cloned())?;
        Ok(Self { routes })
    }

    pub(crate) fn target(&self, method: &Method, path: &str) -> Target<'_> {
        self.routes.find(method, path)
    }
}

/// Reads the message of an authorized request, calls the handler, and writes its answer: steps 9 to 11 of decision 0025.
///
/// # Errors
/// The target is no operation, the body is not its message, or the handler returned an error status.
pub(crate) async fn handle(
    target: Target<'_>,
    request: Request,
    context: RequestContext,
) -> Result<Response, GatewayError> {
    let (route, variables) = match target {
        Target::Route(route, variables) => (route, variables),
        Target::MethodNotAllowed(allowed) => {
            return Err(GatewayError::method_not_allowed(&allowed));
        }
        Target::NotFound => return Err(GatewayError::unknown_path()),
    };
    let (parts, body) = request.into_parts();
    let message = if route.takes_body {
        if !is_json(&parts.headers) {
            return Err(GatewayError::unsupported_content_type());
        }
        read_body(body).await?
    } else {
        Json::Object(Vec::new())
    };
    let compress = accepts_gzip(&parts.headers);
    let message = read_message(route, message, &variables, parts.uri.query())?;
    let correlation_id = context.correlation_id.clone();
    let mut request = tonic::Request::new(Bytes::from(message.encode_to_vec()));
    request.extensions_mut().insert(context);
    let answer = (route.handler)(request)
        .await
        .map_err(|status| GatewayError::from_handler(&status))?;
    write_answer(route, &answer, compress).map_err(|error| {
        tracing::error!(
            correlation_id,
            error = &error as &dyn std::error::Error,
            "the answer of a handler cannot be written as JSON"
        );
        Status::new(
            Code::Internal,
            "INTERNAL",
            "something went wrong; the log has it under the correlation id",
        )
        .into()
    })
}

/// Whether the body is JSON without a content coding, which could expand to any size.
fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(content_type), None) = (
        types.next().and_then(|value| value.to_str().ok()),
        types.next(),
    ) else {
        return false;
    };
    let mut parts = content_type.split(';').map(str::trim);
    let json = parts
        .next()
        .is_some_and(|media_type| media_type.eq_ignore_ascii_case("application/json"));
    let utf8 = parts
        .all(|parameter| parameter.is_empty() || parameter.eq_ignore_ascii_case("charset=utf-8"));
    json && utf8 && !headers.contains_key(CONTENT_ENCODING)
}

async fn read_body(body: Body) -> Result<Json, GatewayError> {
    let bytes = read_limited(body, MAX_BODY_BYTES).await?;
    json::parse(&bytes).map_err(|error| {
        GatewayError::malformed_body(vec![FieldViolation::new("", error.to_string())])
    })
}

/// Body, path variables and query as the operation's message.
fn read_message(
    route: &Route,
    body: Json,
    variables: &[(String, String)],
    query: Option<&str>,
) -> Result<DynamicMessage, GatewayError> {
    let mut reader = MessageReader::default();
    let mut message = reader.read_message(&route.input, body, "");
    reader.set_path_variables(&mut message, variables);
    reader.set_query_parameters(&mut message, query.unwrap_or_default(), !route.takes_body);
    if reader.violations.is_empty() {
        Ok(message)
    } else {
        Err(GatewayError::malformed_body(reader.violations))
    }
}

/// Why an answer cannot be written.
#[derive(Debug, thiserror::Error)]
enum AnswerError {
    #[error("the handler's answer is not the message of the operation")]
    Decode(#[from] prost::DecodeError),
    #[error("the message has no JSON form")]
    Serialize(#[from] serde_json::Error),
    #[error("the JSON cannot be compressed")]
    Compress(#[source] std::io::Error),
}

/// The encoded answer of a handler as JSON, with the fields that have their default.
fn write_answer(route: &Route, answer: &[u8], compress: bool) -> Result<Response, AnswerError> {
    let message = DynamicMessage::decode(route.output.clone(), answer)?;
    let mut body = Vec::new();
    let options = SerializeOptions::new().skip_default_fields(false);
    message.serialize_with_options(&mut serde_json::Serializer::new(&mut body), &options)?;
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (VARY, "accept-encoding"),
    ];
    if compress && body.len() >= COMPRESSED_BYTES {
        let body = gzip(&body).map_err(AnswerError::Compress)?;
        return Ok((headers, [(CONTENT_ENCODING, "gzip")], body).into_response());
    }
    Ok((headers, body).into_response())
}
