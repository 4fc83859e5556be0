//! Tests of duplicates of documents, and of the relations between notes and what they correct.

use super::credits;
use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, document_changes, documents_client, invoice, reason, violation_fields,
};
use crate::fixtures::{Service, by_engine};
use invoicing_contract::messages::documents as v2;
use serde_json::{Value, json};
use tonic::Code;

fn path(document: &Value, rest: &str) -> String {
    let key = document["documentKey"].as_str().expect("a key");
    format!("{DOCUMENTS}/{key}{rest}")
}

#[tokio::test]
async fn duplicate_is_a_draft_with_the_content_and_without_number_and_dates() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut content = invoice("maintenance", "10");
    content["dueDate"] = json!("2027-01-31");
    content["purchaseOrder"] = json!("PO-1");
    content["note"] = json!("Thank you");
    let draft = gateway.create_draft(content).await;
    let issued = gateway.perform(&draft, "issue").await;
    let key = crate::fixtures::new_key().to_string();

    let body = json!({"newDocumentKey": key, "validateOnly": true});
    let checked = gateway.post(&path(&issued, ":duplicate"), body).await;
    assert_eq!(checked.status, 200, "{}", checked.body);
    let read = gateway.get(&format!("{DOCUMENTS}/{key}")).await;
    assert_eq!(read.status, 404, "nothing was written");

    let body = json!({"newDocumentKey": key});
    let copy = gateway
        .post(&path(&issued, ":duplicate"), body.clone())
        .await;
    assert_eq!(copy.status, 200, "{}", copy.body);
    let invoice = &copy.json["content"]["invoice"];
    assert_eq!(
        (&copy.json["documentKey"], &copy.json["status"]),
        (&json!(key), &json!("DRAFT"))
    );
    assert_eq!(
        (
            &invoice["number"],
            &invoice["dueDate"],
            &copy.json["issued"]
        ),
        (&json!(""), &json!(""), &Value::Null)
    );
    let original = &issued["content"]["invoice"];
    for copied in ["lines", "buyer", "purchaseOrder", "note", "totals"] {
        assert_eq!(invoice[copied], original[copied], "{copied}");
    }
    let history = gateway.get(&path(&copy.json, "/history")).await;
    assert_eq!(history.json["revisions"][0]["action"], json!("created"));

    let again = gateway.post(&path(&issued, ":duplicate"), body).await;
    assert_eq!(
        (again.status.as_u16(), reason(&again.json)),
        (409, "DOCUMENT_EXISTS".into())
    );
    let malformed = json!({"newDocumentKey": "1"});
    let refused = gateway.post(&path(&issued, ":duplicate"), malformed).await;
    assert_eq!(violation_fields(&refused), ["newDocumentKey"]);
    let request = v2::DuplicateDocumentRequest {
        document_key: crate::fixtures::new_key().to_string(),
        ..v2::DuplicateDocumentRequest::default()
    };
    let mut client = documents_client(&service).await;
    let unknown = client.duplicate_document(gateway.grpc(request)).await;
    assert_eq!(unknown.expect_err("unknown").code(), Code::NotFound);
    service.running.shutdown().await;
}

#[tokio::test]
async fn duplicate_of_an_invoice_with_a_tax_currency_needs_the_exchange_rate_of_its_own_day() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut content = invoice("exported", "100");
    content["currency"] = json!("EUR");
    content["taxCurrency"] = json!("SAR");
    content["exchangeRate"] = json!("4.10");
    let draft = gateway.create_draft(content).await;
    let without = gateway.post(&path(&draft, ":duplicate"), json!({})).await;
    assert_eq!(without.status, 400, "{}", without.body);
    assert_eq!(
        violation_fields(&without),
        ["changes.content.invoice.exchangeRate"]
    );

    let body = json!({"exchangeRate": "4.25"});
    let copy = gateway.post(&path(&draft, ":duplicate"), body).await;
    assert_eq!(copy.status, 200, "{}", copy.body);
    let copied = &copy.json["content"]["invoice"];
    assert_eq!(copied["exchangeRate"], json!("4.25"));
    assert_eq!(copied["totals"]["taxInTaxCurrency"], json!("63.75"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn relations_name_the_notes_of_an_invoice_and_what_may_still_be_given_back() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("sold", "10")).await;
    let relations = gateway.get(&path(&draft, "/relations")).await;
    assert_eq!(relations.status, 200, "{}", relations.body);
    assert_eq!(
        relations.json,
        json!({"originals": [], "notes": [], "debitNotes": [], "remaining": "", "currency": ""}),
        "a draft has none"
    );
    let original = gateway.perform(&draft, "issue").await;
    let note = gateway.create_draft(credits::note("4", &[&original])).await;
    let remaining = |relations: &Value| relations["remaining"].clone();
    let before = gateway.get(&path(&original, "/relations")).await.json;
    assert_eq!(
        (remaining(&before), &before["notes"]),
        (json!("11.50"), &json!([])),
        "a draft gives nothing back"
    );
    let note = gateway.perform(&note, "issue").await;

    let after = gateway.get(&path(&original, "/relations")).await.json;
    assert_eq!(
        (remaining(&after), &after["currency"]),
        (json!("6.90"), &json!("SAR"))
    );
    let named = &after["notes"][0];
    assert_eq!(
        (&named["documentKey"], &named["kind"], &named["gross"]),
        (&note["documentKey"], &json!("CREDIT_NOTE"), &json!("4.60"))
    );
    let request = v2::GetDocumentRelationsRequest {
        document_key: note["documentKey"].as_str().expect("a key").to_owned(),
    };
    let mut client = documents_client(&service).await;
    let of_note = client.get_document_relations(gateway.grpc(request)).await;
    let of_note = of_note.expect("relations").into_inner();
    assert_eq!(
        of_note.remaining, "",
        "nothing is given back of a credit note"
    );
    assert_eq!(
        of_note.originals[0].number,
        original["content"]["invoice"]["number"]
            .as_str()
            .expect("a number")
    );
    assert_eq!(of_note.originals[0].gross, "11.50");

    // A duplicate of a note corrects the same document, and exceeds it here.
    let body = json!({"validateOnly": true});
    let copy = gateway.post(&path(&note, ":duplicate"), body).await;
    assert_eq!(copy.status, 200, "{}", copy.body);
    assert_eq!(
        copy.json["content"]["invoice"]["preceding"][0]["documentKey"],
        original["documentKey"]
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn relations_name_the_debit_notes_of_an_invoice() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let original = gateway.create_draft(invoice("sold", "10")).await;
    let original = gateway.perform(&original, "issue").await;
    let mut note = invoice("more work", "4");
    note["kind"] = json!("DEBIT_NOTE");
    note["reason"] = json!("more work");
    note["preceding"] = json!([
        {"documentKey": original["documentKey"], "number": original["content"]["invoice"]["number"]},
    ]);
    let note = gateway.create_draft(note).await;
    let before = gateway.get(&path(&original, "/relations")).await.json;
    assert_eq!(before["debitNotes"], json!([]), "a draft raises nothing");
    let note = gateway.perform(&note, "issue").await;

    let after = gateway.get(&path(&original, "/relations")).await.json;
    let named = &after["debitNotes"][0];
    assert_eq!(
        (&named["documentKey"], &named["kind"], &named["gross"]),
        (&note["documentKey"], &json!("DEBIT_NOTE"), &json!("4.60"))
    );
    assert_eq!(
        (&after["remaining"], &after["notes"]),
        (&json!("11.50"), &json!([]))
    );
    let request = v2::GetDocumentRelationsRequest {
        document_key: original["documentKey"].as_str().expect("a key").to_owned(),
    };
    let mut client = documents_client(&service).await;
    let over_grpc = client.get_document_relations(gateway.grpc(request)).await;
    let over_grpc = over_grpc.expect("relations").into_inner();
    assert_eq!(over_grpc.debit_notes.len(), 1);
    service.running.shutdown().await;
}

#[tokio::test]
async fn documents_that_are_related_to_another_are_read_without_their_contents() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let original = gateway.create_draft(invoice("sold", "10")).await;
    let original = gateway.perform(&original, "issue").await;
    // Whoever decodes the content of a document fails.
    let damage = by_engine(
        "UPDATE document_contents SET body = x'ff'",
        // Its owner sees no row of an organization otherwise.
        "ALTER TABLE documents NO FORCE ROW LEVEL SECURITY; UPDATE documents SET body = '\\xff'",
    );
    service.execute_sql(damage).await;
    let unreadable = gateway.get(&path(&original, "")).await;
    assert_eq!(unreadable.status, 500, "{}", unreadable.body);

    let above = document_changes(&credits::note("10.01", &[&original]));
    let above = gateway.post(DOCUMENTS, above).await;
    assert_eq!(violation_fields(&above), ["changes.content.invoice.lines"]);
    let note = gateway.create_draft(credits::note("4", &[&original])).await;
    let relations = gateway.get(&path(&note, "/relations")).await;
    let named = &relations.json["originals"][0];
    for (field, value) in [
        ("documentKey", &original["documentKey"]),
        ("number", &original["content"]["invoice"]["number"]),
        ("kind", &json!("INVOICE")),
        ("status", &json!("ISSUED")),
        ("issueDate", &original["content"]["invoice"]["issueDate"]),
        ("currency", &json!("SAR")),
        ("gross", &json!("11.50")),
    ] {
        assert_eq!(&named[field], value, "{field}: {}", relations.body);
    }
    service.running.shutdown().await;
}
