//! REST by transcoding (the google.api.http annotations of the .proto files): JSON to a message, the handler of the
//! operation, and its answer to JSON.

mod answer;
mod answer_cache;
pub(crate) mod fuzz_checks;
mod json;
mod message_reader;
mod message_writer;
mod read_mask;
mod routes;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderMap, Method};
use invoicing_contract::FieldViolation;
use invoicing_contract::handlers::{Handler, Handlers};
use invoicing_contract::request_values::too_many_values;
use invoicing_http::RequestContext;
use invoicing_storage::{Clock, Store};
use prost::Message as _;
use prost_reflect::{DynamicMessage, Value};

use self::answer::Answer;
use self::answer_cache::{AnswerCache, Question};
use self::json::{Json, JsonError};
use self::message_reader::MessageReader;
pub use self::routes::RouteError;
pub(crate) use self::routes::{RawBody, Target, raw_body};
use self::routes::{Route, Routes};
use crate::body::{MAX_BODY_BYTES, read_limited};
use crate::gateway_error::GatewayError;

/// The field of a message that gets the media type of a body which is a file.
pub(crate) const MEDIA_TYPE_FIELD: &str = "media_type";

/// Finds the operation of a REST request, and calls it.
pub(crate) struct Transcoder {
    routes: Routes,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    answers: AnswerCache,
}

impl Transcoder {
    /// The routes of all operations of the contract, which `handlers` serve from `store`.
    ///
    /// # Errors
    /// See [`RouteError`].
    pub(crate) fn new(
        handlers: &Handlers,
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, RouteError> {
        Ok(Self {
            routes: Routes::new(|operation| handlers.get(operation).cloned())?,
            store,
            clock,
            answers: AnswerCache::new(),
        })
    }

    pub(crate) fn target(&self, method: &Method, path: &str) -> Target<'_> {
        self.routes.find(method, path)
    }

    /// Reads the message of an authorized request, calls the handler, and writes its answer: steps 9 to 11 of decision 0025.
    ///
    /// # Errors
    /// The target is no operation, the body is not its message, or the handler returned an error status.
    pub(crate) async fn handle(
        &self,
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
        if !route.keeps_answers || !has_json(&parts.headers) {
            let answer = call(route, &variables, &parts, body, context).await?;
            return Ok(answer.into_response());
        }
        let body = read_limited(body, MAX_BODY_BYTES).await?;
        let question = Question::of(route, &parts, &body, &context, self.clock.timestamp());
        // Before anything is read: what is committed meanwhile leaves the answer with an earlier version.
        let question = question.zip(self.store.data_version());
        if let Some((question, version)) = &question
            && let Some(answer) = self.answers.get(question, *version)
        {
            return Ok(answer.into_response());
        }
        let answer = call(route, &variables, &parts, Body::from(body), context).await?;
        if let (Some((question, version)), Answer::Json(answer)) = (question, &answer) {
            self.answers.insert(question, version, answer);
        }
        Ok(answer.into_response())
    }
}

/// Calls the handler of a route with the message of a request.
async fn call(
    route: &Route,
    variables: &[(String, String)],
    parts: &Parts,
    body: Body,
    context: RequestContext,
) -> Result<Answer, GatewayError> {
    let message = read_message(route, parts, body, variables).await?;
    let read_fields = route
        .read_mask
        .as_ref()
        .and_then(|mask| mask.read(&message));
    let correlation_id = context.correlation_id.clone();
    let mut request = tonic::Request::new(Bytes::from(message.encode_to_vec()));
    // The handler decodes the bytes, and one form of them is enough while it works.
    drop(message);
    request.extensions_mut().insert(context);
    match &route.handler {
        Handler::Unary(handler) => {
            let answer = handler(request).await;
            let answer = answer.map_err(|status| GatewayError::from_handler(&status))?;
            answer::write_answer(route, &parts.headers, read_fields.as_ref(), &answer)
                .map_err(|error| answer::failed(&correlation_id, &error))
        }
        Handler::Stream(handler) => {
            let answers = handler(request).await;
            let answers = answers.map_err(|status| GatewayError::from_handler(&status))?;
            let file = answer::write_stream(answers, correlation_id).await?;
            Ok(Answer::File(file))
        }
    }
}

/// The media type of a body without a content coding, which could expand to any size, and its parameters.
fn media_type(headers: &HeaderMap) -> Option<(&str, &str)> {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(content_type), None) = (types.next(), types.next()) else {
        return None;
    };
    if headers.contains_key(CONTENT_ENCODING) {
        return None;
    }
    let content_type = content_type.to_str().ok()?;
    let (media_type, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
    Some((media_type.trim(), parameters))
}

fn has_json(headers: &HeaderMap) -> bool {
    media_type(headers).is_some_and(|(media_type, parameters)| is_json(media_type, parameters))
}

fn is_json(media_type: &str, parameters: &str) -> bool {
    let mut parameters = parameters.split(';').map(str::trim);
    let utf8 = parameters
        .all(|parameter| parameter.is_empty() || parameter.eq_ignore_ascii_case("charset=utf-8"));
    media_type.eq_ignore_ascii_case("application/json") && utf8
}

async fn read_body(body: Body) -> Result<Json, GatewayError> {
    let bytes = read_limited(body, MAX_BODY_BYTES).await?;
    json::parse(&bytes).map_err(|error| match error {
        JsonError::TooManyValues => too_many_values().into(),
        JsonError::Syntax { .. } | JsonError::TooDeep | JsonError::NotUtf8(_) => {
            GatewayError::malformed_body(vec![FieldViolation::new("", error.to_string())])
        }
    })
}

/// Body, path variables and query as the operation's message.
async fn read_message(
    route: &Route,
    parts: &Parts,
    body: Body,
    variables: &[(String, String)],
) -> Result<DynamicMessage, GatewayError> {
    let mut reader = MessageReader::default();
    let mut query_allowed = !route.takes_body;
    let mut message = if route.takes_body {
        let (media_type, parameters) =
            media_type(&parts.headers).ok_or_else(GatewayError::unsupported_content_type)?;
        let raw = route.raw_body.as_ref();
        if let Some(raw) = raw.filter(|raw| raw.takes(media_type)) {
            query_allowed = true;
            let bytes = read_limited(body, MAX_BODY_BYTES).await?;
            raw_message(route, raw, media_type, bytes)
        } else if is_json(media_type, parameters) {
            reader.read_message(&route.input, read_body(body).await?, "")
        } else {
            return Err(GatewayError::unsupported_content_type());
        }
    } else {
        DynamicMessage::new(route.input.clone())
    };
    reader.set_path_variables(&mut message, variables);
    let query = parts.uri.query().unwrap_or_default();
    reader.set_query_parameters(&mut message, query, query_allowed);
    if reader.violations.is_empty() {
        Ok(message)
    } else {
        Err(GatewayError::malformed_body(reader.violations))
    }
}

/// A message with a body as its field, and the type of that in `media_type`, if it has such a field.
fn raw_message(route: &Route, raw: &RawBody, media_type: &str, bytes: Bytes) -> DynamicMessage {
    let mut message = DynamicMessage::new(route.input.clone());
    message.set_field(&raw.field, Value::Bytes(bytes));
    if let Some(field) = route.input.get_field_by_name(MEDIA_TYPE_FIELD) {
        message.set_field(&field, Value::String(media_type.to_ascii_lowercase()));
    }
    message
}
