//! What both servers share: correlation ids, limits, hostile connections, an orderly end.

use std::time::Duration;

use crate::fixtures::{Answer, Service};
use reqwest::StatusCode;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

#[tokio::test]
async fn every_answer_has_a_correlation_id_and_a_sane_one_of_the_caller_is_kept() {
    let service = Service::start().await;
    for address in [service.auth("/nowhere"), service.base("/nowhere")] {
        let ask = async |id: &str| {
            let request = service.http.get(&address).header("x-correlation-id", id);
            Answer::of(request.send().await.unwrap())
                .await
                .header("x-correlation-id")
                .to_owned()
        };
        assert_eq!(
            ask("0190a6c2-7d1e-7f00-a111-000000000001").await,
            "0190a6c2-7d1e-7f00-a111-000000000001"
        );
        let made = ask("has spaces and \"quotes\"").await;
        assert!(
            made.len() >= 20 && !made.contains(' '),
            "{made} was made here"
        );
        assert_ne!(made, ask("x").await, "each request has its own");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn what_is_too_large_is_refused_and_the_next_request_is_served() {
    let service = Service::start().await;
    let form = [
        ("grant_type", "client_credentials"),
        ("scope", &*"x".repeat(100_000)),
    ];
    let answer = service.token(&form).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    let long = service.http.get(service.auth(&format!(
        "/oauth/v2/authorize?state={}",
        "x".repeat(200_000)
    )));
    if let Ok(answer) = long.send().await {
        assert!(answer.status().is_client_error(), "{}", answer.status());
    }
    service.machine_token("").await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_request_that_could_be_read_in_two_ways_is_refused() {
    let service = Service::start().await;
    let head = "POST /oauth/v2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n";
    for (case, rest) in [
        (
            "two lengths",
            "Content-Length: 3\r\nContent-Length: 5\r\n\r\na=b&c",
        ),
        (
            "a length that is no number",
            "Content-Length: +3\r\n\r\na=b",
        ),
        (
            "chunked not last",
            "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
        ),
        (
            "a bare line feed in a header",
            "X-A: b\nX-B : c\r\nContent-Length: 0\r\n\r\n",
        ),
    ] {
        let answer = raw(&service, &format!("{head}{rest}")).await;
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 400"),
            "{case}: {answer}"
        );
    }
    service.machine_token("").await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn garbage_and_half_requests_keep_nobody_from_being_served() {
    let service = Service::start().await;
    let mut idle = Vec::new();
    for start in [
        "",
        "GET / HT",
        "\u{16}\u{3}\u{1}",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        for _ in 0..50 {
            let mut connection = TcpStream::connect(service.running.identity).await.unwrap();
            connection.write_all(start.as_bytes()).await.unwrap();
            idle.push(connection);
        }
    }
    service.machine_token("").await;
    drop(idle);
    service.running.shutdown().await;
}

#[tokio::test]
async fn hundreds_at_once_are_all_served() {
    let service = Service::start().await;
    let token = service.machine_token("").await;
    let read = crate::fixtures::at_once(300, || service.userinfo(&token)).await;
    assert!(
        read.iter().all(|answer| answer.status == StatusCode::OK),
        "everybody is answered"
    );
    let machine = service.application(invoicing_contract::ready::ApplicationKind::Machine);
    let secret = machine
        .client_secret
        .as_deref()
        .expect("a machine has a secret");
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", &*machine.client_id),
        ("client_secret", secret),
    ];
    let written = crate::fixtures::at_once(150, || service.token(&form)).await;
    assert!(
        written.iter().all(|answer| answer.status == StatusCode::OK),
        "everybody gets a token"
    );
    service.running.shutdown().await;
}

#[tokio::test]
async fn a_request_under_way_is_answered_before_the_service_ends() {
    let service = Service::start().await;
    let machine = service.application(invoicing_contract::ready::ApplicationKind::Machine);
    let secret = machine
        .client_secret
        .as_deref()
        .expect("a machine has a secret");
    let body = format!(
        "grant_type=client_credentials&client_id={}&client_secret={secret}",
        machine.client_id
    );
    let mut connection = TcpStream::connect(service.running.identity).await.unwrap();
    let head = format!(
        "POST /oauth/v2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    connection.write_all(head.as_bytes()).await.unwrap();
    // The service says that it waits for the body: the request is under way.
    let mut waiting = [0; 25];
    connection.read_exact(&mut waiting).await.unwrap();
    assert!(waiting.starts_with(b"HTTP/1.1 100"), "{waiting:?}");

    let identity = service.running.identity;
    let stopping = tokio::spawn(service.running.shutdown());
    while TcpStream::connect(identity).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    connection.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("access_token"),
        "{answer}"
    );
    stopping.await.unwrap();
}

async fn raw(service: &Service, request: &str) -> String {
    let mut connection = TcpStream::connect(service.running.identity)
        .await
        .expect("the service listens");
    connection
        .write_all(request.as_bytes())
        .await
        .expect("it can be written");
    let mut answer = Vec::new();
    let mut part = [0; 1024];
    // What follows an error is a closed connection; an answer to a whole request is all that is awaited otherwise.
    match connection.read(&mut part).await {
        Ok(read) => answer.extend_from_slice(&part[..read]),
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{error}"),
    }
    String::from_utf8_lossy(&answer).into_owned()
}
