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
mod whole_number;

use std::sync::Arc;

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
use self::json::JsonError;
use self::message_reader::MessageReader;
pub use self::routes::RouteError;
pub(crate) use self::routes::{RawBody, Target, raw_body};
use self::routes::{Route, Routes};
use crate::body::{BodyReader, MAX_BODY_BYTES, ReceivedBody, read_empty};
use crate::gateway_error::GatewayError;

/// The field of a message that gets the media type of a body which is a file.
pub(crate) const MEDIA_TYPE_FIELD: &str = "media_type";

/// Finds the operation of a REST request, and calls it.
pub(crate) struct Transcoder {
    routes: Routes,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    bodies: Arc<BodyReader>,
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
        bodies: Arc<BodyReader>,
    ) -> Result<Self, RouteError> {
        Ok(Self {
            routes: Routes::new(|operation| handlers.get(operation).cloned())?,
            store,
            clock,
            bodies,
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
        let form = BodyForm::of(route, &parts.headers)?;
        let body = match form {
            BodyForm::Absent => read_empty(body).await?,
            BodyForm::Json | BodyForm::Raw { .. } => {
                let organization = context.organization();
                self.bodies.read(body, MAX_BODY_BYTES, organization).await?
            }
        };
        if !route.keeps_answers {
            let answer = call(route, &variables, &parts, (form, body), context).await?;
            return Ok(answer.into_response());
        }
        let now = self.clock.timestamp();
        let question = Question::of(route, &parts, &body.bytes, &context, now);
        // Before anything is read: what is committed meanwhile leaves the answer with an earlier version.
        let question = question.zip(self.store.data_version());
        if let Some((question, version)) = &question
            && let Some(answer) = self.answers.get(question, *version)
        {
            return Ok(answer.into_response());
        }
        let answer = call(route, &variables, &parts, (form, body), context).await?;
        if let (Some((question, version)), Answer::Json(answer)) = (question, &answer) {
            self.answers.insert(question, version, answer);
        }
        Ok(answer.into_response())
    }
}

/// Calls the handler of a route with the message of a request. The room of its body is held meanwhile.
async fn call(
    route: &Route,
    variables: &[(String, String)],
    parts: &Parts,
    (form, body): (BodyForm<'_>, ReceivedBody),
    context: RequestContext,
) -> Result<Answer, GatewayError> {
    let ReceivedBody { bytes, held: _held } = body;
    let message = read_message(route, parts, (form, bytes), variables)?;
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

/// What the body of a request is.
#[derive(Debug, Clone, Copy)]
enum BodyForm<'request> {
    /// There is none.
    Absent,
    /// The message, or a part of it, in JSON.
    Json,
    /// A field of the message.
    Raw {
        field: &'request RawBody,
        media_type: &'request str,
    },
}

impl<'request> BodyForm<'request> {
    /// The form that a body with these headers has.
    ///
    /// # Errors
    /// The operation takes no body of this media type.
    fn of(route: &'request Route, headers: &'request HeaderMap) -> Result<Self, GatewayError> {
        if !route.takes_body {
            return Ok(Self::Absent);
        }
        let (media_type, parameters) =
            media_type(headers).ok_or_else(GatewayError::unsupported_content_type)?;
        match route.raw_body.as_ref().filter(|raw| raw.takes(media_type)) {
            Some(field) => Ok(Self::Raw { field, media_type }),
            None if is_json(media_type, parameters) => Ok(Self::Json),
            None => Err(GatewayError::unsupported_content_type()),
        }
    }
}

fn is_json(media_type: &str, parameters: &str) -> bool {
    let mut parameters = parameters.split(';').map(str::trim);
    let utf8 = parameters
        .all(|parameter| parameter.is_empty() || parameter.eq_ignore_ascii_case("charset=utf-8"));
    media_type.eq_ignore_ascii_case("application/json") && utf8
}

/// The message of a body in JSON.
fn read_json(
    reader: &mut MessageReader,
    route: &Route,
    bytes: Bytes,
) -> Result<DynamicMessage, GatewayError> {
    let json = json::parse(&bytes).map_err(|error| match error {
        JsonError::TooManyValues => GatewayError::from(too_many_values()),
        JsonError::Syntax { .. } | JsonError::TooDeep | JsonError::NotUtf8(_) => {
            GatewayError::malformed_body(vec![FieldViolation::new("", error.to_string())])
        }
    })?;
    // Its values are copies, and one form of them is enough.
    drop(bytes);
    Ok(reader.read_message(&route.input, json, ""))
}

/// Body, path variables and query as the operation's message.
fn read_message(
    route: &Route,
    parts: &Parts,
    (form, bytes): (BodyForm<'_>, Bytes),
    variables: &[(String, String)],
) -> Result<DynamicMessage, GatewayError> {
    let mut reader = MessageReader::default();
    let mut message = match form {
        BodyForm::Absent => DynamicMessage::new(route.input.clone()),
        BodyForm::Json => read_json(&mut reader, route, bytes)?,
        BodyForm::Raw { field, media_type } => raw_message(route, field, media_type, bytes),
    };
    reader.set_path_variables(&mut message, variables);
    let query = parts.uri.query().unwrap_or_default();
    let query_allowed = !matches!(form, BodyForm::Json);
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
