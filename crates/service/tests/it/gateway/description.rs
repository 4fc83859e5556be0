//! Tests of the description of the API: the OpenAPI document, the page that shows it, and reflection (decision 0128).

use std::collections::BTreeSet;

use invoicing_contract::operation;
use reqwest::StatusCode;
use serde_json::Value;
use tonic_reflection::pb::v1alpha::ServerReflectionRequest;
use tonic_reflection::pb::v1alpha::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1alpha::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1alpha::server_reflection_response::MessageResponse;

use crate::fixtures::Service;
use crate::fixtures::gateway::{GatewayClient, channel};

/// Every reference in a document.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref") {
                found.insert(reference.clone());
            }
            members.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[tokio::test]
async fn description_names_every_operation_and_is_served_without_a_token() {
    let service = Service::start().await;
    let response = service.http.get(service.base("/openapi.json")).send();
    let response = response.await.expect("a response");
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["content-type"], "application/json");
    let text = response.text().await.expect("a body");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["openapi"], "3.1.0");

    let mut ids = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (verb, described) in operations.as_object().expect("operations") {
            let id = described["operationId"].as_str().expect("an id");
            assert!(ids.insert(id.to_owned()), "{id} is there twice");
            let operation = operation::ALL.iter().find(|one| one.method == id);
            let operation = operation.expect("an operation of the contract");
            assert_eq!(operation.verb.to_lowercase(), *verb, "{id}");
            assert_eq!(
                path.matches('{').count(),
                operation.path.matches('{').count(),
                "{id}"
            );
            assert_eq!(described["security"][0]["bearer"][0], operation.scope);
            for status in [
                "200", "400", "401", "403", "404", "409", "429", "500", "503",
            ] {
                assert!(described["responses"][status].is_object(), "{id} {status}");
            }
        }
    }
    assert_eq!(ids.len(), operation::ALL.len());
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    for reference in found {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
    for (name, response) in document["components"]["responses"]
        .as_object()
        .expect("responses")
    {
        let examples = &response["content"]["application/json"]["examples"];
        assert!(
            !examples.as_object().expect("examples").is_empty(),
            "{name}"
        );
    }
    // The same text from every process, whatever the order of its hash maps.
    let again = invoicing_gateway::openapi_document(&invoicing_contract::Names::default());
    assert_eq!(text, again.to_string());

    for (path, kind) in [
        ("/docs", "text/html; charset=utf-8"),
        ("/docs/start.js", "text/javascript; charset=utf-8"),
        (
            "/docs/swagger-ui-bundle.js",
            "text/javascript; charset=utf-8",
        ),
        ("/docs/swagger-ui.css", "text/css; charset=utf-8"),
    ] {
        let page = service.http.get(service.base(path)).send().await;
        let page = page.expect("a response");
        assert_eq!(page.status(), StatusCode::OK, "{path}");
        assert_eq!(page.headers()["content-type"], kind, "{path}");
        let policy = page.headers()["content-security-policy"].to_str();
        let policy = policy.expect("text");
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
    }
    // Any other path is answered as before: an outsider learns nothing.
    let other = service.http.get(service.base("/docs/x")).send().await;
    assert_eq!(other.expect("a response").status(), StatusCode::FORBIDDEN);
    service.running.shutdown().await;
}

#[tokio::test]
async fn reflection_v1alpha_lists_the_services_to_callers_with_a_token() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut client = ServerReflectionClient::new(channel(&service).await);
    let request = || {
        tokio_stream::once(ServerReflectionRequest {
            host: String::new(),
            message_request: Some(MessageRequest::ListServices(String::new())),
        })
    };
    let refused = client.server_reflection_info(request()).await;
    assert_eq!(
        refused.expect_err("no token").code(),
        tonic::Code::PermissionDenied
    );
    let answer = client.server_reflection_info(gateway.grpc(request())).await;
    let mut answers = answer.expect("an answer").into_inner();
    let answer = answers.message().await.expect("a message").expect("one");
    let Some(MessageResponse::ListServicesResponse(list)) = answer.message_response else {
        panic!("no list of services: {answer:?}");
    };
    let names: BTreeSet<_> = list.service.into_iter().map(|one| one.name).collect();
    for operation in operation::ALL {
        assert!(names.contains(operation.service), "{names:?}");
    }
    service.running.shutdown().await;
}
