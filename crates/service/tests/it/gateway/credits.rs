//! Tests of credit limits: several credit notes on the same originals.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::clearance::clearing_authority;
use crate::fixtures::authority::Behaviour;
use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, assert_breaks, document_changes, invoice, reason, violation_fields,
};
use crate::fixtures::{Response, Service};

/// A credit note with the net amount `price` that references `originals`.
pub(super) fn note(price: &str, originals: &[&Value]) -> Value {
    let mut note = invoice("returned", price);
    note["kind"] = json!("CREDIT_NOTE");
    note["reason"] = json!("returned");
    let preceding = originals.iter().map(|original| {
        json!({
            "documentKey": original["documentKey"],
            "number": original["content"]["invoice"]["number"],
        })
    });
    note["preceding"] = preceding.collect();
    note
}

pub(super) async fn issued(gateway: &GatewayClient<'_>, price: &str) -> Value {
    let draft = gateway.create_draft(invoice("sold", price)).await;
    gateway.perform(&draft, "issue").await
}

/// Gives the document at `path` another invoice.
pub(super) async fn edit(gateway: &GatewayClient<'_>, path: &str, content: Value) -> Response {
    let stamp = gateway.get(path).await.json["concurrencyStamp"].clone();
    let changes = json!({"content": {"invoice": content}});
    let request = json!({"changes": changes, "concurrencyStamp": stamp});
    let request = gateway.request(Method::PATCH, path).json(&request);
    Response::read(request.send().await.expect("a response")).await
}

fn number(document: &Value) -> &str {
    document["content"]["invoice"]["number"]
        .as_str()
        .expect("a number")
}

#[tokio::test]
async fn credit_notes_exceeding_the_original_in_total_are_rejected() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let original = issued(&gateway, "10").await;
    let first = gateway.create_draft(note("6", &[&original])).await;
    let second = gateway.create_draft(note("5", &[&original])).await;
    gateway.perform(&first, "issue").await;

    let refused = gateway.try_perform(&second, "issue").await;
    assert_eq!(refused.status, 400, "{}", refused.body);
    assert_eq!(
        violation_fields(&refused),
        ["changes.content.invoice.preceding"]
    );
    assert_eq!(reason(&refused.json), "INVALID_INVOICE");
    let error_info = refused.json["details"]
        .as_array()
        .expect("details")
        .iter()
        .find_map(|detail| detail.get("metadata"))
        .expect("an ErrorInfo");
    assert_eq!(error_info["rules"], json!("INV-CREDITS-ABOVE-ORIGINAL"));
    assert_eq!(
        (
            &error_info["most"],
            &error_info["earlier"],
            &error_info["computed"]
        ),
        (&json!("11.50"), &json!("6.90"), &json!("5.75"))
    );
    let key = second["documentKey"].as_str().expect("a key");
    let unchanged = gateway.get(&format!("/api/v2/documents/{key}")).await;
    assert_eq!(unchanged.json, second, "the draft is unchanged");

    let rest = gateway.create_draft(note("4", &[&original])).await;
    let rest = gateway.perform(&rest, "issue").await;
    assert!(
        number(&rest).ends_with("-0002"),
        "the rejected issue uses no number"
    );
    let more = gateway.create_draft(note("0.01", &[&original])).await;
    let more = gateway.try_perform(&more, "issue").await;
    assert_eq!(
        more.status, 400,
        "the original is fully credited: {}",
        more.body
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn concurrent_credit_notes_never_exceed_the_original() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let original = issued(&gateway, "10").await;
    let mut drafts = Vec::new();
    for _ in 0..8 {
        drafts.push(gateway.create_draft(note("4", &[&original])).await);
    }
    let responses = join_all(
        drafts
            .iter()
            .map(|draft| gateway.try_perform(draft, "issue")),
    )
    .await;
    let passed = responses.iter().filter(|response| response.status == 200);
    assert_eq!(passed.count(), 2, "4 and 4 of 10");
    for refused in responses.iter().filter(|response| response.status != 200) {
        assert_breaks(refused, "INV-CREDITS-ABOVE-ORIGINAL");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn credit_note_on_several_originals_is_limited_by_their_sum() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let (one, other) = (issued(&gateway, "10").await, issued(&gateway, "10").await);
    let both = gateway.create_draft(note("15", &[&one, &other])).await;
    gateway.perform(&both, "issue").await;

    let above = gateway.create_draft(note("6", &[&one])).await;
    let above = gateway.try_perform(&above, "issue").await;
    assert_eq!(above.status, 400, "15 and 6 of 20: {}", above.body);
    let rest = gateway.create_draft(note("5", &[&one])).await;
    gateway.perform(&rest, "issue").await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn credit_note_on_an_unknown_original_is_not_limited() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let original = issued(&gateway, "10").await;
    let elsewhere = json!({
        "documentKey": "0197f2a4-7c3e-7b1a-8f00-000000000000",
        "content": {"invoice": {"number": "OLD-7"}},
    });
    for _ in 0..2 {
        let draft = gateway
            .create_draft(note("9", &[&original, &elsewhere]))
            .await;
        gateway.perform(&draft, "issue").await;
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn credit_note_numbers_use_their_own_series() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let issued = gateway
        .perform(&gateway.create_draft(invoice("a", "10")).await, "issue")
        .await;
    let mut note = invoice("a", "10");
    note["kind"] = json!("CREDIT_NOTE");
    let wrong = gateway.post(DOCUMENTS, document_changes(&note)).await;
    assert_eq!(
        violation_fields(&wrong),
        [
            "changes.content.invoice.preceding",
            "changes.content.invoice.reason"
        ]
    );
    note["reason"] = json!("returned");
    note["preceding"] = json!([{"number": issued["content"]["invoice"]["number"]}]);
    let note = gateway
        .perform(&gateway.create_draft(note).await, "issue")
        .await;
    let number = note["content"]["invoice"]["number"]
        .as_str()
        .expect("a number");
    assert!(
        number.starts_with("CN-") && number.ends_with("-0001"),
        "{number}"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn credit_note_above_its_original_is_rejected() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let issued = gateway
        .perform(&gateway.create_draft(invoice("a", "10")).await, "issue")
        .await;
    let credit = |price: &str, key: &Value| {
        let mut note = invoice("a", price);
        note["kind"] = json!("CREDIT_NOTE");
        note["reason"] = json!("returned");
        note["preceding"] = json!([{
            "documentKey": key, "number": issued["content"]["invoice"]["number"],
        }]);
        document_changes(&note)
    };
    let key = &issued["documentKey"];
    let above = gateway.post(DOCUMENTS, credit("10.01", key)).await;
    assert_breaks(&above, "INV-CREDIT-ABOVE-ORIGINAL");
    assert_eq!(violation_fields(&above), ["changes.content.invoice.lines"]);
    let full = gateway.post(DOCUMENTS, credit("10", key)).await;
    assert_eq!(full.status, 200, "{}", full.body);
    let unknown = json!("0197f2a4-7c3e-7b1a-8f00-000000000000");
    let other = gateway.post(DOCUMENTS, credit("10.01", &unknown)).await;
    assert_eq!(other.status, 200, "the original is unknown: {}", other.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn credit_note_above_its_original_is_rejected_when_it_is_issued() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let original = gateway.create_draft(invoice("sold", "100")).await;
    let mut credit = note("100", &[&original]);
    credit["preceding"][0]["number"] = json!("INV-7");
    let credit = gateway.create_draft(credit).await;
    let key = original["documentKey"].as_str().expect("a key");
    let path = format!("/api/v2/documents/{key}");
    let less = edit(&gateway, &path, invoice("sold", "50")).await;
    assert_eq!(less.status, 200, "{}", less.body);
    gateway.perform(&less.json, "issue").await;

    let refused = gateway.try_perform(&credit, "issue").await;
    assert_breaks(&refused, "INV-CREDIT-ABOVE-ORIGINAL");
    assert_eq!(
        violation_fields(&refused),
        ["changes.content.invoice.lines"]
    );
    let key = credit["documentKey"].as_str().expect("a key");
    let mut less = note("50", &[&original]);
    less["preceding"][0]["number"] = json!("INV-7");
    let less = edit(&gateway, &format!("{DOCUMENTS}/{key}"), less).await;
    assert_eq!(less.status, 200, "{}", less.body);
    gateway.perform(&less.json, "issue").await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn rejected_invoice_keeps_the_currency_and_the_least_amount_of_its_credit_notes() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    authority.set(Behaviour::Unauthorized);
    let document = gateway.create_draft(invoice("sold", "10")).await;
    let pending = gateway.try_perform(&document, "issue").await;
    assert_eq!(reason(&pending.json), "AUTHORITY_UNAVAILABLE");
    let key = document["documentKey"].as_str().expect("a key");
    let path = format!("/api/v2/documents/{key}");
    let original = gateway.get(&path).await.json;
    let credit = gateway.create_draft(note("6", &[&original])).await;
    let pending = gateway.try_perform(&credit, "issue").await;
    assert_eq!(reason(&pending.json), "AUTHORITY_UNAVAILABLE");
    authority.set(Behaviour::Rejects);
    let rejected = gateway.perform(&document, "issue").await;
    assert_eq!(rejected["status"], "REJECTED", "{rejected}");
    // The credit note keeps waiting.
    authority.set(Behaviour::Unauthorized);

    let mut in_dollars = invoice("sold", "10");
    in_dollars["currency"] = json!("USD");
    in_dollars["taxCurrency"] = json!("SAR");
    in_dollars["exchangeRate"] = json!("3.75");
    let refused = edit(&gateway, &path, in_dollars).await;
    assert_eq!(
        violation_fields(&refused),
        ["changes.content.invoice.currency"],
        "{}",
        refused.body
    );

    authority.set(Behaviour::Clears);
    let below = edit(&gateway, &path, invoice("sold", "5")).await;
    assert_eq!(below.status, 200, "{}", below.body);
    let refused = gateway.try_perform(&below.json, "issue").await;
    assert_breaks(&refused, "INV-BELOW-CREDITS");

    let enough = edit(&gateway, &path, invoice("sold", "6")).await;
    let issued = gateway.perform(&enough.json, "issue").await;
    assert_eq!(issued["status"], "ISSUED", "{issued}");
    let balance = gateway.get(&format!("{path}/balance")).await;
    assert_eq!(balance.json["open"], "0.00", "{}", balance.body);
    service.running.shutdown().await;
}
