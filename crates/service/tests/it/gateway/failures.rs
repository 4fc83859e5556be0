//! What fails around a document: the tax authority, storage, the power.

use crate::fixtures::gateway::{Caller, DOCUMENTS, changes, invoice, reason};
use crate::fixtures::process::Process;
use crate::fixtures::{Answer, Service};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

#[tokio::test]
async fn a_tax_authority_that_is_down_leaves_the_draft_as_it_was() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let closed = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = closed.local_addr().expect("an address");
    drop(closed);
    let draft = caller.draft(invoice("a", "10")).await;
    authority(&service, &format!("http://{address}/clear")).await;
    let answer = caller.tries(&draft, "issue").await;
    assert_eq!(
        (
            answer.status.as_u16(),
            &answer.json["code"],
            reason(&answer.json)
        ),
        (503, &json!(14), "AUTHORITY_UNAVAILABLE".into())
    );
    let path = format!(
        "{DOCUMENTS}/{}",
        draft["documentKey"].as_str().expect("a key")
    );
    assert_eq!(caller.get(&path).await.json, draft, "nothing was written");
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_an_authority_rejects_keeps_its_messages_and_can_be_corrected() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let answers = [
        r#"{"status":"rejected","messages":["BR-KSA-63"]}"#,
        "<html>",
        r#"{"status":"cleared"}"#,
    ];
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    authority(
        &service,
        &format!("http://{}/", listener.local_addr().expect("an address")),
    )
    .await;
    let answering = tokio::spawn(async move {
        for body in answers {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            let mut asked = Vec::new();
            while !asked.windows(4).any(|end| end == b"\r\n\r\n") {
                assert_ne!(
                    stream.read_buf(&mut asked).await.expect("a request"),
                    0,
                    "the request ended early"
                );
            }
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            stream
                .write_all(answer.as_bytes())
                .await
                .expect("it listens");
            // All of the question is read before the connection closes, else the answer could be lost.
            stream.shutdown().await.expect("it closes");
            let _ = stream.read_to_end(&mut asked).await;
        }
    });
    let draft = caller.draft(invoice("a", "10")).await;
    let rejected = caller.does(&draft, "issue").await;
    assert_eq!(rejected["status"], json!("REJECTED"));
    assert_eq!(
        rejected["authority"],
        json!({"status": "rejected", "messages": ["BR-KSA-63"]})
    );
    assert_eq!(
        rejected["content"]["invoice"]["number"],
        json!(""),
        "no number is used up"
    );
    let mut body = changes(&invoice("b", "11"));
    body["concurrencyStamp"] = rejected["concurrencyStamp"].clone();
    let path = format!(
        "{DOCUMENTS}/{}",
        draft["documentKey"].as_str().expect("a key")
    );
    let corrected = Answer::of(
        caller
            .request(Method::PATCH, &path)
            .json(&body)
            .send()
            .await
            .expect("an answer"),
    )
    .await;
    assert_eq!(
        (&corrected.json["status"], &corrected.json["authority"]),
        (&json!("DRAFT"), &json!(null)),
        "{}",
        corrected.body
    );
    let strange = caller.tries(&corrected.json, "issue").await;
    assert_eq!(
        reason(&strange.json),
        "AUTHORITY_UNAVAILABLE",
        "a page is no answer"
    );
    let issued = caller.does(&corrected.json, "issue").await;
    assert_eq!(
        (&issued["status"], &issued["authority"]["status"]),
        (&json!("ISSUED"), &json!("cleared"))
    );
    assert!(
        issued["content"]["invoice"]["number"]
            .as_str()
            .is_some_and(|number| number.ends_with("-0001")),
        "{issued}"
    );
    answering.await.expect("the authority answered three times");
    service.running.shutdown().await;
}

#[tokio::test]
async fn storage_held_by_another_program_is_unavailable_and_nothing_is_written() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    let draft = caller.draft(invoice("a", "10")).await;
    let mut other = crate::fixtures::gateway::database(&service).await;
    sqlx::raw_sql("BEGIN IMMEDIATE")
        .execute(&mut other)
        .await
        .expect("it is free");
    let answer = caller.tries(&draft, "issue").await;
    assert_eq!(
        (
            answer.status.as_u16(),
            &answer.json["code"],
            reason(&answer.json)
        ),
        (503, &json!(14), "STORAGE_BUSY".into())
    );
    sqlx::raw_sql("ROLLBACK")
        .execute(&mut other)
        .await
        .expect("it was held");
    let issued = caller.does(&draft, "issue").await;
    assert!(
        issued["content"]["invoice"]["number"]
            .as_str()
            .is_some_and(|number| number.ends_with("-0001")),
        "no gap: {issued}"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_nobody_expected_is_internal_without_a_word_of_why() {
    let service = Service::start().await;
    let caller = Caller::new(&service).await;
    crate::fixtures::gateway::sql(
        &service,
        "ALTER TABLE document_contents RENAME TO elsewhere",
    )
    .await;
    let answer = caller.post(DOCUMENTS, changes(&invoice("a", "10"))).await;
    assert_eq!(
        (
            answer.status.as_u16(),
            &answer.json["code"],
            reason(&answer.json)
        ),
        (500, &json!(13), "INTERNAL".into())
    );
    for word in ["document_contents", "table", "SQL", "sql"] {
        assert!(
            !answer.body.contains(word),
            "{word} is told: {}",
            answer.body
        );
    }
    assert!(!answer.header("x-correlation-id").is_empty());
    crate::fixtures::gateway::sql(
        &service,
        "ALTER TABLE elsewhere RENAME TO document_contents",
    )
    .await;
    caller.draft(invoice("a", "10")).await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_was_acknowledged_survives_kill_9() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let process = Process::start(folder.path(), &["--invoices", "0"]).await;
    let caller = Caller::new(&process.site).await;
    let issued = caller
        .does(&caller.draft(invoice("a", "10")).await, "issue")
        .await;
    let draft = caller.draft(invoice("b", "20")).await;
    // A write that nobody waits for: it may arrive or not, but never by half.
    let abandoned = caller.tries(&draft, "issue");
    drop(tokio::time::timeout(std::time::Duration::ZERO, abandoned).await);
    process.kill();

    let process = Process::start(folder.path(), &["--invoices", "0"]).await;
    let caller = Caller::new(&process.site).await;
    let read = |document: &Value| {
        let path = format!(
            "{DOCUMENTS}/{}",
            document["documentKey"].as_str().expect("a key")
        );
        let caller = &caller;
        async move { caller.get(&path).await.json }
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
    let next = caller
        .does(&caller.draft(invoice("c", "30")).await, "issue")
        .await;
    let expected = if number.is_empty() { "-0002" } else { "-0003" };
    assert!(
        next["content"]["invoice"]["number"]
            .as_str()
            .is_some_and(|number| number.ends_with(expected)),
        "no gap: {next}"
    );
    let list = caller
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
async fn support_finds_what_went_wrong_in_the_log_by_the_correlation_id() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let process = Process::start(folder.path(), &["--invoices", "0"]).await;
    let caller = Caller::new(&process.site).await;
    crate::fixtures::gateway::sql_in(
        folder.path(),
        "ALTER TABLE document_contents RENAME TO elsewhere",
    )
    .await;
    let request = caller
        .request(Method::POST, DOCUMENTS)
        .header("x-correlation-id", "desk-0190a6c2");
    let answer = request
        .json(&changes(&invoice("a", "10")))
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.status(), 500);
    let log = crate::fixtures::process::log(folder.path());
    let line = log
        .lines()
        .find(|line| line.contains("desk-0190a6c2") && line.contains("ERROR"));
    assert!(
        line.is_some_and(|line| line.contains("document_contents")),
        "{log}"
    );
    assert!(!log.contains(&caller.token), "no token is logged");
    process.kill();
}

async fn authority(service: &Service, endpoint: &str) {
    crate::fixtures::gateway::sql(service, &format!("UPDATE tenants SET authority_endpoint = '{endpoint}' WHERE organization_id = '274893001'")).await;
}
