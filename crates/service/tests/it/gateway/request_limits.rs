//! Tests of the limits of every repeated field and every text of a request, over REST and gRPC.

use invoicing_contract::messages::documents::{Filter, ListDocumentsRequest};
use invoicing_contract::request_limits::max_items;
use invoicing_contract::{Operation, Status, descriptor_pool, operation};
use prost::Message as _;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, SerializeOptions, Value,
};
use reqwest::Method;
use serde_json::json;
use tonic::Code;

use super::identity::{signed_in, with_administrator};
use crate::fixtures::gateway::{GatewayClient, channel, violation_fields};
use crate::fixtures::operations::path_with;
use crate::fixtures::{HESSA, NOURA, Response, Service};

const KEY: &str = "01935e2a-7c00-7000-8000-000000000009";

/// Texts that may be longer than 10,000 characters: what only the size of a request limits, and the text of the rules.
const UNLIMITED_TEXTS: [&str; 3] = [
    "CreateDocument changes.content.invoice.documents[0].attachment.content",
    "UpdateDocument changes.content.invoice.documents[0].attachment.content",
    "CheckRules text",
];

#[tokio::test]
async fn forty_thousand_statuses_are_an_invalid_argument() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    for operation in [&operation::LIST_INVOICES, &operation::LIST_DOCUMENTS] {
        let body = json!({"filter": {"status": vec!["DRAFT"; 40_000]}});
        let response = gateway.post(operation.path, body).await;
        assert_eq!(response.status, 400, "{}", response.body);
        assert_eq!(violation_fields(&response), ["filter.status"]);
        let filter = Filter {
            status: vec![1; 40_000],
            ..Filter::default()
        };
        // The requests of both lists have the same field numbers.
        let request = ListDocumentsRequest {
            filter: Some(filter),
            ..ListDocumentsRequest::default()
        };
        let channel = channel(&service).await;
        let refused = gateway
            .call_encoded(&channel, operation, request.encode_to_vec())
            .await;
        let refused = refused.expect_err("the request is refused");
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused:?}");
        let repeated =
            json!({"filter": {"status": ["DRAFT", "DRAFT"], "currency": ["SAR", "SAR"]}});
        let response = gateway.post(operation.path, repeated).await;
        assert_eq!(response.status, 200, "{}", response.body);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn text_with_u_0000_is_an_invalid_argument_on_both_engines() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let channel = channel(&service).await;
    for operation in [&operation::LIST_INVOICES, &operation::LIST_DOCUMENTS] {
        let body = json!({"filter": {"number": "\0"}});
        let response = gateway.post(operation.path, body).await;
        assert_eq!(response.status, 400, "{}", response.body);
        assert_eq!(violation_fields(&response), ["filter.number"]);
        let filter = Filter {
            buyer: "Najd\0".to_owned(),
            ..Filter::default()
        };
        let request = ListDocumentsRequest {
            filter: Some(filter),
            ..ListDocumentsRequest::default()
        };
        let refused = gateway
            .call_encoded(&channel, operation, request.encode_to_vec())
            .await;
        let refused = refused.expect_err("the request is refused");
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused:?}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn every_repeated_field_of_every_operation_has_a_limit() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let hessa = signed_in(&service, HESSA).await;
    let channel = channel(&service).await;
    let mut checked = 0;
    for operation in operation::ALL {
        let caller = if operation.is_platform() {
            &hessa
        } else {
            &noura
        };
        for path in fields(operation, |field| field.is_list()) {
            let list = path.last().expect("a path is not empty");
            let Some(max) = max_items(list.full_name()) else {
                assert!(is_output(list), "{} has no limit", list.full_name());
                continue;
            };
            let values = Value::List(vec![Value::default_value(&list.kind()); max + 1]);
            let message = request_message(operation, &path, values);
            let expected = [json_path(&path)];
            let rest = send_rest(caller, operation, &message).await;
            assert_eq!(rest.status, 400, "{expected:?} {}", rest.body);
            assert_eq!(violation_fields(&rest), expected, "{}", operation.method);
            let grpc = caller
                .call_encoded(&channel, operation, message.encode_to_vec())
                .await;
            let grpc = grpc.expect_err("the request is refused");
            let status = Status::from(&grpc);
            assert_eq!(grpc.code(), Code::InvalidArgument, "{expected:?} {grpc:?}");
            let reported: Vec<_> = status
                .violations()
                .map(|violation| violation.field.clone())
                .collect();
            assert_eq!(reported, expected, "{}", operation.method);
            checked += 1;
            if max > 1_000 {
                // Each of so many empty lines breaks rules, which takes long.
                continue;
            }
            let values = Value::List(vec![Value::default_value(&list.kind()); max]);
            let most = send_rest(
                &noura,
                operation,
                &request_message(operation, &path, values),
            )
            .await;
            assert!(
                !most.body.contains("INV-TOO-MANY"),
                "{max} values are allowed: {}",
                most.body
            );
        }
    }
    assert!(checked > 0, "requests have repeated fields");
    service.running.shutdown().await;
}

#[tokio::test]
async fn every_text_of_every_operation_has_a_limit() {
    let service = with_administrator().await;
    let noura = signed_in(&service, NOURA).await;
    let hessa = signed_in(&service, HESSA).await;
    let channel = channel(&service).await;
    let mut unlimited = Vec::new();
    for operation in operation::ALL {
        let caller = if operation.is_platform() {
            &hessa
        } else {
            &noura
        };
        for path in fields(operation, |field| field.kind() == Kind::String) {
            let field = path.last().expect("a path is not empty");
            if path.iter().any(is_output) {
                continue;
            }
            let text = Value::String("x".repeat(10_001));
            let value = if field.is_list() {
                Value::List(vec![text])
            } else {
                text
            };
            let message = request_message(operation, &path, value);
            let name = json_path(&path);
            let refused = match caller
                .call_encoded(&channel, operation, message.encode_to_vec())
                .await
            {
                Ok(()) => false,
                Err(status) => Status::from(&status)
                    .violations()
                    .any(|violation| violation.field.starts_with(&name)),
            };
            if !refused {
                unlimited.push(format!("{} {name}", operation.method));
            }
        }
    }
    assert_eq!(unlimited, UNLIMITED_TEXTS, "texts without a limit");
    service.running.shutdown().await;
}

/// The paths of the fields of an operation's request that `matches` accepts, at any depth.
fn fields(
    operation: &Operation,
    matches: impl Fn(&FieldDescriptor) -> bool,
) -> Vec<Vec<FieldDescriptor>> {
    let mut found = Vec::new();
    collect(&input(operation), &mut Vec::new(), &matches, &mut found);
    found
}

fn collect(
    message: &MessageDescriptor,
    parents: &mut Vec<FieldDescriptor>,
    matches: &impl Fn(&FieldDescriptor) -> bool,
    found: &mut Vec<Vec<FieldDescriptor>>,
) {
    for field in message.fields() {
        parents.push(field.clone());
        if matches(&field) {
            found.push(parents.clone());
        }
        // A field mask is a text in JSON, and has limits of its own.
        if let Kind::Message(inner) = field.kind()
            && !is_output(&field)
            && inner.package_name() != "google.protobuf"
        {
            collect(&inner, parents, matches, found);
        }
        parents.pop();
    }
}

fn input(operation: &Operation) -> MessageDescriptor {
    let pool = descriptor_pool();
    let service = pool
        .get_service_by_name(operation.service)
        .expect("the service of an operation");
    let method = service
        .methods()
        .find(|method| method.name() == operation.method);
    method.expect("the method of an operation").input()
}

fn is_output(field: &FieldDescriptor) -> bool {
    let option = field
        .parent_pool()
        .get_extension_by_name("invoicing.output")
        .expect("the option exists");
    *field.options().get_extension(&option) == Value::Bool(true)
}

/// The request of an operation with `value` at `path`. The lists above it have one item.
fn request_message(
    operation: &Operation,
    path: &[FieldDescriptor],
    value: Value,
) -> DynamicMessage {
    let mut value = value;
    for (depth, field) in path.iter().enumerate().rev() {
        let parent = match depth.checked_sub(1).map(|above| path[above].kind()) {
            Some(Kind::Message(parent)) => parent,
            _ => input(operation),
        };
        let mut message = DynamicMessage::new(parent);
        message.set_field(field, value);
        let above = depth.checked_sub(1).map(|above| &path[above]);
        value = match above {
            Some(above) if above.is_list() => Value::List(vec![Value::Message(message)]),
            Some(_) => Value::Message(message),
            None => return message,
        };
    }
    unreachable!("a path is not empty")
}

/// The path in a violation: items of lists above the last field are `[0]`.
fn json_path(path: &[FieldDescriptor]) -> String {
    let (last, above) = path.split_last().expect("a path is not empty");
    let above = above.iter().map(|field| {
        format!(
            "{}{}.",
            field.json_name(),
            if field.is_list() { "[0]" } else { "" }
        )
    });
    above.collect::<String>() + last.json_name()
}

async fn send_rest(
    client: &GatewayClient<'_>,
    operation: &Operation,
    message: &DynamicMessage,
) -> Response {
    let mut body = Vec::new();
    let mut serializer = serde_json::Serializer::new(&mut body);
    message
        .serialize_with_options(&mut serializer, &SerializeOptions::new())
        .expect("a message has a JSON form");
    let verb = Method::from_bytes(operation.verb.as_bytes()).expect("an HTTP method");
    let path = path_with(operation, KEY);
    let request = client
        .request(verb, &path)
        .header("content-type", "application/json")
        .body(body);
    Response::read(request.send().await.expect("a response")).await
}
