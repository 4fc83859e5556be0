//! Tests of requests that call no operation: unknown paths and methods, unsupported media types, health, reflection.
//! REST and gRPC report the same errors, and only to authenticated clients.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::fixtures::gateway::{GatewayClient, channel, reason};
use crate::fixtures::{Response, Service};
use invoicing_contract::operation;
use reqwest::Method;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};
use tonic::Code;

const LIST: &str = "/api/v1/simple/invoices/list";

#[tokio::test]
async fn transport_errors_are_reported_only_after_authentication() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
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
            .expect("a response");
        assert_eq!(
            stranger.status(),
            403,
            "unauthenticated: {method} {path} returns 403"
        );
    }
    let unknown = gateway.get("/api/nowhere").await;
    assert_eq!(
        (
            unknown.status.as_u16(),
            reason(&unknown.json),
            &unknown.json["code"]
        ),
        (404, "PATH_NOT_FOUND".into(), &json!(5))
    );
    let wrong = gateway.get(LIST).await;
    assert_eq!(
        (
            wrong.status.as_u16(),
            reason(&wrong.json),
            wrong.header("allow")
        ),
        (405, "METHOD_NOT_ALLOWED".into(), "POST")
    );
    let wrong = Response::read(
        gateway
            .request(Method::PUT, "/api/v2/documents/x")
            .send()
            .await
            .expect("a response"),
    )
    .await;
    assert_eq!(wrong.status, 405, "{}", wrong.body);
    for (name, value) in [
        ("content-type", "text/plain"),
        ("content-type", "application/json; charset=utf-16"),
        ("content-encoding", "gzip"),
    ] {
        let mut request = gateway
            .request(Method::POST, LIST)
            .header(name, value)
            .body("{}");
        if name != "content-type" {
            request = request.header("content-type", "application/json");
        }
        let response = Response::read(request.send().await.expect("a response")).await;
        assert_eq!(
            (response.status.as_u16(), reason(&response.json)),
            (415, "CONTENT_TYPE".into()),
            "{name}: {value}"
        );
    }
    let large = gateway.post_raw(LIST, " ".repeat(5 * 1024 * 1024)).await;
    assert_eq!(
        (large.status.as_u16(), reason(&large.json)),
        (413, "BODY_TOO_LARGE".into())
    );
    assert_eq!(
        gateway.post(LIST, json!({})).await.status,
        200,
        "the next request is served"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn valid_correlation_id_of_the_client_is_echoed() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let response = |id: &'static str| {
        let request = gateway
            .request(Method::POST, LIST)
            .header("x-correlation-id", id)
            .json(&json!({}));
        async move { Response::read(request.send().await.expect("a response")).await }
    };
    assert_eq!(
        response("desk-0001-0002").await.header("x-correlation-id"),
        "desk-0001-0002"
    );
    assert_ne!(
        response("a \"b\"").await.header("x-correlation-id"),
        "a \"b\""
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn health_needs_no_token_and_reflection_does() {
    let service = Service::start().await;
    for path in ["/health/live", "/health/ready"] {
        assert_eq!(
            service
                .http
                .get(service.base(path))
                .send()
                .await
                .expect("a response")
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
    let gateway = GatewayClient::new(&service).await;
    let mut responses = reflection
        .server_reflection_info(gateway.grpc(tokio_stream::iter([list()])))
        .await
        .expect("a caller")
        .into_inner();
    let response = responses.message().await.expect("a response").expect("one");
    let Some(MessageResponse::ListServicesResponse(services)) = response.message_response else {
        panic!("{response:?}")
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
async fn calls_of_health_and_reflection_end_at_their_limits() {
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_client::HealthClient;
    use tonic_reflection::pb::v1::ServerReflectionRequest;
    use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
    use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;

    let service = Service::start().await;
    let mut health = HealthClient::new(channel(&service).await);
    let long = HealthCheckRequest {
        service: "x".repeat(70_000),
    };
    let refused = health.check(long).await.expect_err("more than a name");
    assert_eq!(refused.code(), Code::InvalidArgument, "{refused:?}");
    let refused = invoicing_contract::Status::from(&refused);
    assert_eq!(refused.reason(), Some("BODY_TOO_LARGE"));
    assert_eq!(refused.metadata("most"), Some("65536"));

    let watched = service
        .http
        .post(service.base("/grpc.health.v1.Health/Watch"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
        .header("grpc-timeout", "1S")
        .body(vec![0_u8; 5]);
    let watched = watched.send().await.expect("a response").bytes();
    let watched = tokio::time::timeout(Duration::from_secs(20), watched).await;
    let statuses = watched.expect("it ends at the deadline");
    assert!(!statuses.expect("a body").is_empty());

    let gateway = GatewayClient::new(&service).await;
    let questions = (0..2_000).map(|_| ServerReflectionRequest {
        host: "x".repeat(100),
        message_request: Some(MessageRequest::ListServices(String::new())),
    });
    let questions = gateway.grpc(tokio_stream::iter(questions));
    let mut reflection = ServerReflectionClient::new(channel(&service).await);
    let answers = reflection.server_reflection_info(questions).await;
    let mut answers = answers.expect("a caller").into_inner();
    let mut answered = 0;
    while let Ok(Some(_)) = answers.message().await {
        answered += 1;
    }
    assert!((100..1_000).contains(&answered), "{answered} of 2,000");
    service.running.shutdown().await;
}

#[tokio::test]
async fn errors_of_health_and_reflection_have_the_details_of_the_contract() {
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_client::HealthClient;
    use tonic_reflection::pb::v1::ServerReflectionRequest;
    use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
    use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;

    let service = Service::start().await;
    let reason_of = |refused: &tonic::Status| {
        let status = invoicing_contract::Status::from(refused);
        status.reason().map(str::to_owned)
    };
    let mut health = HealthClient::new(channel(&service).await);
    let unknown = HealthCheckRequest {
        service: "no.such.Service".to_owned(),
    };
    let refused = health.check(unknown.clone()).await.expect_err("unknown");
    assert_eq!(refused.code(), Code::NotFound);
    assert_eq!(reason_of(&refused).as_deref(), Some("NAME_NOT_FOUND"));
    let refused = health.watch(unknown).await.expect_err("unknown");
    assert_eq!(reason_of(&refused).as_deref(), Some("NAME_NOT_FOUND"));

    let gateway = GatewayClient::new(&service).await;
    let symbol = MessageRequest::FileContainingSymbol("no.such.Symbol".to_owned());
    for (question, code, expected) in [
        (Some(symbol), Code::NotFound, "NAME_NOT_FOUND"),
        (None, Code::InvalidArgument, "MALFORMED_BODY"),
    ] {
        let question = ServerReflectionRequest {
            host: String::new(),
            message_request: question,
        };
        let mut reflection = ServerReflectionClient::new(channel(&service).await);
        let asked = gateway.grpc(tokio_stream::iter([question]));
        let answers = reflection.server_reflection_info(asked).await;
        let mut answers = answers.expect("a caller").into_inner();
        let refused = answers.message().await.expect_err("no answer");
        assert_eq!(refused.code(), code, "{refused:?}");
        assert_eq!(reason_of(&refused).as_deref(), Some(expected));
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn other_methods_at_paths_without_a_token_are_405_with_a_status() {
    let service = Service::start().await;
    for path in [
        "/health/live",
        "/health/ready",
        "/openapi.json",
        "/docs",
        "/docs/start.js",
        "/docs/swagger-ui.css",
    ] {
        let sent = service.http.post(service.base(path)).body("x").send().await;
        let refused = Response::read(sent.expect("a response")).await;
        assert_eq!(refused.status, 405, "{path}: {}", refused.body);
        assert_eq!(refused.json["code"], json!(12), "{path}");
        assert_eq!(reason(&refused.json), "METHOD_NOT_ALLOWED", "{path}");
        assert_eq!(refused.header("allow"), "GET, HEAD", "{path}");
        assert!(!refused.header("x-correlation-id").is_empty(), "{path}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn unknown_grpc_method_returns_unimplemented_after_authentication() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let call = |token: Option<String>| {
        let mut request = service
            .http
            .post(service.base("/invoicing.simple.v1.Invoices/Shred"))
            .header("content-type", "application/grpc");
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        async move {
            let sent = request.body(vec![0_u8; 5]).send().await;
            let answer = sent.expect("a response");
            let refused = tonic::Status::from_header_map(answer.headers());
            let refused = refused.expect("a status");
            let status = invoicing_contract::Status::from(&refused);
            (refused.code(), status.reason().map(str::to_owned))
        }
    };
    assert_eq!(call(None).await, (Code::PermissionDenied, None));
    let (code, reason) = call(Some(gateway.token.clone())).await;
    assert_eq!(code, Code::Unimplemented);
    assert_eq!(reason.as_deref(), Some("METHOD_NOT_FOUND"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn undecodable_grpc_message_returns_invalid_argument() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    for frame in [
        vec![0, 0, 0, 0, 2, 0xff, 0xff],
        vec![1, 0, 0, 0, 0],
        vec![0, 0, 0, 0, 9, 1],
        vec![],
        // Two messages, of which a method takes one: tonic would decode each of thousands.
        vec![0; 10],
    ] {
        let request = gateway
            .request(Method::POST, "/invoicing.simple.v1.Invoices/ListInvoices")
            .header("content-type", "application/grpc");
        let response = request
            .header("te", "trailers")
            .body(frame.clone())
            .send()
            .await
            .expect("a response");
        assert_eq!(
            response
                .headers()
                .get("grpc-status")
                .map(HeaderValue::as_bytes),
            Some(&b"3"[..]),
            "{frame:?}: {:?}",
            response.headers()
        );
    }
    let _: Value = gateway.post(LIST, json!({})).await.json;
    service.running.shutdown().await;
}

#[tokio::test]
async fn grpc_health_is_withdrawn_while_storage_fails_and_restored_afterwards() {
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_check_response::ServingStatus;
    use tonic_health::pb::health_client::HealthClient;

    let service = Service::start().await;
    let mut health = HealthClient::new(channel(&service).await);
    let mut services: BTreeSet<_> = operation::ALL.iter().map(|one| one.service).collect();
    services.insert("");
    let request = |service: &str| HealthCheckRequest {
        service: service.to_owned(),
    };
    let mut watched = health
        .watch(request(operation::LIST_INVOICES.service))
        .await
        .expect("open to all")
        .into_inner();
    for (statement, status, ready) in [
        ("SELECT 1", ServingStatus::Serving, 200),
        (
            "ALTER TABLE organizations RENAME TO elsewhere",
            ServingStatus::NotServing,
            503,
        ),
        (
            "ALTER TABLE elsewhere RENAME TO organizations",
            ServingStatus::Serving,
            200,
        ),
    ] {
        service.execute_sql(statement).await;
        for &name in &services {
            let checked = health.check(request(name)).await.expect("open to all");
            assert_eq!(checked.into_inner().status(), status, "{name}: {statement}");
        }
        let seen = watched.message().await.expect("open").expect("a status");
        assert_eq!(seen.status(), status, "who watches is told: {statement}");
        let probe = service.http.get(service.base("/health/ready")).send();
        assert_eq!(probe.await.expect("a response").status(), ready);
    }
    service.running.shutdown().await;
}
