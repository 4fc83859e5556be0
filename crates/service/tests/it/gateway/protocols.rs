//! What is no call of an operation: unknown paths and methods, bodies that are none, health and reflection. REST and gRPC
//! agree on it, and who presents nothing learns nothing.

use crate::fixtures::gateway::{Caller, channel, reason};
use crate::fixtures::{Answer, Service};
use reqwest::Method;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};
use tonic::Code;

const LIST: &str = "/api/v1/simple/invoices/list";

#[tokio::test]
async fn paths_methods_types_and_sizes_are_told_after_authentication() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    for (method, path) in [
        (Method::GET, "/api/nowhere"),
        (Method::DELETE, LIST),
        (Method::GET, LIST),
    ] {
        let stranger = service
            .http
            .request(method.clone(), service.base(path))
            .send()
            .await
            .expect("an answer");
        assert_eq!(
            stranger.status(),
            403,
            "an outsider learns nothing of {method} {path}"
        );
    }
    let unknown = caller.get("/api/nowhere").await;
    assert_eq!(
        (
            unknown.status.as_u16(),
            reason(&unknown.json),
            &unknown.json["code"]
        ),
        (404, "PATH_NOT_FOUND".into(), &json!(5))
    );
    let wrong = caller.get(LIST).await;
    assert_eq!(
        (
            wrong.status.as_u16(),
            reason(&wrong.json),
            wrong.header("allow")
        ),
        (405, "METHOD_NOT_ALLOWED".into(), "POST")
    );
    let wrong = Answer::of(
        caller
            .request(Method::PUT, "/api/v2/documents/x")
            .send()
            .await
            .expect("an answer"),
    )
    .await;
    assert_eq!(wrong.status, 405, "{}", wrong.body);
    for (name, value) in [
        ("content-type", "text/plain"),
        ("content-type", "application/json; charset=utf-16"),
        ("content-encoding", "gzip"),
    ] {
        let mut request = caller
            .request(Method::POST, LIST)
            .header(name, value)
            .body("{}");
        if name != "content-type" {
            request = request.header("content-type", "application/json");
        }
        let answer = Answer::of(request.send().await.expect("an answer")).await;
        assert_eq!(
            (answer.status.as_u16(), reason(&answer.json)),
            (415, "CONTENT_TYPE".into()),
            "{name}: {value}"
        );
    }
    let large = caller.post_raw(LIST, " ".repeat(5 * 1024 * 1024)).await;
    assert_eq!(
        (large.status.as_u16(), reason(&large.json)),
        (413, "BODY_TOO_LARGE".into())
    );
    assert_eq!(
        caller.post(LIST, json!({})).await.status,
        200,
        "the next request is served"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn the_correlation_id_is_the_callers_if_it_is_sane() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let answer = |id: &'static str| {
        let request = caller
            .request(Method::POST, LIST)
            .header("x-correlation-id", id)
            .json(&json!({}));
        async move { Answer::of(request.send().await.expect("an answer")).await }
    };
    assert_eq!(
        answer("desk-0001-0002").await.header("x-correlation-id"),
        "desk-0001-0002"
    );
    assert_ne!(
        answer("a \"b\"").await.header("x-correlation-id"),
        "a \"b\""
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn health_is_open_and_reflection_wants_a_token() {
    let service = Service::start().await;
    for path in ["/health/live", "/health/ready"] {
        assert_eq!(
            service
                .http
                .get(service.base(path))
                .send()
                .await
                .expect("an answer")
                .status(),
            200,
            "{path}"
        );
    }
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_client::HealthClient;
    let mut health = HealthClient::new(channel(&service).await);
    let checked = health
        .check(HealthCheckRequest {
            service: "invoicing.simple.v1.Invoices".into(),
        })
        .await
        .expect("open");
    assert_eq!(checked.into_inner().status, 1, "serving");

    use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
    use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
    use tonic_reflection::pb::v1::{
        ServerReflectionRequest, server_reflection_response::MessageResponse,
    };
    let list = || ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut reflection = ServerReflectionClient::new(channel(&service).await);
    let refused = reflection
        .server_reflection_info(tokio_stream::iter([list()]))
        .await
        .expect_err("a stranger");
    assert_eq!(refused.code(), Code::PermissionDenied);
    let caller = Caller::new(&service).await;
    let mut answers = reflection
        .server_reflection_info(caller.grpc(tokio_stream::iter([list()])))
        .await
        .expect("a caller")
        .into_inner();
    let answer = answers.message().await.expect("an answer").expect("one");
    let Some(MessageResponse::ListServicesResponse(services)) = answer.message_response else {
        panic!("{answer:?}")
    };
    assert!(
        services
            .service
            .iter()
            .any(|service| service.name == "invoicing.documents.v2.Documents"),
        "{services:?}"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn an_unknown_grpc_method_is_unimplemented_after_authentication() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let call = |token: Option<String>| {
        let mut request = service
            .http
            .post(service.base("/invoicing.simple.v1.Invoices/Shred"))
            .header("content-type", "application/grpc");
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        async move {
            request
                .body(vec![0_u8; 5])
                .send()
                .await
                .expect("an answer")
                .headers()["grpc-status"]
                .clone()
        }
    };
    assert_eq!(call(None).await, "7");
    assert_eq!(call(Some(caller.token.clone())).await, "12");
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_message_that_does_not_decode_is_the_callers_mistake() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    for frame in [
        vec![0, 0, 0, 0, 2, 0xff, 0xff],
        vec![1, 0, 0, 0, 0],
        vec![0, 0, 0, 0, 9, 1],
        vec![],
    ] {
        let request = caller
            .request(Method::POST, "/invoicing.simple.v1.Invoices/ListInvoices")
            .header("content-type", "application/grpc");
        let answer = request
            .header("te", "trailers")
            .body(frame.clone())
            .send()
            .await
            .expect("an answer");
        assert_eq!(
            answer
                .headers()
                .get("grpc-status")
                .map(HeaderValue::as_bytes),
            Some(&b"3"[..]),
            "{frame:?}: {:?}",
            answer.headers()
        );
    }
    let _: Value = caller.post(LIST, json!({})).await.json;
    service.running.shutdown().await;
}
