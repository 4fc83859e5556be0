//! Tests of payments over REST and gRPC.

use futures_util::future::join_all;
use invoicing_contract::messages::payments::GetBalanceRequest;
use invoicing_contract::messages::payments::payments_client::PaymentsClient;
use reqwest::Method;
use serde_json::{Value, json};

use super::clearance::clearing_authority;
use crate::fixtures::authority::Behaviour;
use crate::fixtures::gateway::{GatewayClient, channel, invoice, reason, violation_fields};
use crate::fixtures::{Response, Service, by_engine};

const LIST: &str = "/api/v1/simple/invoices/list";

pub(super) async fn issued(gateway: &GatewayClient<'_>, invoice: Value) -> Value {
    let draft = gateway.create_draft(invoice).await;
    gateway.perform(&draft, "issue").await
}

/// The path of the payments of a document.
fn payments(document: &Value) -> String {
    let key = document["documentKey"].as_str().expect("a key");
    format!("/api/v2/documents/{key}/payments")
}

pub(super) async fn pay(gateway: &GatewayClient<'_>, document: &Value, amount: &str) -> Response {
    let body = json!({"payment": {"amount": amount, "means": "30", "reference": "FT-1"}});
    gateway.post(&payments(document), body).await
}

pub(super) async fn states(gateway: &GatewayClient<'_>, state: &str) -> Vec<String> {
    let body = json!({"filter": {"paymentState": [state]}, "sort": [{"field": "GROSS"}]});
    let page = gateway.post(LIST, body).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let items = page.json["items"].as_array().cloned().unwrap_or_default();
    assert_eq!(page.json["totalSize"], json!(items.len()), "{}", page.body);
    let row = |item: &Value| format!("{} {}", item["open"], item["paymentState"]);
    items.iter().map(row).collect()
}

#[tokio::test]
async fn payments_settle_an_invoice_and_are_voided_by_entries() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a", "100")).await;
    let refused = pay(&gateway, &draft, "10").await;
    assert_eq!(reason(&refused.json), "DOCUMENT_NOT_ISSUED");
    let document = gateway.perform(&draft, "issue").await;

    let wrong = json!({"paymentKey": "7", "payment": {
        "amount": "0.001", "currency": "USD", "date": "2999-01-01", "means": "x", "voided": true,
    }});
    let wrong = gateway.post(&payments(&document), wrong).await;
    assert_eq!(
        violation_fields(&wrong),
        [
            "paymentKey",
            "payment.voided",
            "payment.date",
            "payment.currency",
            "payment.amount",
            "payment.means"
        ]
    );
    let above = pay(&gateway, &document, "115.01").await;
    assert_eq!(reason(&above.json), "PAYMENT_ABOVE_OPEN");
    assert!(above.body.contains(r#""open":"115.00""#), "{}", above.body);
    let checked = json!({"payment": {"amount": "15"}, "validateOnly": true});
    let checked = gateway.post(&payments(&document), checked).await;
    assert_eq!(
        checked.json["balance"]["open"],
        json!("100.00"),
        "after it: {}",
        checked.body
    );
    let unpaid = gateway.get(&payments(&document)).await;
    assert_eq!(
        unpaid.json["balance"]["open"],
        json!("115.00"),
        "nothing is written: {}",
        unpaid.body
    );

    let first = pay(&gateway, &document, "15").await;
    assert_eq!(first.status, 200, "{}", first.body);
    assert_eq!(first.json["balance"]["open"], json!("100.00"));
    assert_eq!(first.json["payment"]["currency"], json!("SAR"));
    let key = first.json["payment"]["paymentKey"].as_str().expect("a key");
    let again = json!({"paymentKey": key, "payment": {"amount": "15"}});
    let again = gateway.post(&payments(&document), again).await;
    assert_eq!(
        (again.status.as_u16(), &*reason(&again.json)),
        (409, "PAYMENT_EXISTS")
    );
    let parallel = join_all((0..6).map(|_| pay(&gateway, &document, "30"))).await;
    let stored = parallel.iter().filter(|response| response.status == 200);
    assert_eq!(stored.count(), 3, "30, 30 and 30 of 100");
    assert_eq!(states(&gateway, "PARTLY_PAID").await.len(), 1);

    let void = format!("{}/{key}:void", payments(&document));
    let unexplained = gateway.post(&void, json!({})).await;
    assert_eq!(violation_fields(&unexplained), ["reason"]);
    let voided = gateway.post(&void, json!({"reason": "bounced"})).await;
    assert_eq!(voided.status, 200, "{}", voided.body);
    assert_eq!(voided.json["payment"]["amount"], json!("-15.00"));
    assert_eq!(voided.json["balance"]["open"], json!("25.00"));
    let twice = gateway.post(&void, json!({"reason": "bounced"})).await;
    assert_eq!(reason(&twice.json), "PAYMENT_VOIDED");
    let entry = voided.json["payment"]["paymentKey"].as_str();
    let entry = format!("{}/{}:void", payments(&document), entry.expect("a key"));
    let of_entry = gateway.post(&entry, json!({"reason": "bounced"})).await;
    assert_eq!(reason(&of_entry.json), "PAYMENT_IS_VOID");
    let list = gateway
        .get(&format!("{}?pageSize=4", payments(&document)))
        .await;
    assert_eq!(
        list.json["items"].as_array().map(Vec::len),
        Some(4),
        "{}",
        list.body
    );
    assert_eq!(list.json["items"][0]["voided"], json!(true));
    let token = list.json["nextPageToken"].as_str().expect("a token");
    let rest = format!("{}?pageSize=4&pageToken={token}", payments(&document));
    let rest = gateway.get(&rest).await;
    assert_eq!(rest.json["items"][0]["voids"], json!(key), "{}", rest.body);
    assert_eq!(rest.json["items"][0]["reason"], json!("bounced"));

    // A credit note gives back a part of what is open.
    let mut note = invoice("a", "20");
    note["kind"] = json!("CREDIT_NOTE");
    note["reason"] = json!("returned");
    note["preceding"] = json!([{
        "documentKey": document["documentKey"],
        "number": document["content"]["invoice"]["number"],
    }]);
    let note = issued(&gateway, note).await;
    let refused = pay(&gateway, &note, "1").await;
    assert_eq!(reason(&refused.json), "PAYMENT_ABOVE_OPEN");
    let mut client = PaymentsClient::new(channel(&service).await);
    let request = GetBalanceRequest {
        document_key: document["documentKey"].as_str().expect("a key").to_owned(),
    };
    let balance = client.get_balance(gateway.grpc(request)).await;
    let balance = balance.expect("a balance").into_inner();
    assert_eq!((&*balance.credited, &*balance.open), ("23.00", "2.00"));
    let last = pay(&gateway, &document, "2").await;
    assert_eq!(
        last.json["balance"]["state"],
        json!("PAID"),
        "{}",
        last.body
    );
    assert_eq!(states(&gateway, "PAID").await, ["\"0.00\" \"PAID\""]);
    assert!(states(&gateway, "OPEN").await.is_empty());
    service.running.shutdown().await;
}

/// A note over `price` that corrects a document, issued.
async fn credited(gateway: &GatewayClient<'_>, document: &Value, price: &str) -> Value {
    let mut note = invoice("a", price);
    note["kind"] = json!("CREDIT_NOTE");
    note["reason"] = json!("returned");
    note["preceding"] = json!([{
        "documentKey": document["documentKey"],
        "number": document["content"]["invoice"]["number"],
    }]);
    issued(gateway, note).await
}

async fn refund(gateway: &GatewayClient<'_>, document: &Value, amount: &str) -> Response {
    let body = json!({"payment": {"amount": amount, "means": "30", "refund": true}});
    gateway.post(&payments(document), body).await
}

#[tokio::test]
async fn invoice_that_is_credited_and_not_paid_is_open_and_then_credited() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let document = issued(&gateway, invoice("a", "100")).await;
    credited(&gateway, &document, "40").await;
    assert_eq!(states(&gateway, "OPEN").await, ["\"69.00\" \"OPEN\""]);
    assert!(states(&gateway, "PARTLY_PAID").await.is_empty());
    credited(&gateway, &document, "60").await;
    // The notes and the invoice have settled each other.
    let settled = "\"0.00\" \"CREDITED\"";
    assert_eq!(states(&gateway, "CREDITED").await, [settled; 3]);
    for empty in ["OPEN", "PAID", "PARTLY_PAID", "TO_REFUND", "OVERDUE"] {
        assert!(states(&gateway, empty).await.is_empty(), "{empty}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn refund_lowers_what_is_open_of_a_credit_note() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let document = issued(&gateway, invoice("a", "100")).await;
    let early = refund(&gateway, &document, "1").await;
    assert_eq!(reason(&early.json), "PAYMENT_ABOVE_OPEN");
    pay(&gateway, &document, "100").await;
    let note = credited(&gateway, &document, "40").await;
    // 15.00 of 46.00 settle the invoice.
    assert_eq!(states(&gateway, "PAID").await, ["\"0.00\" \"PAID\""]);
    assert_eq!(
        states(&gateway, "TO_REFUND").await,
        ["\"-31.00\" \"TO_REFUND\""]
    );
    let above = refund(&gateway, &note, "31.01").await;
    assert_eq!(reason(&above.json), "PAYMENT_ABOVE_OPEN");
    assert!(above.body.contains(r#""open":"-31.00""#), "{}", above.body);
    let first = refund(&gateway, &note, "11").await;
    assert_eq!(first.status, 200, "{}", first.body);
    assert_eq!(first.json["payment"]["refund"], json!(true));
    let balance = &first.json["balance"];
    assert_eq!(
        [
            &balance["payable"],
            &balance["credited"],
            &balance["paid"],
            &balance["open"],
            &balance["state"]
        ],
        ["-46.00", "-15.00", "-11.00", "-20.00", "TO_REFUND"],
        "{}",
        first.body
    );
    let ageing = gateway.get("/api/v2/reports/ageing").await;
    let rows = ageing.json["rows"].as_array().cloned().unwrap_or_default();
    let riyals = rows.iter().find(|row| row["currency"] == "SAR");
    assert_eq!(
        riyals.expect("riyals")["creditBalance"],
        json!("-20.00"),
        "{}",
        ageing.body
    );
    let last = refund(&gateway, &note, "20").await;
    assert_eq!(last.json["balance"]["state"], json!("PAID"));
    let key = first.json["payment"]["paymentKey"].as_str().expect("a key");
    let void = format!("{}/{key}:void", payments(&note));
    let voided = gateway.post(&void, json!({"reason": "bounced"})).await;
    assert_eq!(
        (
            &voided.json["balance"]["open"],
            &voided.json["balance"]["state"]
        ),
        (&json!("-11.00"), &json!("TO_REFUND")),
        "{}",
        voided.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn credit_note_from_before_there_were_refunds_takes_none_and_its_original_does() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let document = issued(&gateway, invoice("a", "100")).await;
    pay(&gateway, &document, "100").await;
    let note = credited(&gateway, &document, "40").await;
    // As that version stored it: the note has no receivable, and the original has all that it took off (decision 0137).
    let as_before =
        "DELETE FROM receivables WHERE payable < 0; UPDATE receivables SET credited = 4600";
    let unlocked = "ALTER TABLE receivables NO FORCE ROW LEVEL SECURITY; ";
    let as_before = format!("{}{as_before}", by_engine("", unlocked));
    service.execute_sql(&as_before).await;

    let refused = refund(&gateway, &note, "1").await;
    assert_eq!(
        (refused.status.as_u16(), &*reason(&refused.json)),
        (400, "DOCUMENT_NOT_PAYABLE"),
        "{}",
        refused.body
    );
    let list = gateway.get(&payments(&note)).await;
    assert_eq!(reason(&list.json), "DOCUMENT_NOT_PAYABLE");
    let refunded = refund(&gateway, &document, "31").await;
    assert_eq!(
        refunded.json["balance"]["open"],
        json!("0.00"),
        "{}",
        refunded.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn payments_of_a_document_that_is_rejected_later_are_voided_and_refunded() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    authority.set(Behaviour::Unauthorized);
    let document = gateway.create_draft(invoice("a", "100")).await;
    let pending = gateway.try_perform(&document, "issue").await;
    assert_eq!(reason(&pending.json), "AUTHORITY_UNAVAILABLE");
    let first = pay(&gateway, &document, "40").await;
    assert_eq!(first.status, 200, "{}", first.body);
    let second = pay(&gateway, &document, "10").await;
    assert_eq!(second.status, 200, "{}", second.body);
    authority.set(Behaviour::Rejects);
    let rejected = gateway.perform(&document, "issue").await;
    assert_eq!(rejected["status"], "REJECTED", "{rejected}");

    let refused = pay(&gateway, &document, "1").await;
    assert_eq!(reason(&refused.json), "DOCUMENT_NOT_ISSUED");
    let key = document["documentKey"].as_str().expect("a key");
    let balance = gateway
        .get(&format!("/api/v2/documents/{key}/balance"))
        .await;
    let shown = ["payable", "paid", "open", "state"].map(|field| &balance.json[field]);
    assert_eq!(
        shown,
        ["0.00", "50.00", "-50.00", "TO_REFUND"],
        "{}",
        balance.body
    );
    let list = gateway.get(&payments(&document)).await;
    let items = list.json["items"].as_array().map(Vec::len);
    assert_eq!(items, Some(2), "{}", list.body);

    let mut in_dollars = invoice("a", "100");
    in_dollars["currency"] = json!("USD");
    in_dollars["taxCurrency"] = json!("SAR");
    in_dollars["exchangeRate"] = json!("3.75");
    let correct = async || {
        let stamp = gateway.get(&format!("/api/v2/documents/{key}")).await;
        let stamp = stamp.json["concurrencyStamp"].clone();
        let changes = json!({"content": {"invoice": in_dollars}});
        let request = json!({"changes": changes, "concurrencyStamp": stamp, "validateOnly": true});
        let path = format!("/api/v2/documents/{key}");
        let request = gateway.request(Method::PATCH, &path).json(&request);
        Response::read(request.send().await.expect("a response")).await
    };
    let refused = correct().await;
    assert_eq!(
        violation_fields(&refused),
        ["changes.content.invoice.currency"],
        "{}",
        refused.body
    );

    let voided = first.json["payment"]["paymentKey"].as_str().expect("a key");
    let void = format!("{}/{voided}:void", payments(&document));
    let voided = gateway.post(&void, json!({"reason": "bounced"})).await;
    assert_eq!(voided.json["balance"]["open"], "-10.00", "{}", voided.body);
    let above = refund(&gateway, &document, "10.01").await;
    assert_eq!(reason(&above.json), "PAYMENT_ABOVE_OPEN");
    let refunded = refund(&gateway, &document, "10").await;
    let balance = &refunded.json["balance"];
    assert_eq!(balance["open"], "0.00", "{}", refunded.body);
    assert_eq!(
        balance["state"], "PAYMENT_STATE_UNSPECIFIED",
        "{}",
        refunded.body
    );
    let corrected = correct().await;
    assert_eq!(corrected.status, 200, "{}", corrected.body);
    service.running.shutdown().await;
}
