//! Tests of the list operations: pages, sums, page tokens, invalid requests.

mod authority_states;
mod demo_seed;
mod read_masks;
mod reference_model;
mod repeated_answers;

use std::collections::BTreeMap;

use crate::fixtures::gateway::{GatewayClient, invoice, reason, violations};
use crate::fixtures::{Response, Service};
use reqwest::Method;
use rust_decimal::Decimal;
use serde_json::{Value, json};

const LIST: &str = "/api/v1/simple/invoices/list";

/// All items of a list, read page by page, and its first page.
async fn walk(gateway: &GatewayClient<'_>, mut request: Value) -> (Vec<Value>, Value) {
    let mut items = Vec::new();
    let mut first = Value::Null;
    loop {
        let response = gateway.post(LIST, request.clone()).await;
        assert_eq!(response.status, 200, "{}", response.body);
        items.extend(
            response.json["items"]
                .as_array()
                .expect("items")
                .iter()
                .cloned(),
        );
        if first.is_null() {
            first = response.json.clone();
        }
        let next = response.json["nextPageToken"]
            .as_str()
            .expect("a token, or none");
        if next.is_empty() {
            return (items, first);
        }
        request["pageToken"] = json!(next);
    }
}

fn text<'item>(item: &'item Value, field: &str) -> &'item str {
    item[field].as_str().unwrap_or_default()
}

fn amount(item: &Value, field: &str) -> Decimal {
    text(item, field).parse().expect("an amount")
}

/// Count, net, tax and gross by currency; amounts of credit notes are negative.
fn sums(items: &[Value]) -> Value {
    let mut sums = BTreeMap::<&str, (u32, [Decimal; 3])>::new();
    for item in items {
        let sign = if text(item, "kind") == "CREDIT_NOTE" {
            -Decimal::ONE
        } else {
            Decimal::ONE
        };
        let (count, amounts) = sums.entry(text(item, "currency")).or_default();
        *count += 1;
        for (sum, field) in amounts.iter_mut().zip(["net", "tax", "gross"]) {
            let amount = amount(item, field);
            *sum += sign * amount;
            // A sum of zeros would lose its scale: 0.00 and 0 are printed differently.
            sum.rescale(amount.scale());
        }
    }
    let row = |(currency, (count, [net, tax, gross])): (&str, (u32, [Decimal; 3]))| json!({"currency": currency, "count": count, "net": net.to_string(), "tax": tax.to_string(), "gross": gross.to_string()});
    sums.into_iter().map(row).collect()
}

#[tokio::test]
async fn list_sums_stay_exact_after_writes() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut drafts = Vec::new();
    for price in ["0.01", "99999999999.99", "1091.50", "12.34"] {
        drafts.push(gateway.create_draft(invoice("a", price)).await);
    }
    let issued = gateway.perform(&drafts[0], "issue").await;
    gateway.perform(&issued, "freeze").await;
    gateway.perform(&drafts[1], "issue").await;
    let mut euros = json!({"concurrencyStamp": drafts[2]["concurrencyStamp"], "changes": {"content": {"invoice": invoice("b", "7")}}});
    euros["changes"]["content"]["invoice"]["currency"] = json!("EUR");
    let path = format!("/api/v2/documents/{}", text(&drafts[2], "documentKey"));
    let updated = gateway
        .request(Method::PATCH, &path)
        .json(&euros)
        .send()
        .await
        .expect("a response");
    assert_eq!(updated.status(), 200);
    let mut note = invoice("a", "0.50");
    note["kind"] = json!("CREDIT_NOTE");
    note["reason"] = json!("returned");
    note["preceding"] = json!([{"number": "INV-2026-0001"}]);
    gateway.create_draft(note).await;
    for filter in [
        json!({}),
        json!({"number": "-"}),
        json!({"buyer": "palm"}),
        json!({"status": ["DRAFT"]}),
        json!({"gross": {"from": "1"}}),
    ] {
        let (items, first) = walk(&gateway, json!({"filter": filter, "pageSize": 2})).await;
        assert_eq!(first["sums"], sums(&items), "{filter}");
        assert_eq!(first["totalSize"], json!(items.len()), "{filter}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn list_item_equals_the_invoice_without_lines() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let listed = gateway.post(LIST, json!({})).await.json["items"][0].clone();
    let mut got = gateway
        .post(
            "/api/v1/simple/invoices/get",
            json!({"documentKey": draft["documentKey"]}),
        )
        .await
        .json;
    assert_eq!(got["lines"].as_array().map(Vec::len), Some(1));
    got["lines"] = json!([]);
    got["taxBreakdown"] = json!([]);
    assert_eq!(listed, got);
    service.running.shutdown().await;
}

#[tokio::test]
async fn document_list_matches_the_invoice_list_with_full_content() {
    let service = Service::start_with(|config| invoicing_service::Config {
        invoices: Some(12),
        ..config
    })
    .await;
    let gateway = GatewayClient::new(&service).await;
    let request = json!({"pageSize": 5, "sort": [{"field": "GROSS"}]});
    let simple = gateway.post(LIST, request.clone()).await.json;
    let documents = gateway.post("/api/v2/documents/list", request).await.json;
    assert_eq!(
        (
            &documents["totalSize"],
            &documents["sums"],
            &documents["nextPageToken"]
        ),
        (
            &simple["totalSize"],
            &simple["sums"],
            &simple["nextPageToken"]
        )
    );
    let (simple, items) = (
        simple["items"].as_array().expect("items"),
        documents["items"].as_array().expect("items"),
    );
    assert_eq!(items.len(), 5);
    for (simple, document) in simple.iter().zip(items) {
        let read = gateway
            .get(&format!(
                "/api/v2/documents/{}",
                text(simple, "documentKey")
            ))
            .await
            .json;
        assert_eq!(&read, document);
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn page_token_with_another_query_or_organization_returns_invalid_argument() {
    let service = Service::start_with(|config| invoicing_service::Config {
        invoices: Some(30),
        ..config
    })
    .await;
    let gateway = GatewayClient::new(&service).await;
    let first = gateway.post(LIST, json!({"pageSize": 5})).await.json;
    let token = text(&first, "nextPageToken");
    assert!(!token.is_empty(), "there is a second page");
    let changed = format!("A{}", &token[1..]);
    for request in [
        json!({"pageToken": token, "filter": {"buyer": "a"}}),
        json!({"pageToken": token, "sort": [{"field": "GROSS"}]}),
        json!({"pageToken": changed}),
        json!({"pageToken": "nonsense"}),
    ] {
        let response = gateway.post(LIST, request.clone()).await;
        let fields: Vec<_> = violations(&response.json)
            .into_iter()
            .map(|(field, _)| field)
            .collect();
        assert_eq!(
            (response.status.as_u16(), reason(&response.json), fields),
            (400, "INVALID_REQUEST".into(), vec!["pageToken".to_owned()]),
            "{request}"
        );
    }
    service.execute_sql("INSERT INTO grants (subject, organization_id, role) VALUES ('310000000000000009', '274893002', 'viewer')").await;
    let other = gateway
        .request(Method::POST, LIST)
        .header("x-idp-orgid", "274893002")
        .json(&json!({"pageToken": token}))
        .send()
        .await;
    assert_eq!(
        Response::read(other.expect("a response")).await.status,
        400,
        "another organization's"
    );
    let larger = gateway
        .post(LIST, json!({"pageToken": token, "pageSize": 500}))
        .await;
    assert_eq!(
        larger.json["items"].as_array().map(Vec::len),
        Some(25),
        "the size of a page may change: {}",
        larger.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn invalid_list_request_reports_every_violation() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let response = gateway
        .post(LIST, json!({
            "pageSize": 501, "skip": -1,
            "sort": [{"field": "GROSS"}, {"field": "GROSS"}, {}],
            "filter": {
                "status": ["DRAFT", "STATUS_UNSPECIFIED"], "currency": ["sar"], "buyer": "x".repeat(201),
                "issueDate": {"from": "2026-2-1"}, "dueDate": {"to": "tomorrow"}, "gross": {"from": "1,5", "to": "99999999999999999999"},
            },
        }))
        .await;
    let fields: Vec<_> = violations(&response.json)
        .into_iter()
        .map(|(field, _)| field)
        .collect();
    let expected = [
        "filter.status[1]",
        "filter.issueDate.from",
        "filter.dueDate.to",
        "filter.gross.from",
        "filter.gross.to",
        "filter.currency[0]",
        "filter.buyer",
        "sort[1].field",
        "sort[2].field",
        "pageSize",
        "skip",
    ];
    assert_eq!(fields, expected);
    service.running.shutdown().await;
}
