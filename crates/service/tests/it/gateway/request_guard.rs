//! The order in which a request is judged, over the wire, and that REST and gRPC agree on it.

use crate::fixtures::gateway::{Caller, invoices, reason, sql};
use crate::fixtures::{Answer, HOME, Service};
use invoicing_contract::messages::simple::ListInvoicesRequest;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};
use serde_json::json;
use tonic::Code;
use tonic::metadata::MetadataMap;

const LIST: &str = "/api/v1/simple/invoices/list";
const ARABIC: &str = "المستخدم غير مصرح له بتنفيذ هذا الطلب";
const UNRESOLVABLE: &str = "274893004";

/// What both protocols said to the same headers.
struct Judged {
    rest: Answer,
    grpc: tonic::Status,
}

impl Judged {
    /// Both refused alike: same code, same message, empty details.
    #[track_caller]
    fn refused(&self, status: u16, code: Code, why: &str) {
        assert_eq!(
            self.rest.status.as_u16(),
            status,
            "{why}: {}",
            self.rest.body
        );
        assert_eq!(self.rest.json["code"], json!(code as i32), "{why}");
        assert_eq!(self.rest.json["details"], json!([]), "{why}");
        assert_eq!(self.grpc.code(), code, "{why}");
        assert_eq!(
            self.grpc.message(),
            self.rest.json["message"].as_str().unwrap_or_default(),
            "{why}"
        );
        assert!(self.grpc.details().is_empty(), "{why}");
        assert!(!self.rest.header("x-correlation-id").is_empty(), "{why}");
        assert!(
            self.grpc.metadata().get("x-correlation-id").is_some(),
            "{why}: {:?}",
            self.grpc.metadata()
        );
    }
}

/// Sends an empty list request with these headers over both.
async fn judge(service: &Service, headers: &[(&str, &[u8])]) -> Judged {
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
    let rest = Answer::of(request.send().await.expect("an answer")).await;
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
    let grpc = match invoices(service).await.list_invoices(request).await {
        Ok(_) => tonic::Status::ok(""),
        Err(status) => status,
    };
    Judged { rest, grpc }
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

#[tokio::test]
async fn nothing_presented_is_403_in_arabic_whatever_the_language() {
    let service = Service::start().await;
    let judged = judge(
        &service,
        &[("accept-language", b"en"), ("x-service-culture", b"en-US")],
    )
    .await;
    judged.refused(403, Code::PermissionDenied, "no Authorization header");
    assert_eq!(judged.rest.text("message"), ARABIC);
    service.running.shutdown().await;
}

#[tokio::test]
async fn anything_but_one_valid_bearer_token_is_401() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let good = bearer(&caller.token);
    for presented in [
        "Bearer nonsense",
        "Bearer ",
        "Basic YTpi",
        "nonsense",
        "Bearer a b",
        &good.replace("Bearer", "Token"),
    ] {
        let judged = judge(&service, &[("authorization", presented.as_bytes())]).await;
        judged.refused(401, Code::Unauthenticated, presented);
        assert_eq!(
            judged.rest.header("www-authenticate"),
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
            .expect("an answer")
            .status(),
        401,
        "two headers"
    );
    let judged = judge(
        &service,
        &[("authorization", good.replace("Bearer", "bEARER").as_bytes())],
    )
    .await;
    assert_eq!(
        judged.rest.status, 200,
        "the scheme has no case: {}",
        judged.rest.body
    );

    service.clock.forward(43_201);
    judge(&service, &[("authorization", good.as_bytes())])
        .await
        .refused(401, Code::Unauthenticated, "expired");
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_token_needs_the_audience_and_an_organization() {
    let service = Service::start().await;
    let home = service.names.home_organization_scope();
    let without_audience = bearer(&service.machine_token(home).await);
    judge(&service, &[("authorization", without_audience.as_bytes())])
        .await
        .refused(403, Code::PermissionDenied, "no audience");
    let without_home = bearer(&service.machine_token(&service.audience_scope()).await);
    judge(&service, &[("authorization", without_home.as_bytes())])
        .await
        .refused(403, Code::PermissionDenied, "no home");
    let named = judge(
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
        "a granted one is named: {}",
        named.rest.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn only_one_granted_organization_can_be_targeted() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let token = bearer(&caller.token);
    let padded = format!(" {HOME}");
    let strange: [&[u8]; 9] = [
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
    for value in strange {
        let judged = judge(
            &service,
            &[("authorization", token.as_bytes()), ("x-idp-orgid", value)],
        )
        .await;
        if value == HOME.as_bytes() {
            assert_eq!(
                judged.rest.status, 200,
                "the home organization can be named: {}",
                judged.rest.body
            );
            continue;
        }
        // 274893004 is not granted to the machine: that it cannot be resolved is not told.
        judged.refused(403, Code::PermissionDenied, &String::from_utf8_lossy(value));
    }
    let repeated = [
        ("authorization", token.as_bytes()),
        ("x-idp-orgid", HOME.as_bytes()),
        ("x-idp-orgid", HOME.as_bytes()),
    ];
    judge(&service, &repeated)
        .await
        .refused(403, Code::PermissionDenied, "repeated");
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_granted_organization_without_a_tenant_is_the_empty_503() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    sql(&service, "INSERT INTO grants (subject, organization_id, role) VALUES ('310000000000000009', '274893004', 'nothing')").await;
    let token = bearer(&caller.token);
    let headers = [
        ("authorization", token.as_bytes()),
        ("x-idp-orgid", UNRESOLVABLE.as_bytes()),
    ];
    let judged = judge(&service, &headers).await;
    // The role gives no scope at all: 503 comes before 403.
    assert_eq!(judged.rest.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(
        (
            judged.rest.header("content-length"),
            judged.rest.body.as_str()
        ),
        ("0", "")
    );
    assert_eq!(judged.rest.header("retry-after"), "1");
    assert!(!judged.rest.header("x-correlation-id").is_empty());
    assert_eq!(
        judged.rest.headers.get("content-type"),
        None,
        "there is no body to have a type"
    );
    assert_eq!(
        (judged.grpc.code(), judged.grpc.details()),
        (Code::Unavailable, &[][..])
    );
    assert_eq!(
        judged
            .grpc
            .metadata()
            .get("retry-after")
            .map(|value| value.as_bytes()),
        Some(&b"1"[..])
    );
    assert!(judged.grpc.metadata().get("x-correlation-id").is_some());
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_missing_scope_looks_like_no_header_at_all_and_comes_before_the_body() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    sql(
        &service,
        "UPDATE grants SET role = 'viewer' WHERE subject = '310000000000000009'",
    )
    .await;
    let create = "/api/v1/simple/invoices/create";
    let none = service
        .http
        .post(service.base(create))
        .json(&json!({}))
        .send()
        .await
        .expect("an answer");
    let none = Answer::of(none).await;
    for body in ["{}", "nonsense", ""] {
        let answer = caller.post_raw(create, body).await;
        assert_eq!(
            (answer.status, &answer.body),
            (StatusCode::FORBIDDEN, &none.body),
            "with body {body:?}"
        );
    }
    let typed = caller
        .request(Method::POST, create)
        .header("content-type", "text/plain")
        .body("x")
        .send()
        .await;
    assert_eq!(
        typed.expect("an answer").status(),
        403,
        "403 comes before 415"
    );
    assert_eq!(
        caller.post(LIST, json!({})).await.status,
        200,
        "a viewer lists"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_rate_is_limited_for_one_organization_before_paths_and_bodies_are_looked_at() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    sql(
        &service,
        "UPDATE tenants SET requests_per_minute = 2 WHERE organization_id = '274893001'",
    )
    .await;
    for _ in 0..2 {
        assert_eq!(caller.post(LIST, json!({})).await.status, 200);
    }
    for answer in [
        caller.post(LIST, json!({})).await,
        caller.get("/api/nowhere").await,
        caller.post_raw(LIST, "{").await,
    ] {
        assert_eq!(
            (answer.status.as_u16(), &answer.json["code"]),
            (429, &json!(8)),
            "{}",
            answer.body
        );
        assert_eq!(reason(&answer.json), "RATE_LIMIT");
        let delay = answer.json["details"].as_array().and_then(|details| {
            details
                .iter()
                .find(|detail| detail["@type"] == "type.googleapis.com/google.rpc.RetryInfo")
        });
        assert!(
            delay.is_some_and(|detail| detail["retryDelay"].is_string()),
            "{}",
            answer.body
        );
        let seconds: u64 = answer.header("retry-after").parse().expect("whole seconds");
        assert!((1..=30).contains(&seconds), "{seconds}");
    }
    let refused = invoices(&service)
        .await
        .list_invoices(caller.grpc(ListInvoicesRequest::default()))
        .await
        .expect_err("limited");
    assert_eq!(refused.code(), Code::ResourceExhausted);
    assert!(refused.metadata().get("retry-after").is_some());
    sql(&service, "INSERT INTO grants (subject, organization_id, role) VALUES ('310000000000000009', '274893002', 'viewer')").await;
    let other = caller
        .request(Method::POST, LIST)
        .header("x-idp-orgid", "274893002")
        .json(&json!({}))
        .send()
        .await;
    assert_eq!(
        other.expect("an answer").status(),
        200,
        "another organization is not held up"
    );
    service.clock.forward(30);
    assert_eq!(
        caller.post(LIST, json!({})).await.status,
        200,
        "later it goes on"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_plan_allows_so_many_documents_a_month() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    sql(
        &service,
        "UPDATE tenants SET monthly_documents = 2 WHERE organization_id = '274893001'",
    )
    .await;
    for number in ["1", "2"] {
        caller
            .draft(crate::fixtures::gateway::invoice("service", number))
            .await;
    }
    let answer = caller
        .post("/api/v2/documents", json!({"nonsense": 1}))
        .await;
    assert_eq!(
        (answer.status.as_u16(), reason(&answer.json)),
        (429, "PLAN_LIMIT".to_owned()),
        "{}",
        answer.body
    );
    assert!(!answer.header("retry-after").is_empty());
    assert_eq!(
        caller.post(LIST, json!({})).await.status,
        200,
        "reading goes on"
    );
    service.clock.forward(32 * 24 * 3600);
    let caller = Caller::new(&service).await;
    caller
        .draft(crate::fixtures::gateway::invoice("service", "3"))
        .await;
    service.running.shutdown().await;
}
