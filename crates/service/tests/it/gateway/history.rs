//! Tests of the histories of documents, parties and items.

use crate::fixtures::gateway::{DOCUMENTS, GatewayClient, invoice, reason, violation_fields};
use crate::fixtures::{Response, Service};
use reqwest::Method;
use serde_json::json;

/// Asserts that the history at `path` has these actions, newest first, when it is read two by two, and that a page token of it is
/// refused at `other`.
async fn assert_pages(gateway: &GatewayClient<'_>, path: &str, other: &str, actions: &[&str]) {
    let page_of = async |path: &str, token: &str| {
        let query = format!("pageSize=2&pageToken={token}");
        gateway.get(&format!("{path}/history?{query}")).await
    };
    let mut read = Vec::new();
    let mut token = String::new();
    loop {
        let page = page_of(path, &token).await;
        let revisions = page.json["revisions"].as_array().expect("revisions");
        assert!((1..=2).contains(&revisions.len()), "{}", page.body);
        for revision in revisions {
            read.push((revision["number"].clone(), revision["action"].clone()));
        }
        token = page.json["nextPageToken"].as_str().expect("a token").into();
        if token.is_empty() {
            break;
        }
        let refused = page_of(other, &token).await;
        assert_eq!(violation_fields(&refused), ["pageToken"], "of another");
    }
    let numbers = (1..=actions.len()).rev();
    let expected: Vec<_> = numbers
        .zip(actions)
        .map(|(number, action)| (json!(number), json!(action)))
        .collect();
    assert_eq!(read, expected, "{path}");
}

#[tokio::test]
async fn history_of_a_document_is_read_in_pages_by_its_token() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let other = gateway.create_draft(invoice("another", "10")).await;
    let draft = gateway.create_draft(invoice("first", "10")).await;
    let issued = gateway.perform(&draft, "issue").await;
    gateway.perform(&issued, "freeze").await;
    let [path, other] = [&draft, &other].map(|document| {
        let key = document["documentKey"].as_str().expect("a key");
        format!("{DOCUMENTS}/{key}")
    });
    assert_pages(&gateway, &path, &other, &["frozen", "issued", "created"]).await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn histories_of_parties_and_items_are_read_in_pages_by_their_tokens() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let name = json!({"en": "Palm"});
    for (collection, field, record) in [
        ("parties", "party", json!({"details": {"name": name}})),
        ("items", "item", json!({"name": name, "price": "10"})),
    ] {
        let mut paths = Vec::new();
        for _ in 0..2 {
            let collection = format!("/api/v2/{collection}");
            let created = gateway.post(&collection, json!({field: record})).await;
            let mut record = created.json[field].clone();
            let key = record[format!("{field}Key")].as_str().expect("a key");
            let path = format!("{collection}/{key}");
            for step in ["archive", "restore"] {
                let stamp = json!({"concurrencyStamp": record["concurrencyStamp"]});
                record = gateway.post(&format!("{path}:{step}"), stamp).await.json;
            }
            paths.push(path);
        }
        let actions = ["restored", "archived", "created"];
        assert_pages(&gateway, &paths[0], &paths[1], &actions).await;
    }
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
