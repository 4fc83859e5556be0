//! Tests of attachments: added, read, removed, embedded into UBL, and closed with the document.

use crate::fixtures::gateway::{
    DOCUMENTS, GatewayClient, channel, invoice, reason, violation_fields,
};
use crate::fixtures::{Response, Service};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use invoicing_contract::messages::documents as v2;
use invoicing_contract::messages::documents::document_attachments_client::DocumentAttachmentsClient;
use reqwest::Method;
use serde_json::{Value, json};

/// A PNG without pixels: its signature is what counts.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

fn path(document: &Value, rest: &str) -> String {
    let key = document["documentKey"].as_str().expect("a key");
    format!("{DOCUMENTS}/{key}{rest}")
}

fn add(document: &Value, media_type: &str, content: &[u8]) -> Value {
    json!({
        "concurrencyStamp": document["concurrencyStamp"],
        "fileName": "scan.png",
        "mediaType": media_type,
        "content": STANDARD.encode(content),
    })
}

#[tokio::test]
async fn attachment_is_added_read_and_removed_while_the_document_is_a_draft() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("service", "10")).await;
    let attachments = path(&draft, "/attachments");

    // The file itself is the body.
    let stamp = draft["concurrencyStamp"].as_str().expect("a stamp");
    let query = [("concurrencyStamp", stamp), ("fileName", "مسح.png")];
    let request = gateway.request(Method::POST, &attachments).query(&query);
    let request = request.header("content-type", "image/png").body(PNG);
    let added = Response::read(request.send().await.expect("a response")).await;
    assert_eq!(added.status, 200, "{}", added.body);
    let document = added.json;
    let info = &document["attachments"][0];
    assert_eq!(
        (&info["fileName"], &info["mediaType"], &info["sizeBytes"]),
        (&json!("مسح.png"), &json!("image/png"), &json!(PNG.len()))
    );
    assert_eq!(info["sha256"].as_str().expect("a hash").len(), 64);
    assert_ne!(document["concurrencyStamp"], draft["concurrencyStamp"]);

    let id = info["attachmentId"].as_str().expect("an id");
    let request = gateway.request(Method::GET, &format!("{attachments}/{id}"));
    let file = request.send().await.expect("a response");
    assert_eq!(file.headers()["content-type"], "image/png");
    assert!(file.headers().contains_key("etag"));
    assert_eq!(file.bytes().await.expect("a body"), PNG);
    let list = gateway.get(&attachments).await;
    assert_eq!(list.json["attachments"], document["attachments"]);

    let stale = gateway
        .post(&attachments, add(&draft, "image/png", PNG))
        .await;
    assert_eq!(
        (stale.status.as_u16(), reason(&stale.json)),
        (409, "STAMP_MISMATCH".into())
    );
    for (media_type, content, field) in [
        ("image/jpeg", PNG, "content"),
        ("text/html", b"<html>", "mediaType"),
        ("text/csv", b"MZ\0", "content"),
        ("text/csv", b"", "content"),
    ] {
        let refused = gateway
            .post(&attachments, add(&document, media_type, content))
            .await;
        assert_eq!(refused.status, 400, "{}", refused.body);
        assert_eq!(violation_fields(&refused), [field], "{media_type}");
    }
    let large = vec![b'a'; 2 * 1024 * 1024 + 1];
    let large = gateway
        .post(&attachments, add(&document, "text/csv", &large))
        .await;
    assert_eq!(violation_fields(&large), ["content"]);

    let key = draft["documentKey"].as_str().expect("a key").to_owned();
    let mut client = DocumentAttachmentsClient::new(channel(&service).await);
    let stamp = document["concurrencyStamp"].as_str().expect("a stamp");
    let removed = client
        .remove_attachment(gateway.grpc(v2::RemoveAttachmentRequest {
            document_key: key.clone(),
            attachment_id: id.to_owned(),
            concurrency_stamp: stamp.to_owned(),
        }))
        .await;
    let removed = removed.expect("a document").into_inner();
    assert!(removed.attachments.is_empty());
    let gone = gateway.get(&format!("{attachments}/{id}")).await;
    assert_eq!(
        (gone.status.as_u16(), reason(&gone.json)),
        (404, "ATTACHMENT_NOT_FOUND".into())
    );
    let history = gateway.get(&path(&draft, "/history")).await;
    let revisions = history.json["revisions"].as_array().expect("a list");
    let actions: Vec<_> = revisions.iter().map(|each| &each["action"]).collect();
    assert_eq!(
        actions,
        ["attachment_removed", "attachment_added", "created"]
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn attachment_of_an_issued_document_is_in_its_ubl_and_stays() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let mut document = gateway.create_draft(invoice("service", "10")).await;
    for number in 1..=10 {
        let content = format!("a,{number}");
        let body = add(&document, "text/csv", content.as_bytes());
        let added = gateway.post(&path(&document, "/attachments"), body).await;
        assert_eq!(added.status, 200, "{}", added.body);
        document = added.json;
    }
    let body = add(&document, "image/png", PNG);
    let more = gateway.post(&path(&document, "/attachments"), body).await;
    assert_eq!(reason(&more.json), "TOO_MANY_ATTACHMENTS");

    let mut edited = invoice("service", "20");
    edited["note"] = json!("edited");
    let body = json!({
        "concurrencyStamp": document["concurrencyStamp"],
        "changes": {"content": {"invoice": edited}},
    });
    let request = gateway
        .request(Method::PATCH, &path(&document, ""))
        .json(&body);
    let edited = Response::read(request.send().await.expect("a response")).await;
    assert_eq!(
        edited.json["attachments"], document["attachments"],
        "they stay"
    );
    let issued = gateway.perform(&edited.json, "issue").await;

    let request = gateway.request(Method::GET, &path(&issued, "/ubl"));
    let ubl = request.send().await.expect("a response").text().await;
    let ubl = ubl.expect("a body");
    for number in 1..=10 {
        let content = STANDARD.encode(format!("a,{number}"));
        assert!(ubl.contains(&format!(">{content}<")), "{number}: {ubl}");
    }
    let body = add(&issued, "image/png", PNG);
    let refused = gateway.post(&path(&issued, "/attachments"), body).await;
    assert_eq!(reason(&refused.json), "DOCUMENT_ISSUED");
    let copy = gateway.post(&path(&issued, ":duplicate"), json!({})).await;
    assert_eq!(copy.json["attachments"], json!([]), "a duplicate has none");
    service.running.shutdown().await;
}
