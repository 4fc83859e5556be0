//! Tests of the history of a document.

use crate::fixtures::gateway::{DOCUMENTS, GatewayClient, invoice, reason, violation_fields};
use crate::fixtures::{Response, Service};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn history_is_read_in_pages_by_the_token_of_its_document() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let other = gateway.create_draft(invoice("another", "10")).await;
    let draft = gateway.create_draft(invoice("first", "10")).await;
    let issued = gateway.perform(&draft, "issue").await;
    gateway.perform(&issued, "freeze").await;
    let history = async |document: &Value, page_token: &str| {
        let key = document["documentKey"].as_str().expect("a key");
        let path = format!("{DOCUMENTS}/{key}/history?pageSize=2&pageToken={page_token}");
        gateway.get(&path).await
    };
    let mut actions = Vec::new();
    let mut token = String::new();
    for _ in 0..2 {
        let page = history(&draft, &token).await.json;
        for revision in page["revisions"].as_array().expect("revisions") {
            actions.push((revision["number"].clone(), revision["action"].clone()));
        }
        token = page["nextPageToken"].as_str().expect("a token").to_owned();
        if token.is_empty() {
            break;
        }
        let refused = history(&other, &token).await;
        assert_eq!(violation_fields(&refused), ["pageToken"], "of another");
    }
    let expected = [(3, "frozen"), (2, "issued"), (1, "created")];
    assert_eq!(
        actions,
        expected.map(|(number, action)| (json!(number), json!(action)))
    );
    assert_eq!(token, "", "the last page");
    service.running.shutdown().await;
}

#[tokio::test]
async fn deleted_draft_keeps_its_history() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let path = format!(
        "{DOCUMENTS}/{}",
        draft["documentKey"].as_str().expect("a key")
    );
    let delete = |path: String| {
        let request = gateway.request(Method::DELETE, &path);
        async move { Response::read(request.send().await.expect("a response")).await }
    };
    assert_eq!(
        violation_fields(&delete(path.clone()).await),
        ["concurrencyStamp"]
    );
    assert_eq!(
        delete(format!("{path}?concurrencyStamp=old")).await.json["code"],
        json!(10)
    );
    let stamp = draft["concurrencyStamp"].as_str().expect("a stamp");
    let deleted = delete(format!("{path}?concurrencyStamp={stamp}")).await;
    assert_eq!((deleted.status.as_u16(), &deleted.json), (200, &json!({})));
    assert_eq!(gateway.get(&path).await.status, 404);
    let sums = gateway
        .post("/api/v1/simple/invoices/list", json!({}))
        .await
        .json;
    assert_eq!((&sums["totalSize"], &sums["sums"]), (&json!(0), &json!([])));
    let history = gateway.get(&format!("{path}/history")).await.json;
    let actions: Vec<_> = history["revisions"]
        .as_array()
        .expect("revisions")
        .iter()
        .map(|revision| revision["action"].clone())
        .collect();
    assert_eq!(actions, [json!("deleted"), json!("created")]);
    assert_eq!(history["revisions"][1]["document"], draft);

    let issued = gateway
        .perform(&gateway.create_draft(invoice("a", "10")).await, "issue")
        .await;
    let path = format!(
        "{DOCUMENTS}/{}",
        issued["documentKey"].as_str().expect("a key")
    );
    let stamp = issued["concurrencyStamp"].as_str().expect("a stamp");
    let refused = delete(format!("{path}?concurrencyStamp={stamp}")).await;
    assert_eq!(
        (&refused.json["code"], reason(&refused.json)),
        (&json!(9), "DOCUMENT_ISSUED".into())
    );
    let nobody = gateway
        .get(&format!(
            "{DOCUMENTS}/{}/history",
            crate::fixtures::new_key()
        ))
        .await;
    assert_eq!(nobody.status, 404, "the document never existed");
    service.running.shutdown().await;
}
