//! What the request guard answers to every operation, byte for byte where the contract fixes the bytes (decision 0025).

use invoicing_contract::{Operation, operation};
use reqwest::Method;
use serde_json::json;
use tonic::{Code, Status};

use super::requests::Environment;
use crate::fixtures::encoded_message::call_encoded_with;
use crate::fixtures::gateway::reason;
use crate::fixtures::operations::path_with;
use crate::fixtures::{HOME, NOURA_ID, Response, Service};

const FORBIDDEN: &str =
    r#"{"code":7,"message":"المستخدم غير مصرح له بتنفيذ هذا الطلب","details":[]}"#;
const UNAUTHENTICATED: &str = r#"{"code":16,"message":"the access token is invalid or expired; refresh it or sign in again","details":[]}"#;
/// An organization without a tenant.
const UNRESOLVABLE: &str = "274893004";

/// What is expected of a request that the guard refuses.
#[derive(Debug, Clone, Copy)]
enum Refusal {
    /// 403 with the fixed bytes.
    Forbidden,
    /// 401 with the fixed bytes.
    Unauthenticated,
    /// 503 without a body.
    TenantUnavailable,
}

/// The headers of a request, which are the metadata over gRPC.
type Headers<'a> = Vec<(&'static str, &'a str)>;

#[tokio::test]
async fn guard_refuses_every_operation_with_the_bytes_of_the_contract() {
    let service = service_without_rate_limit().await;
    let environment = Environment::new(&service).await;
    service.grant(NOURA_ID, UNRESOLVABLE, "administrator").await;
    let noura = format!("Bearer {}", environment.administrator.token);
    let home = service.names.home_organization_scope();
    let without_audience = format!("Bearer {}", service.machine_token(home).await);
    let without_home = format!(
        "Bearer {}",
        service.machine_token(&service.audience_scope()).await
    );
    let organization = "x-idp-orgid";
    let cases: [(&str, Headers<'_>, Refusal); 7] = [
        ("no Authorization", vec![], Refusal::Forbidden),
        (
            "an unknown token",
            vec![("authorization", "Bearer nonsense")],
            Refusal::Unauthenticated,
        ),
        (
            "no audience",
            vec![("authorization", &without_audience)],
            Refusal::Forbidden,
        ),
        (
            "no home organization",
            vec![("authorization", &without_home)],
            Refusal::Forbidden,
        ),
        (
            "an organization without a grant",
            vec![("authorization", &noura), (organization, "999")],
            Refusal::Forbidden,
        ),
        (
            "an empty organization",
            vec![("authorization", &noura), (organization, "")],
            Refusal::Forbidden,
        ),
        (
            "an organization without a tenant",
            vec![("authorization", &noura), (organization, UNRESOLVABLE)],
            Refusal::TenantUnavailable,
        ),
    ];
    for operation in operation::ALL {
        for (case, headers, refusal) in &cases {
            let what = format!("{case}: {}", operation.method);
            assert_refused_over_rest(&send(&service, operation, headers).await, *refusal, &what);
            let answer =
                call_encoded_with(&environment.channel, operation, Vec::new(), headers).await;
            let status = answer.expect_err("the request is refused");
            assert_refused_over_grpc(&status, *refusal, &what);
        }
    }

    // The token stays; its roles are gone.
    service
        .execute_sql(&format!("DELETE FROM grants WHERE subject = '{NOURA_ID}'"))
        .await;
    service.grant(NOURA_ID, HOME, "nothing").await;
    let headers = vec![("authorization", &*noura)];
    for operation in operation::ALL
        .iter()
        .filter(|operation| !operation.without_rules)
    {
        let what = format!("no scope: {}", operation.method);
        let rest = send(&service, operation, &headers).await;
        assert_refused_over_rest(&rest, Refusal::Forbidden, &what);
        let answer = call_encoded_with(&environment.channel, operation, Vec::new(), &headers).await;
        let status = answer.expect_err("the request is refused");
        assert_refused_over_grpc(&status, Refusal::Forbidden, &what);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn rate_limit_of_every_operation_returns_429_with_the_delay() {
    let service = Service::start_with(|mut config| {
        config.rate_limit = Some(1);
        config
    })
    .await;
    let environment = Environment::new(&service).await;
    let caller = environment.caller(&operation::LIST_INVOICES);
    caller.post(operation::LIST_INVOICES.path, json!({})).await;
    environment.operator.get("/api/nowhere").await;
    for operation in operation::ALL {
        let token = format!("Bearer {}", environment.caller(operation).token);
        let headers = vec![("authorization", &*token)];
        let what = operation.method;
        let rest = send(&service, operation, &headers).await;
        assert_eq!(rest.status, 429, "{what}: {}", rest.body);
        assert_eq!(rest.json["code"], json!(8), "{what}");
        assert_eq!(reason(&rest.json), "RATE_LIMIT", "{what}");
        assert!(rest.body.contains("google.rpc.RetryInfo"), "{what}");
        let delay: u64 = rest.header("retry-after").parse().expect("seconds");
        assert!(delay > 0, "{what}");
        let answer = call_encoded_with(&environment.channel, operation, Vec::new(), &headers).await;
        let status = answer.expect_err("the request is refused");
        assert_eq!(status.code(), Code::ResourceExhausted, "{what}");
        assert!(status.metadata().get("retry-after").is_some(), "{what}");
    }
    service.running.shutdown().await;
}

/// The cases send more requests than a tenant may by default.
pub(in crate::gateway) async fn service_without_rate_limit() -> Service {
    Service::start_with(|mut config| {
        config.rate_limit = Some(1_000_000);
        config
    })
    .await
}

/// A request with `headers`, and a body that no operation takes.
async fn send(service: &Service, operation: &Operation, headers: &[(&str, &str)]) -> Response {
    let verb = Method::from_bytes(operation.verb.as_bytes()).expect("an HTTP method");
    let path = path_with(operation, "1");
    let mut request = service.http.request(verb, service.base(&path));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let sent = request.body("nothing that an operation takes").send().await;
    Response::read(sent.expect("a response")).await
}

#[track_caller]
fn assert_refused_over_rest(response: &Response, refusal: Refusal, what: &str) {
    let (status, body) = match refusal {
        Refusal::Forbidden => (403, FORBIDDEN),
        Refusal::Unauthenticated => (401, UNAUTHENTICATED),
        Refusal::TenantUnavailable => (503, ""),
    };
    assert_eq!(
        (response.status.as_u16(), &*response.body),
        (status, body),
        "{what}"
    );
    assert!(!response.header("x-correlation-id").is_empty(), "{what}");
    assert_eq!(
        response.header("content-length"),
        body.len().to_string(),
        "{what}"
    );
    match refusal {
        Refusal::Forbidden => {}
        Refusal::Unauthenticated => assert_eq!(
            response.header("www-authenticate"),
            "Bearer error=\"invalid_token\"",
            "{what}"
        ),
        Refusal::TenantUnavailable => assert_eq!(response.header("retry-after"), "1", "{what}"),
    }
}

#[track_caller]
fn assert_refused_over_grpc(status: &Status, refusal: Refusal, what: &str) {
    let code = match refusal {
        Refusal::Forbidden => Code::PermissionDenied,
        Refusal::Unauthenticated => Code::Unauthenticated,
        Refusal::TenantUnavailable => Code::Unavailable,
    };
    assert_eq!((status.code(), status.details()), (code, &[][..]), "{what}");
    assert!(
        status.metadata().get("x-correlation-id").is_some(),
        "{what}"
    );
    if matches!(refusal, Refusal::TenantUnavailable) {
        let delay = status.metadata().get("retry-after");
        assert_eq!(
            delay.map(|value| value.as_bytes()),
            Some(&b"1"[..]),
            "{what}"
        );
    }
}
