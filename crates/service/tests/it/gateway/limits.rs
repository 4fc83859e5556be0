//! Tests of the rate limit, of the monthly plan limit, of refused tokens of an address, and of large bodies that arrive at once.

use crate::fixtures::gateway::{DOCUMENTS, GatewayClient, channel, invoices_client, reason};
use crate::fixtures::{CLOCK_STEPS, MACHINE_ID, Response, Service, by_engine, wait_until};
use invoicing_contract::messages::simple::ListInvoicesRequest;
use invoicing_contract::operation;
use invoicing_identity::RequestLimitSettings;
use invoicing_service::Config;
use reqwest::Method;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tonic::Code;

/// Another organization, which has a tenant.
const GULF_PEARL: &str = "274893002";
const LIST: &str = "/api/v1/simple/invoices/list";

#[tokio::test]
async fn rate_limit_applies_per_organization_before_routing() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    service
        .execute_sql(
            "UPDATE tenants SET requests_per_minute = 2 WHERE organization_id = '274893001'",
        )
        .await;
    for _ in 0..2 {
        assert_eq!(gateway.post(LIST, json!({})).await.status, 200);
    }
    for response in [
        gateway.post(LIST, json!({})).await,
        gateway.get("/api/nowhere").await,
        gateway.post_raw(LIST, "{").await,
    ] {
        assert_eq!(
            (response.status.as_u16(), &response.json["code"]),
            (429, &json!(8)),
            "{}",
            response.body
        );
        assert_eq!(reason(&response.json), "RATE_LIMIT");
        let delay = response.json["details"].as_array().and_then(|details| {
            details
                .iter()
                .find(|detail| detail["@type"] == "type.googleapis.com/google.rpc.RetryInfo")
        });
        assert!(
            delay.is_some_and(|detail| detail["retryDelay"].is_string()),
            "{}",
            response.body
        );
        let seconds: u64 = response
            .header("retry-after")
            .parse()
            .expect("whole seconds");
        assert!((1..=30).contains(&seconds), "{seconds}");
    }
    let refused = invoices_client(&service)
        .await
        .list_invoices(gateway.grpc(ListInvoicesRequest::default()))
        .await
        .expect_err("limited");
    assert_eq!(refused.code(), Code::ResourceExhausted);
    assert!(refused.metadata().get("retry-after").is_some());
    service.execute_sql("INSERT INTO grants (subject, organization_id, role) VALUES ('310000000000000009', '274893002', 'viewer')").await;
    let other = gateway
        .request(Method::POST, LIST)
        .header("x-idp-orgid", "274893002")
        .json(&json!({}))
        .send()
        .await;
    assert_eq!(
        other.expect("a response").status(),
        200,
        "another organization is not limited"
    );
    service.clock.advance(30);
    assert_eq!(
        gateway.post(LIST, json!({})).await.status,
        200,
        "the limit resets"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn rate_limit_ignores_steps_of_the_wall_clock() {
    for step in CLOCK_STEPS {
        let service = Service::start().await;
        let limit =
            "UPDATE tenants SET requests_per_minute = 2 WHERE organization_id = '274893001'";
        service.execute_sql(limit).await;
        let before = GatewayClient::new(&service).await;
        assert_eq!(before.post(LIST, json!({})).await.status, 200);
        service.clock.step_wall_clock(step);
        // The step can end the first token.
        let after = GatewayClient::new(&service).await;
        let second = after.post(LIST, json!({})).await;
        let shares_wall_clock = by_engine(false, true);
        if shares_wall_clock && step > 0 {
            // The time has passed for all processes (decision 0108).
            assert_eq!(second.status, 200, "{step} s: {}", second.body);
            service.running.shutdown().await;
            continue;
        }
        if shares_wall_clock {
            // After it was set back they refuse for a minute at most.
            assert_eq!(second.status, 429, "{step} s: {}", second.body);
            let seconds: u64 = second.header("retry-after").parse().expect("whole seconds");
            assert!((1..=60).contains(&seconds), "{step} s: {seconds}");
            service.running.shutdown().await;
            continue;
        }
        assert_eq!(second.status, 200, "{step} s: {}", second.body);
        let third = after.post(LIST, json!({})).await;
        assert_eq!(third.status, 429, "{step} s gives no new allowance");
        let seconds: u64 = third.header("retry-after").parse().expect("whole seconds");
        assert!((1..=60).contains(&seconds), "{step} s: {seconds}");
        service.running.shutdown().await;
    }
}

#[tokio::test]
async fn monthly_plan_limit_returns_plan_limit() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    service
        .execute_sql("UPDATE tenants SET monthly_documents = 2 WHERE organization_id = '274893001'")
        .await;
    for number in ["1", "2"] {
        gateway
            .create_draft(crate::fixtures::gateway::invoice("service", number))
            .await;
    }
    let response = gateway
        .post("/api/v2/documents", json!({"nonsense": 1}))
        .await;
    assert_eq!(
        (response.status.as_u16(), reason(&response.json)),
        (429, "PLAN_LIMIT".to_owned()),
        "{}",
        response.body
    );
    assert!(!response.header("retry-after").is_empty());
    assert_eq!(
        gateway.post(LIST, json!({})).await.status,
        200,
        "reads are still served"
    );
    service.clock.advance(32 * 24 * 3600);
    let gateway = GatewayClient::new(&service).await;
    gateway
        .create_draft(crate::fixtures::gateway::invoice("service", "3"))
        .await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn address_that_presents_invalid_tokens_is_limited_and_known_callers_at_it_are_not() {
    let service = Service::start_with(|config| Config {
        proxies: vec!["127.0.0.1/32".parse().expect("a network")],
        request_limits: RequestLimitSettings {
            address_per_minute: 50,
            application_per_minute: 0,
        },
        ..config
    })
    .await;
    let gateway = GatewayClient::new(&service).await;
    let list = async |token: &str, address: &str| {
        let request = service
            .http
            .post(service.base(LIST))
            .bearer_auth(token)
            .header("x-forwarded-for", address)
            .json(&json!({}));
        Response::read(request.send().await.expect("a response")).await
    };
    let shared = "192.0.2.1";
    assert_eq!(list(&gateway.token, shared).await.status, 200);
    for number in 0..5 {
        let refused = list(&format!("wrong-{number}"), shared).await;
        assert_eq!(refused.status, 401, "{number}: {}", refused.body);
    }
    let limited = list("wrong", shared).await;
    assert_eq!(limited.status, 429, "{}", limited.body);
    assert_eq!(reason(&limited.json), "ADDRESS_LIMIT");
    let wait: u64 = limited.header("retry-after").parse().expect("seconds");
    assert!((1..=2).contains(&wait), "{wait}");
    let mut request = tonic::Request::new(ListInvoicesRequest::default());
    let metadata = request.metadata_mut();
    metadata.insert("authorization", "Bearer wrong".parse().expect("ASCII"));
    metadata.insert("x-forwarded-for", shared.parse().expect("ASCII"));
    let refused = invoices_client(&service).await.list_invoices(request).await;
    let refused = refused.expect_err("the same limit");
    assert_eq!(refused.code(), Code::ResourceExhausted, "{refused:?}");

    let known = list(&gateway.token, shared).await;
    assert_eq!(known.status, 200, "it was valid before: {}", known.body);
    let elsewhere = list("wrong", "192.0.2.2").await;
    assert_eq!(elsewhere.status, 401, "{}", elsewhere.body);
    // A caller with a new token is not kept out for good.
    let new = GatewayClient::new(&service).await;
    service.clock.advance(2);
    assert_eq!(list(&new.token, shared).await.status, 200);
    service.running.shutdown().await;
}

/// The beginning of a request whose body is announced with 4 MiB and does not end.
async fn half_a_request(service: &Service, gateway: &GatewayClient<'_>) -> TcpStream {
    let mut connection = TcpStream::connect(service.running.gateway)
        .await
        .expect("the service listens");
    let head = format!(
        "POST {DOCUMENTS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: 4194304\r\n\r\n",
        gateway.token
    );
    let begin = [head.into_bytes(), vec![b' '; 20 * 1024]].concat();
    connection.write_all(&begin).await.expect("it is read");
    connection
}

#[tokio::test]
async fn large_bodies_of_one_organization_leave_room_for_those_of_another() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    service.grant(MACHINE_ID, GULF_PEARL, "accountant").await;
    let mut halves = Vec::new();
    for _ in 0..8 {
        halves.push(half_a_request(&service, &gateway).await);
    }
    let large = async |organization: Option<&str>| {
        let request = gateway.request(Method::POST, LIST);
        let request = match organization {
            Some(organization) => request.header("x-idp-orgid", organization),
            None => request,
        };
        let request = request
            .header("content-type", "application/json")
            .body(format!("{{}}{}", " ".repeat(20 * 1024)));
        Response::read(request.send().await.expect("a response")).await
    };
    let channel = channel(&service).await;
    // An unknown field, which is skipped.
    let message = [&[0xfa, 0x7f, 0x80, 0xa0, 0x01][..], &[0; 20 * 1024]].concat();
    // Until all halves have arrived. Each of the two waits for room, so they wait together.
    wait_until("the organization has no room left", async || {
        let over_grpc = gateway.call_encoded(&channel, &operation::LIST_INVOICES, message.clone());
        let (over_rest, over_grpc) = tokio::join!(large(None), over_grpc);
        let Err(refused) = over_grpc else {
            return false;
        };
        assert_eq!(refused.code(), Code::ResourceExhausted, "{refused:?}");
        assert!(refused.metadata().get("retry-after").is_some());
        over_rest.status == 429 && reason(&over_rest.json) == "BODY_QUEUE_FULL"
    })
    .await;
    assert_eq!(gateway.post(LIST, json!({})).await.status, 200, "small");
    let other = large(Some(GULF_PEARL)).await;
    assert_eq!(other.status, 200, "{}", other.body);
    drop(halves);
    wait_until("there is room again", async || {
        large(None).await.status == 200
    })
    .await;
    service.running.shutdown().await;
}
