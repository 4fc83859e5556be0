//! Tests of concurrent writes to documents.

use crate::fixtures::gateway::{DOCUMENTS, GatewayClient, document_changes, invoice, reason};
use crate::fixtures::{Response, Service};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_issues_number_documents_without_gaps() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut drafts = Vec::new();
    for _ in 0..20 {
        drafts.push(gateway.create_draft(invoice("a", "10")).await);
    }
    // Each draft is issued twice: the second request is stale and must not use a number.
    let tries = drafts
        .iter()
        .chain(&drafts)
        .map(|draft| gateway.try_perform(draft, "issue"));
    let responses = join_all(tries).await;
    let mut numbers: Vec<_> = responses
        .iter()
        .filter(|response| response.status == 200)
        .map(|response| {
            response.json["content"]["invoice"]["number"]
                .as_str()
                .expect("a number")
                .to_owned()
        })
        .collect();
    numbers.sort();
    let year = &numbers[0][4..8];
    let expected: Vec<_> = (1..=20)
        .map(|sequence| format!("INV-{year}-{sequence:04}"))
        .collect();
    assert_eq!(numbers, expected);
    let others: Vec<_> = responses
        .iter()
        .filter(|response| response.status != 200)
        .map(|response| response.json["code"].clone())
        .collect();
    assert_eq!(others.len(), 20, "each draft is issued once");
    assert!(
        others
            .iter()
            .all(|code| [json!(9), json!(10)].contains(code)),
        "{others:?}"
    );
    service.running.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_writers_yield_one_success_and_respect_the_plan_limit() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let path = format!(
        "{DOCUMENTS}/{}",
        draft["documentKey"].as_str().expect("a key")
    );
    let edits = (1..=10).map(|price| {
        let mut body = document_changes(&invoice("a", &price.to_string()));
        body["concurrencyStamp"] = draft["concurrencyStamp"].clone();
        let request = gateway.request(Method::PATCH, &path).json(&body);
        async move { Response::read(request.send().await.expect("a response")).await }
    });
    let responses = join_all(edits).await;
    let codes: Vec<_> = responses
        .iter()
        .filter(|response| response.status != 200)
        .map(|response| &response.json["code"])
        .collect();
    assert_eq!(
        codes,
        [&json!(10); 9],
        "one update succeeds, nine return aborted"
    );

    service
        .execute_sql("UPDATE tenants SET monthly_documents = 4 WHERE organization_id = '274893001'")
        .await;
    let body = document_changes(&invoice("a", "10"));
    let creates = (0..12).map(|_| gateway.post(DOCUMENTS, body.clone()));
    let responses = join_all(creates).await;
    let created = responses
        .iter()
        .filter(|response| response.status == 200)
        .count();
    assert_eq!(created, 3, "four documents in total");
    assert!(
        responses
            .iter()
            .all(|response| response.status == 200 || reason(&response.json) == "PLAN_LIMIT")
    );
    service.running.shutdown().await;
}
