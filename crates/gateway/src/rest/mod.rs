//! REST from the annotations of the .proto files: JSON in, the gRPC handler in process, JSON out.

mod json;
mod message;
mod routes;

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use bytes::{BufMut as _, Bytes, BytesMut};
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Version};
use http_body_util::BodyExt as _;
use invoicing_contract::{Code, FieldViolation, Status};
use prost::Message as _;
use prost_reflect::{DynamicMessage, SerializeOptions};

use self::json::Json;
use self::message::Reading;
pub(super) use self::routes::Target;
use self::routes::{Route, Routes};
use super::grpc::{self, LARGEST, Services};
use super::refusal::Refusal;
use invoicing_http::RequestContext;

pub(super) struct Transcoder {
    routes: Routes,
}

impl Transcoder {
    /// Reads the annotations of the contract.
    pub(super) fn new() -> Self {
        let routes = Routes::read()
            .expect("the annotations are part of this program, and a test reads them all");
        Self { routes }
    }

    pub(super) fn target(&self, method: &Method, path: &str) -> Target<'_> {
        self.routes.find(method, path)
    }

    /// Steps 9 and 10, then the handler.
    pub(super) async fn answer(
        &self,
        target: Target<'_>,
        request: Request,
        caller: RequestContext,
        services: &Services,
    ) -> Result<Response, Refusal> {
        let (route, variables) = match target {
            Target::Route(route, variables) => (route, variables),
            Target::WrongMethod(allowed) => return Err(Refusal::wrong_method(&allowed)),
            Target::Unknown => return Err(Refusal::unknown_path()),
        };
        let (parts, body) = request.into_parts();
        if route.takes_body && !is_json(&parts.headers) {
            return Err(Refusal::wrong_content_type());
        }
        let body = if route.takes_body {
            grpc::whole(body, LARGEST).await?
        } else {
            Bytes::new()
        };
        let message = read(route, &variables, parts.uri.query(), &body)?;
        let correlation_id = caller.correlation_id.clone();
        call(route, &message, caller, services)
            .await
            .map_err(|failure| match failure {
                Failure::Status(status) => grpc::refused(&status),
                Failure::Broken(reason) => {
                    tracing::error!(
                        correlation_id,
                        reason,
                        "a handler's answer could not be rendered"
                    );
                    let told = "something went wrong; the log has it under the correlation id";
                    Status::new(Code::Internal, "INTERNAL", told).into()
                }
            })
    }
}

/// JSON and not encoded: a compressed body could unfold without bound.
fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(kind), None) = (
        types.next().and_then(|value| value.to_str().ok()),
        types.next(),
    ) else {
        return false;
    };
    let mut parts = kind.split(';').map(str::trim);
    let json = parts
        .next()
        .is_some_and(|kind| kind.eq_ignore_ascii_case("application/json"));
    let utf8 = parts
        .all(|parameter| parameter.is_empty() || parameter.eq_ignore_ascii_case("charset=utf-8"));
    json && utf8 && !headers.contains_key(CONTENT_ENCODING)
}

/// Body, path variables and query as the operation's message.
fn read(
    route: &Route,
    variables: &[(String, String)],
    query: Option<&str>,
    body: &[u8],
) -> Result<DynamicMessage, Refusal> {
    let mut reading = Reading::default();
    let json = if route.takes_body {
        json::parse(body)
            .map_err(|error| Refusal::malformed(vec![FieldViolation::new("", error.to_string())]))?
    } else {
        Json::Object(Vec::new())
    };
    let mut message = reading.message(&route.input, json, "");
    reading.variables(&mut message, variables);
    reading.query(&mut message, query.unwrap_or_default(), !route.takes_body);
    if reading.violations.is_empty() {
        return Ok(message);
    }
    Err(Refusal::malformed(reading.violations))
}

enum Failure {
    Status(Box<tonic::Status>),
    Broken(String),
}

impl Failure {
    fn broken(error: &impl ToString) -> Self {
        Self::Broken(error.to_string())
    }
}

/// One gRPC call in process.
async fn call(
    route: &Route,
    message: &DynamicMessage,
    caller: RequestContext,
    services: &Services,
) -> Result<Response, Failure> {
    let encoded = message.encode_to_vec();
    let mut frame = BytesMut::with_capacity(encoded.len() + 5);
    frame.put_u8(0);
    frame.put_u32(u32::try_from(encoded.len()).map_err(|error| Failure::broken(&error))?);
    frame.extend_from_slice(&encoded);
    let mut request = Request::new(Body::from(frame.freeze()));
    *request.method_mut() = Method::POST;
    *request.version_mut() = Version::HTTP_2;
    *request.uri_mut() = route
        .operation
        .grpc_path()
        .parse()
        .map_err(|error: http::uri::InvalidUri| Failure::broken(&error))?;
    request
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    request.extensions_mut().insert(caller);

    let (parts, body) = services.call(request).await.into_parts();
    let collected = body
        .collect()
        .await
        .map_err(|error| Failure::broken(&error))?;
    let trailers = collected.trailers().cloned().unwrap_or_default();
    let status = tonic::Status::from_header_map(&trailers)
        .or_else(|| tonic::Status::from_header_map(&parts.headers));
    match status {
        Some(status) if status.code() == tonic::Code::Ok => {}
        Some(status) => return Err(Failure::Status(Box::new(status))),
        None => return Err(Failure::Broken("an answer without a status".to_owned())),
    }
    render(route, &collected.to_bytes())
}

fn render(route: &Route, frame: &[u8]) -> Result<Response, Failure> {
    let message = frame
        .get(5..)
        .ok_or_else(|| Failure::Broken("an answer without a message".to_owned()))?;
    let message = DynamicMessage::decode(route.output.clone(), message)
        .map_err(|error| Failure::broken(&error))?;
    let mut body = Vec::new();
    let options = SerializeOptions::new().skip_default_fields(false);
    let written =
        message.serialize_with_options(&mut serde_json::Serializer::new(&mut body), &options);
    written.map_err(|error| Failure::broken(&error))?;
    Ok((StatusCode::OK, [(CONTENT_TYPE, "application/json")], body).into_response())
}
