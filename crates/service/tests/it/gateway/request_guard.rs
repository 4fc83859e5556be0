//! Tests of the request guard: the order of its checks, with the same results over REST and gRPC.

use crate::fixtures::gateway::{GatewayClient, invoices_client};
use crate::fixtures::{HOME, Response, Service};
use invoicing_contract::messages::simple::ListInvoicesRequest;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};
use serde_json::json;
use tonic::Code;
use tonic::metadata::MetadataMap;

const LIST: &str = "/api/v1/simple/invoices/list";
const ARABIC: &str = "المستخدم غير مصرح له بتنفيذ هذا الطلب";
const UNRESOLVABLE: &str = "274893004";

/// The responses of both protocols to a request with the same headers.
struct BothResponses {
    rest: Response,
    grpc: tonic::Status,
}

impl BothResponses {
    /// Asserts that both have the same code, the same message and no details.
    #[track_caller]
    fn assert_rejected(&self, status: u16, code: Code, case: &str) {
        assert_eq!(
            self.rest.status.as_u16(),
            status,
            "{case}: {}",
            self.rest.body
        );
        assert_eq!(self.rest.json["code"], json!(code as i32), "{case}");
        assert_eq!(self.rest.json["details"], json!([]), "{case}");
        assert_eq!(self.grpc.code(), code, "{case}");
        assert_eq!(
            self.grpc.message(),
            self.rest.json["message"].as_str().unwrap_or_default(),
            "{case}"
        );
        assert!(self.grpc.details().is_empty(), "{case}");
        assert!(!self.rest.header("x-correlation-id").is_empty(), "{case}");
        assert!(
            self.grpc.metadata().get("x-correlation-id").is_some(),
            "{case}: {:?}",
            self.grpc.metadata()
        );
    }
}

/// Sends an empty list request with `headers` over REST and gRPC.
async fn call_over_both(service: &Service, headers: &[(&str, &[u8])]) -> BothResponses {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
        map.append(name, HeaderValue::from_bytes(value).expect("a value"));
    }
    let request = service
        .http
        .post(service.base(LIST))
        .headers(map.clone())
        .json(&json!({}));
    let rest = Response::read(request.send().await.expect("a response")).await;
    let mut request = tonic::Request::new(ListInvoicesRequest::default());
    *request.metadata_mut() = MetadataMap::from_headers(
        map.into_iter()
            .map(|(name, value)| {
                (
                    name.unwrap_or(HeaderName::from_static("x-idp-orgid")),
                    value,
                )
            })
            .collect(),
    );
    let grpc = match invoices_client(service).await.list_invoices(request).await {
        Ok(_) => tonic::Status::ok(""),
        Err(status) => status,
    };
    BothResponses { rest, grpc }
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

#[tokio::test]
async fn missing_authorization_header_returns_403_in_arabic() {
    let service = Service::start().await;
    let responses = call_over_both(
        &service,
        &[("accept-language", b"en"), ("x-service-culture", b"en-US")],
    )
    .await;
    responses.assert_rejected(403, Code::PermissionDenied, "no Authorization header");
    assert_eq!(responses.rest.text("message"), ARABIC);
    service.running.shutdown().await;
}

#[tokio::test]
async fn invalid_bearer_token_returns_401() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let good = bearer(&gateway.token);
    for presented in [
        "Bearer nonsense",
        "Bearer ",
        "Basic YTpi",
        "nonsense",
        "Bearer a b",
        &good.replace("Bearer", "Token"),
    ] {
        let responses = call_over_both(&service, &[("authorization", presented.as_bytes())]).await;
        responses.assert_rejected(401, Code::Unauthenticated, presented);
        assert_eq!(
            responses.rest.header("www-authenticate"),
            "Bearer error=\"invalid_token\""
        );
    }
    let twice = service
        .http
        .post(service.base(LIST))
        .header("authorization", &good)
        .header("authorization", &good);
    assert_eq!(
        twice
            .json(&json!({}))
            .send()
            .await
            .expect("a response")
            .status(),
        401,
        "two headers"
    );
    let responses = call_over_both(
        &service,
        &[("authorization", good.replace("Bearer", "bEARER").as_bytes())],
    )
    .await;
    assert_eq!(
        responses.rest.status, 200,
        "the scheme is case-insensitive: {}",
        responses.rest.body
    );

    service.clock.advance(43_201);
    call_over_both(&service, &[("authorization", good.as_bytes())])
        .await
        .assert_rejected(401, Code::Unauthenticated, "expired");
    service.running.shutdown().await;
}

#[tokio::test]
async fn token_without_audience_or_organization_returns_403() {
    let service = Service::start().await;
    let home = service.names.home_organization_scope();
    let without_audience = bearer(&service.machine_token(home).await);
    call_over_both(&service, &[("authorization", without_audience.as_bytes())])
        .await
        .assert_rejected(403, Code::PermissionDenied, "no audience");
    let without_home = bearer(&service.machine_token(&service.audience_scope()).await);
    call_over_both(&service, &[("authorization", without_home.as_bytes())])
        .await
        .assert_rejected(403, Code::PermissionDenied, "no home");
    let named = call_over_both(
        &service,
        &[
            ("authorization", without_home.as_bytes()),
            ("x-idp-orgid", HOME.as_bytes()),
        ],
    )
    .await;
    assert_eq!(
        (named.rest.status.as_u16(), named.grpc.code()),
        (200, Code::Ok),
        "a granted organization in the header: {}",
        named.rest.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn organization_header_accepts_only_one_granted_organization() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let token = bearer(&gateway.token);
    let padded = format!(" {HOME}");
    let invalid_values: [&[u8]; 9] = [
        b"274893002",
        b"274893004",
        b"999",
        b"",
        b" ",
        b"274893001,274893001",
        b"274893001, 274893002",
        padded.trim_start().as_bytes(),
        "٢٧٤٨٩٣٠٠١".as_bytes(),
    ];
    for value in invalid_values {
        let responses = call_over_both(
            &service,
            &[("authorization", token.as_bytes()), ("x-idp-orgid", value)],
        )
        .await;
        if value == HOME.as_bytes() {
            assert_eq!(
                responses.rest.status, 200,
                "the home organization can be named: {}",
                responses.rest.body
            );
            continue;
        }
        // 274893004 is not granted to the machine user: 403 does not reveal that it has no tenant.
        responses.assert_rejected(403, Code::PermissionDenied, &String::from_utf8_lossy(value));
    }
    let repeated = [
        ("authorization", token.as_bytes()),
        ("x-idp-orgid", HOME.as_bytes()),
        ("x-idp-orgid", HOME.as_bytes()),
    ];
    call_over_both(&service, &repeated).await.assert_rejected(
        403,
        Code::PermissionDenied,
        "repeated",
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn granted_organization_without_tenant_returns_503_with_empty_body() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    service.execute_sql("INSERT INTO grants (subject, organization_id, role) VALUES ('310000000000000009', '274893004', 'nothing')").await;
    let token = bearer(&gateway.token);
    let headers = [
        ("authorization", token.as_bytes()),
        ("x-idp-orgid", UNRESOLVABLE.as_bytes()),
    ];
    let responses = call_over_both(&service, &headers).await;
    // The role grants no scope: 503 comes before 403.
    assert_eq!(responses.rest.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(
        (
            responses.rest.header("content-length"),
            responses.rest.body.as_str()
        ),
        ("0", "")
    );
    assert_eq!(responses.rest.header("retry-after"), "1");
    assert!(!responses.rest.header("x-correlation-id").is_empty());
    assert_eq!(
        responses.rest.headers.get("content-type"),
        None,
        "an empty body has no content type"
    );
    assert_eq!(
        (responses.grpc.code(), responses.grpc.details()),
        (Code::Unavailable, &[][..])
    );
    assert_eq!(
        responses
            .grpc
            .metadata()
            .get("retry-after")
            .map(|value| value.as_bytes()),
        Some(&b"1"[..])
    );
    assert!(responses.grpc.metadata().get("x-correlation-id").is_some());
    service.running.shutdown().await;
}

#[tokio::test]
async fn missing_scope_returns_403_before_the_body_is_read() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    service
        .execute_sql("UPDATE grants SET role = 'viewer' WHERE subject = '310000000000000009'")
        .await;
    let create = "/api/v1/simple/invoices/create";
    let none = service
        .http
        .post(service.base(create))
        .json(&json!({}))
        .send()
        .await
        .expect("a response");
    let none = Response::read(none).await;
    for body in ["{}", "nonsense", ""] {
        let response = gateway.post_raw(create, body).await;
        assert_eq!(
            (response.status, &response.body),
            (StatusCode::FORBIDDEN, &none.body),
            "with body {body:?}"
        );
    }
    let typed = gateway
        .request(Method::POST, create)
        .header("content-type", "text/plain")
        .body("x")
        .send()
        .await;
    assert_eq!(
        typed.expect("a response").status(),
        403,
        "403 comes before 415"
    );
    assert_eq!(
        gateway.post(LIST, json!({})).await.status,
        200,
        "a viewer may list"
    );
    service.running.shutdown().await;
}
