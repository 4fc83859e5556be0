//! Tests of the description of the API: the OpenAPI document, the page that shows it, and reflection (decision 0128).

use std::collections::BTreeSet;

use invoicing_contract::{Status, operation};
use reqwest::{Method, StatusCode};
use serde_json::{Map, Value, json};
use tonic_reflection::pb::v1alpha::ServerReflectionRequest;
use tonic_reflection::pb::v1alpha::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1alpha::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1alpha::server_reflection_response::MessageResponse;

use crate::fixtures::gateway::{DOCUMENTS, GatewayClient, channel, invoice};
use crate::fixtures::{Response, Service};

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

/// The document, as every deployment has it.
pub(super) fn openapi_document() -> Value {
    let examples = invoicing_identity::administration::error_examples();
    invoicing_gateway::openapi_document(&invoicing_contract::Names::default(), &examples)
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
    let again = openapi_document();
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

/// The operation with an id in the document.
fn described<'a>(document: &'a Value, id: &str) -> &'a Value {
    let operations = document["paths"].as_object().expect("paths").values();
    let mut operations = operations.flat_map(|path| path.as_object().expect("operations").values());
    let found = operations.find(|operation| operation["operationId"] == id);
    found.unwrap_or_else(|| panic!("{id} is not described"))
}

/// The names in the document at `pointer`.
fn names<'a>(described: &'a Value, pointer: &str) -> BTreeSet<&'a str> {
    let object = described.pointer(pointer).and_then(Value::as_object);
    let object = object.unwrap_or_else(|| panic!("no {pointer} in {described}"));
    object.keys().map(String::as_str).collect()
}

#[test]
fn description_has_the_headers_of_files_the_bodies_that_are_files_and_true_patterns() {
    let document = openapi_document();
    let if_none_match = json!({"$ref": "#/components/parameters/If-None-Match"});
    for (id, has_tag) in [
        ("GetDocumentPdf", true),
        ("GetDocumentUbl", true),
        ("GetAttachment", true),
        ("ExportDocuments", false),
        ("GetDocument", false),
    ] {
        let described = described(&document, id);
        let headers = names(described, "/responses/200/headers");
        let of_file = id != "GetDocument";
        assert_eq!(headers.contains("Content-Disposition"), of_file, "{id}");
        assert_eq!(headers.contains("ETag"), has_tag, "{id}");
        assert_eq!(described["responses"]["304"].is_object(), has_tag, "{id}");
        let parameters = described["parameters"].as_array().expect("parameters");
        assert_eq!(parameters.contains(&if_none_match), has_tag, "{id}");
    }
    for (id, media_types, parameters) in [
        (
            "ImportDocument",
            &["application/json", "application/xml", "text/xml"][..],
            &["documentKey", "validateOnly"][..],
        ),
        (
            "AddAttachment",
            &["application/json", "*/*"],
            &[
                "concurrencyStamp",
                "attachmentId",
                "fileName",
                "description",
            ],
        ),
        ("CreateDocument", &["application/json"], &[]),
    ] {
        let described = described(&document, id);
        let content = names(described, "/requestBody/content");
        assert_eq!(content, media_types.iter().copied().collect(), "{id}");
        let in_query = described["parameters"].as_array().expect("parameters");
        let in_query = in_query.iter().filter(|one| one["in"] == "query");
        let in_query: Vec<_> = in_query.filter_map(|one| one["name"].as_str()).collect();
        assert_eq!(in_query, parameters, "{id}");
    }
    for operations in document["paths"].as_object().expect("paths").values() {
        for described in operations.as_object().expect("operations").values() {
            let parameters = described["parameters"].as_array().expect("parameters");
            for parameter in parameters.iter().filter(|one| one["in"] == "path") {
                let pattern = parameter["schema"]["pattern"].as_str().expect("a pattern");
                assert!(pattern.contains("._-"), "a domain has points: {parameter}");
            }
        }
    }
    let body = &described(&document, "UpdateDocument")["requestBody"]["content"];
    let mask = &body["application/json"]["schema"]["properties"]["updateMask"];
    let pattern = mask["pattern"].as_str().expect("a pattern");
    assert!(pattern.contains(r"\*"), "all fields: {pattern}");
    let organization = &document["components"]["parameters"]["Organization"];
    assert_eq!(
        organization["schema"]["maxLength"], 64,
        "as the guard reads it"
    );
}

/// The examples of the response with a status, by name.
fn examples(document: &Value, status: u16) -> &Map<String, Value> {
    let reference = &described(document, "CreateDocument")["responses"][status.to_string()]["$ref"];
    let reference = reference.as_str().expect("a reference");
    let response = document.pointer(reference.trim_start_matches('#'));
    let examples = response.map(|response| &response["content"]["application/json"]["examples"]);
    examples.and_then(Value::as_object).expect("examples")
}

#[tokio::test]
async fn examples_of_errors_are_what_the_service_answers() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let document = openapi_document();
    for status in [400, 401, 403, 404, 405, 408, 409, 413, 415, 429, 500, 503] {
        for (name, example) in examples(&document, status) {
            let body: Status = serde_json::from_value(example["value"].clone()).expect("a Status");
            let expected = match status {
                408 | 413 | 415 => 400,
                other => other,
            };
            assert_eq!(body.code.http(), expected, "{name}");
            let has_delay = body.retry_after().is_some();
            assert_eq!(has_delay, status == 429, "{name}: {example}");
        }
    }
    // Of identity and of rules too.
    for (status, name) in [
        (400, "lastAdministrator"),
        (404, "userNotFound"),
        (409, "domainTaken"),
        (429, "domainCheckedJustNow"),
        (503, "domainUnreachable"),
        (400, "rulesRefused"),
        (404, "rulesVersionNotFound"),
    ] {
        assert!(examples(&document, status).contains_key(name), "{name}");
    }
    for name in ["planLimit", "rateLimit"] {
        let details = &examples(&document, 429)[name]["value"]["details"];
        let quota = details.as_array().expect("details").iter();
        let mut kinds = quota.filter_map(|detail| detail["@type"].as_str());
        assert!(
            kinds.any(|kind| kind.ends_with("QuotaFailure")),
            "{name}: {details}"
        );
    }

    let draft = gateway.create_draft(invoice("a", "10")).await;
    let path = format!(
        "{DOCUMENTS}/{}",
        draft["documentKey"].as_str().expect("a key")
    );
    let malformed = json!({"changes": {"contents": 1}});
    let frozen_before_issued = gateway.try_perform(&draft, "freeze").await;
    let without_token = service.http.get(service.base(&path)).send().await;
    let unknown_token = service
        .http
        .get(service.base(&path))
        .bearer_auth("x")
        .send()
        .await;
    let as_text = gateway
        .request(Method::POST, DOCUMENTS)
        .body("text")
        .send()
        .await;
    for (name, response) in [
        (
            "permissionDenied",
            Response::read(without_token.expect("a response")).await,
        ),
        (
            "unauthenticated",
            Response::read(unknown_token.expect("a response")).await,
        ),
        (
            "contentType",
            Response::read(as_text.expect("a response")).await,
        ),
        ("malformedBody", gateway.post(DOCUMENTS, malformed).await),
        ("documentNotIssued", frozen_before_issued),
        ("pathNotFound", gateway.get("/api/nowhere").await),
        ("methodNotAllowed", gateway.post(&path, json!({})).await),
        (
            "documentNotFound",
            gateway
                .get(&format!("{DOCUMENTS}/{}", crate::fixtures::new_key()))
                .await,
        ),
    ] {
        let example = &examples(&document, response.status.as_u16())[name]["value"];
        assert_eq!(response.json, *example, "{name}");
    }
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
