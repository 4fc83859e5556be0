//! One call of an operation with a request in JSON form, over REST or gRPC, and its outcome in a form that both have.

use invoicing_contract::{Code, Operation, Status, descriptor_pool};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use prost::Message as _;
use prost_reflect::{DynamicMessage, MethodDescriptor};
use reqwest::Method;
use serde_json::{Map, Value};
use tonic::transport::Channel;

use crate::fixtures::Response;
use crate::fixtures::gateway::GatewayClient;
use crate::fixtures::operations::path_parameters;

/// How an operation is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    Rest,
    Grpc,
}

impl Protocol {
    pub(super) const BOTH: [Self; 2] = [Self::Rest, Self::Grpc];
}

/// What both protocols tell about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    /// OK, or the code of the Status.
    pub(super) code: Code,
    /// The reason of its ErrorInfo; empty if there is none.
    pub(super) reason: String,
    /// The fields of its BadRequest.
    pub(super) fields: Vec<String>,
}

/// Calls `operation` with `request`, the JSON form of its whole request message, path parameters included.
pub(super) async fn call(
    client: &GatewayClient<'_>,
    channel: &Channel,
    operation: &Operation,
    request: &Value,
    protocol: Protocol,
) -> Outcome {
    match protocol {
        Protocol::Rest => {
            let response = send_rest(client, operation, request).await;
            rest_outcome(operation, &response)
        }
        Protocol::Grpc => {
            let answer = client
                .call_encoded(channel, operation, encode(operation, request))
                .await;
            grpc_outcome(answer)
        }
    }
}

/// The same over REST, with the whole response.
pub(super) async fn send_rest(
    client: &GatewayClient<'_>,
    operation: &Operation,
    request: &Value,
) -> Response {
    let mut fields = request
        .as_object()
        .cloned()
        .expect("a message is an object");
    let path = expand_path(operation.path, &mut fields);
    let verb = Method::from_bytes(operation.verb.as_bytes()).expect("an HTTP method");
    let has_body = !matches!(verb, Method::GET | Method::DELETE);
    let mut sent = client.request(verb, &path);
    sent = if has_body {
        sent.json(&Value::Object(fields))
    } else {
        sent.query(&query(&fields))
    };
    Response::read(sent.send().await.expect("a response")).await
}

fn rest_outcome(operation: &Operation, response: &Response) -> Outcome {
    if response.status.is_success() {
        return Outcome {
            code: Code::Ok,
            reason: String::new(),
            fields: Vec::new(),
        };
    }
    let status: Status = serde_json::from_str(&response.body).unwrap_or_else(|error| {
        panic!("{}: {error}: {:?}", operation.method, response);
    });
    assert!(
        !response.header("x-correlation-id").is_empty(),
        "every response has a correlation id"
    );
    outcome(&status)
}

/// The outcome of a gRPC call.
pub(super) fn grpc_outcome(answer: Result<(), tonic::Status>) -> Outcome {
    match answer {
        Ok(()) => Outcome {
            code: Code::Ok,
            reason: String::new(),
            fields: Vec::new(),
        },
        Err(status) => outcome(&Status::from(&status)),
    }
}

fn outcome(status: &Status) -> Outcome {
    Outcome {
        code: status.code,
        reason: status.reason().unwrap_or_default().to_owned(),
        fields: status
            .violations()
            .map(|violation| violation.field.clone())
            .collect(),
    }
}

/// The template with the values of its parameters, which are taken out of `fields`.
fn expand_path(template: &str, fields: &mut Map<String, Value>) -> String {
    path_parameters(template)
        .iter()
        .fold(template.to_owned(), |path, parameter| {
            let value = fields.remove(&json_name(parameter)).unwrap_or_default();
            let value = value.as_str().unwrap_or_default();
            let encoded = utf8_percent_encode(value, NON_ALPHANUMERIC).to_string();
            path.replace(&format!("{{{parameter}}}"), &encoded)
        })
}

/// The JSON name of a field: `document_key` is `documentKey`.
pub(super) fn json_name(field: &str) -> String {
    let mut words = field.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (head, rest) = word.split_at(word.len().min(1));
        format!("{name}{}{rest}", head.to_uppercase())
    })
}

/// Query parameters: `a.b=c` for a field of an inner message, the name again for each item of a list.
fn query(fields: &Map<String, Value>) -> Vec<(String, String)> {
    let mut parameters = Vec::new();
    for (name, value) in fields {
        collect_query(name, value, &mut parameters);
    }
    parameters
}

fn collect_query(name: &str, value: &Value, parameters: &mut Vec<(String, String)>) {
    match value {
        Value::Object(inner) => {
            for (field, value) in inner {
                collect_query(&format!("{name}.{field}"), value, parameters);
            }
        }
        Value::Array(items) => {
            for item in items {
                collect_query(name, item, parameters);
            }
        }
        Value::String(text) => parameters.push((name.to_owned(), text.clone())),
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            parameters.push((name.to_owned(), value.to_string()))
        }
    }
}

/// The descriptor of an operation.
pub(super) fn method(operation: &Operation) -> MethodDescriptor {
    let pool = descriptor_pool();
    let service = pool.get_service_by_name(operation.service);
    let mut methods = service
        .iter()
        .flat_map(prost_reflect::ServiceDescriptor::methods);
    methods
        .find(|method| method.name() == operation.method)
        .expect("an operation is a method")
}

fn encode(operation: &Operation, request: &Value) -> Vec<u8> {
    let message = DynamicMessage::deserialize(method(operation).input(), request);
    message
        .unwrap_or_else(|error| panic!("{}: {error}: {request}", operation.method))
        .encode_to_vec()
}

/// Whether the request of an operation has a field.
pub(super) fn has_field(operation: &Operation, name: &str) -> bool {
    let input = method(operation).input();
    input.get_field_by_name(name).is_some()
}

/// The JSON name of the field with the key that the caller makes for what an operation adds, as the comment of the field says.
pub(super) fn client_made_key(operation: &Operation) -> Option<String> {
    let input = method(operation).input();
    let file = input.parent_file_descriptor_proto();
    let source = file.source_code_info.as_ref();
    assert!(source.is_some(), "the descriptors have comments");
    let locations = &source?.location;
    let is_made_by_the_caller = |path: &[i32]| {
        let of_field = locations.iter().find(|location| location.path == path);
        let comment = of_field.and_then(|location| location.leading_comments.as_deref());
        comment.is_some_and(|comment| comment.contains("UUIDv7 of the caller"))
    };
    input
        .fields()
        .find(|field| is_made_by_the_caller(field.path()))
        .map(|field| field.json_name().to_owned())
}
