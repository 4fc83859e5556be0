//! Tests of the rate limit and of the monthly plan limit.

use crate::fixtures::gateway::{GatewayClient, invoices_client, reason};
use crate::fixtures::{CLOCK_STEPS, Service, by_engine};
use invoicing_contract::messages::simple::ListInvoicesRequest;
use reqwest::Method;
use serde_json::json;
use tonic::Code;
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
