//! What every operation answers over REST to another method, to a body of another media type, and to one that is too large.

use std::collections::BTreeSet;

use invoicing_contract::{Operation, operation};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use super::guard::service_without_rate_limit;
use super::requests::Environment;
use crate::fixtures::Response;
use crate::fixtures::gateway::reason;
use crate::fixtures::operations::path_with;

/// Most bytes of a body.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;
const METHODS: [Method; 5] = [
    Method::GET,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
];

#[tokio::test]
async fn method_that_no_operation_of_the_path_has_is_405_with_those_that_it_has() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    for operation in operation::ALL {
        let path = path_with(operation, "1");
        let of_path = operation::ALL
            .iter()
            .filter(|other| is_of_template(&path, other.path));
        let allowed: BTreeSet<_> = of_path.map(|other| other.verb).collect();
        assert!(allowed.contains(operation.verb), "{}", operation.method);
        for method in METHODS {
            if allowed.contains(method.as_str()) {
                continue;
            }
            let what = format!("{method} instead of {}", operation.method);
            let request = environment.caller(operation).request(method, &path);
            let response = answer(request).await;
            assert_error(&response, 405, "METHOD_NOT_ALLOWED", &what);
            let named: BTreeSet<_> = response.header("allow").split(", ").collect();
            assert_eq!(named, allowed, "{what}");
        }
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn body_of_another_media_type_or_with_a_coding_is_415() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    for operation in operation::ALL.iter().filter(|one| takes_body(one)) {
        let mut cases = vec![
            vec![("content-type", "application/json; charset=utf-16")],
            vec![
                ("content-type", "application/json"),
                ("content-encoding", "gzip"),
            ],
            vec![],
        ];
        // Its body can be a file of any media type.
        if operation.method != "AddAttachment" {
            cases.push(vec![("content-type", "text/plain")]);
        }
        for headers in cases {
            let mut request = request(&environment, operation).body("{}");
            for (name, value) in &headers {
                request = request.header(*name, *value);
            }
            let what = format!("{} with {headers:?}", operation.method);
            assert_error(&answer(request).await, 415, "CONTENT_TYPE", &what);
        }
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn body_above_the_limit_is_413() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    let body = bytes::Bytes::from(vec![b' '; MAX_BODY_BYTES + 1]);
    for operation in operation::ALL.iter().filter(|one| takes_body(one)) {
        let request = request(&environment, operation).body(body.clone());
        let request = request.header("content-type", "application/json");
        let response = answer(request).await;
        assert_error(&response, 413, "BODY_TOO_LARGE", operation.method);
    }
    service.running.shutdown().await;
}

fn takes_body(operation: &Operation) -> bool {
    !matches!(operation.verb, "GET" | "DELETE")
}

fn request(environment: &Environment<'_>, operation: &Operation) -> RequestBuilder {
    let verb = Method::from_bytes(operation.verb.as_bytes()).expect("an HTTP method");
    let path = path_with(operation, "1");
    environment.caller(operation).request(verb, &path)
}

async fn answer(request: RequestBuilder) -> Response {
    Response::read(request.send().await.expect("a response")).await
}

#[track_caller]
fn assert_error(response: &Response, status: u16, expected: &str, what: &str) {
    assert_eq!(
        response.status.as_u16(),
        status,
        "{what}: {}",
        response.body
    );
    assert_eq!(reason(&response.json), expected, "{what}");
    let details = response.json["details"].as_array().map(Vec::len);
    assert_eq!(details, Some(1), "{what}: one ErrorInfo");
    assert_ne!(response.json["message"], Value::from(""), "{what}");
    assert!(!response.header("x-correlation-id").is_empty(), "{what}");
}

/// Whether a path without encoded characters is one of a template: `/api/v2/documents/1:issue` of
/// `/api/v2/documents/{document_key}:issue`.
fn is_of_template(path: &str, template: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        let (folder, last) = path.rsplit_once('/').expect("a path begins with /");
        let (last, verb) = last.split_once(':').unwrap_or((last, ""));
        let segments = folder.split('/').chain([last, verb]);
        segments.map(str::to_owned).collect()
    };
    let (path, template) = (parts(path), parts(template));
    path.len() == template.len()
        && path.iter().zip(&template).all(|(segment, expected)| {
            segment == expected || (expected.starts_with('{') && !segment.is_empty())
        })
}
