//! What a credit note may correct: a document that is issued, not rejected, and no credit note.

use serde_json::json;

use super::clearance::clearing_authority;
use super::credits::{edit, issued, note};
use crate::fixtures::Service;
use crate::fixtures::authority::Behaviour;
use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, assert_breaks, document_changes, invoice, violation_fields,
};

#[tokio::test]
async fn credit_note_for_a_rejected_document_is_refused_until_that_is_issued_again() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let authority = clearing_authority(&service.folder).await;
    authority.set(Behaviour::Rejects);
    let document = gateway.create_draft(invoice("sold", "10")).await;
    let rejected = gateway.perform(&document, "issue").await;
    assert_eq!(rejected["status"], "REJECTED", "{rejected}");
    authority.set(Behaviour::Clears);

    let credit = gateway.create_draft(note("6", &[&rejected])).await;
    let refused = gateway.try_perform(&credit, "issue").await;
    assert_breaks(&refused, "INV-ORIGINAL-REJECTED");
    assert_eq!(
        violation_fields(&refused),
        ["changes.content.invoice.preceding"]
    );
    let key = document["documentKey"].as_str().expect("a key");
    let path = format!("/api/v2/documents/{key}");
    let relations = gateway.get(&format!("{path}/relations")).await;
    assert_eq!(relations.json["remaining"], "0.00", "{}", relations.body);

    gateway.perform(&rejected, "issue").await;
    gateway.perform(&credit, "issue").await;
    let balance = gateway.get(&format!("{path}/balance")).await;
    assert_eq!(balance.json["open"], "4.60", "{}", balance.body);
    service.running.shutdown().await;
}

#[tokio::test]
async fn credit_note_for_a_credit_note_is_refused() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let original = issued(&gateway, "10").await;
    let credit = gateway.create_draft(note("6", &[&original])).await;
    let credit = gateway.perform(&credit, "issue").await;
    let of_note = document_changes(&note("6", &[&credit]));
    let refused = gateway.post(DOCUMENTS, of_note).await;
    assert_breaks(&refused, "INV-ORIGINAL-KIND");
    service.running.shutdown().await;
}

#[tokio::test]
async fn credit_note_is_issued_after_what_it_corrects() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let original = gateway.create_draft(invoice("sold", "10")).await;
    let mut credit = note("6", &[&original]);
    credit["preceding"][0]["number"] = json!("INV-7");
    let credit = gateway.create_draft(credit).await;
    let refused = gateway.try_perform(&credit, "issue").await;
    assert_breaks(&refused, "INV-ORIGINAL-DRAFT");
    let fields = violation_fields(&refused);
    assert_eq!(fields, ["changes.content.invoice.preceding"]);
    gateway.perform(&original, "issue").await;
    gateway.perform(&credit, "issue").await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn kind_of_an_original_is_checked_again_when_a_credit_note_is_issued() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let sold = issued(&gateway, "10").await;
    let original = gateway.create_draft(invoice("sold", "10")).await;
    let mut credit = note("6", &[&original]);
    credit["preceding"][0]["number"] = json!("INV-7");
    let credit = gateway.create_draft(credit).await;
    let key = original["documentKey"].as_str().expect("a key");
    let path = format!("/api/v2/documents/{key}");
    let as_note = edit(&gateway, &path, note("6", &[&sold])).await;
    assert_eq!(as_note.status, 200, "{}", as_note.body);
    let refused = gateway.try_perform(&credit, "issue").await;
    assert_breaks(&refused, "INV-ORIGINAL-KIND");
    let fields = violation_fields(&refused);
    assert_eq!(fields, ["changes.content.invoice.preceding"]);

    // Nor does a document become a credit note that was added after a note on its key was numbered.
    let later = json!({
        "documentKey": "0199f3a0-0000-7000-8000-000000000007",
        "content": {"invoice": {"number": "INV-8"}},
    });
    let early = gateway.create_draft(note("6", &[&later])).await;
    gateway.perform(&early, "issue").await;
    let added = json!({
        "documentKey": later["documentKey"],
        "changes": {"content": {"invoice": note("6", &[&sold])}},
    });
    let added = gateway.post(DOCUMENTS, added).await;
    assert_eq!(added.status, 200, "{}", added.body);
    let refused = gateway.try_perform(&added.json, "issue").await;
    assert_breaks(&refused, "INV-ORIGINAL-KIND");
    let fields = violation_fields(&refused);
    assert_eq!(fields, ["changes.content.invoice.kind"]);
    service.running.shutdown().await;
}
