//! Tests of failures: storage, kill -9, and the log of their cause.

use crate::fixtures::gateway::{DOCUMENTS, GatewayClient, document_changes, invoice, reason};
use crate::fixtures::process::Process;
use crate::fixtures::{Service, ServiceFolder, by_engine};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn unexpected_failure_returns_internal_without_details() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    service
        .execute_sql(&format!("ALTER TABLE {} RENAME TO elsewhere", contents()))
        .await;
    let response = gateway
        .post(DOCUMENTS, document_changes(&invoice("a", "10")))
        .await;
    assert_eq!(
        (
            response.status.as_u16(),
            &response.json["code"],
            reason(&response.json)
        ),
        (500, &json!(13), "INTERNAL".into())
    );
    for word in [contents(), "table", "SQL", "sql"] {
        assert!(
            !response.body.contains(word),
            "{word} is told: {}",
            response.body
        );
    }
    assert!(!response.header("x-correlation-id").is_empty());
    service
        .execute_sql(&format!("ALTER TABLE elsewhere RENAME TO {}", contents()))
        .await;
    gateway.create_draft(invoice("a", "10")).await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn acknowledged_documents_survive_kill_9() {
    let folder = ServiceFolder::new();
    let process = Process::start(&folder, &["--invoices", "0"]).await;
    let gateway = GatewayClient::new(&process.client).await;
    let issued = gateway
        .perform(&gateway.create_draft(invoice("a", "10")).await, "issue")
        .await;
    let draft = gateway.create_draft(invoice("b", "20")).await;
    // A request whose client disconnects: the write is applied completely or not at all.
    let abandoned = gateway.try_perform(&draft, "issue");
    drop(tokio::time::timeout(std::time::Duration::ZERO, abandoned).await);
    process.kill();

    let process = Process::start(&folder, &["--invoices", "0"]).await;
    let gateway = GatewayClient::new(&process.client).await;
    let read = |document: &Value| {
        let path = format!(
            "{DOCUMENTS}/{}",
            document["documentKey"].as_str().expect("a key")
        );
        let gateway = &gateway;
        async move { gateway.get(&path).await.json }
    };
    assert_eq!(read(&issued).await, issued);
    let found = read(&draft).await;
    let number = found["content"]["invoice"]["number"]
        .as_str()
        .expect("a number")
        .to_owned();
    assert_eq!(
        found["status"] == "ISSUED",
        number.ends_with("-0002"),
        "{found}"
    );
    let next = gateway
        .perform(&gateway.create_draft(invoice("c", "30")).await, "issue")
        .await;
    let expected = if number.is_empty() { "-0002" } else { "-0003" };
    assert!(
        next["content"]["invoice"]["number"]
            .as_str()
            .is_some_and(|number| number.ends_with(expected)),
        "no gap: {next}"
    );
    let list = gateway
        .post("/api/v1/simple/invoices/list", json!({}))
        .await
        .json;
    assert_eq!(
        (&list["totalSize"], &list["sums"][0]["net"]),
        (&json!(3), &json!("60.00"))
    );
    process.kill();
}

#[tokio::test]
async fn failure_cause_is_logged_with_the_correlation_id() {
    let folder = ServiceFolder::new();
    let process = Process::start(&folder, &["--invoices", "0"]).await;
    let gateway = GatewayClient::new(&process.client).await;
    folder
        .execute_sql(&format!("ALTER TABLE {} RENAME TO elsewhere", contents()))
        .await;
    let request = gateway
        .request(Method::POST, DOCUMENTS)
        .header("x-correlation-id", "desk-0190a6c2");
    let response = request
        .json(&document_changes(&invoice("a", "10")))
        .send()
        .await
        .expect("a response");
    assert_eq!(response.status(), 500);
    let log = crate::fixtures::process::log(folder.path());
    let line = log
        .lines()
        .find(|line| line.contains("desk-0190a6c2") && line.contains("ERROR"));
    assert!(line.is_some_and(|line| line.contains(contents())), "{log}");
    assert!(!log.contains(&gateway.token), "no token is logged");
    process.kill();
}

/// The table with the contents of documents.
fn contents() -> &'static str {
    by_engine("document_contents", "documents")
}
