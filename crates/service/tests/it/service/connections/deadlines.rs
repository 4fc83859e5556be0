//! Tests of the time limits of connections.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::{Connector, Listener, PREFACE, SETTINGS, metric, read_status, read_to_end, started};
use crate::fixtures::wait_until;

const SHORT: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_secs(600);

#[tokio::test]
async fn connection_without_a_complete_first_head_is_closed() {
    let service = started(|config| {
        config.connections.first_head = SHORT;
        config.connections.later_head = LONG;
        config.connections.idle = LONG;
    })
    .await;
    let connector = Connector::plain(&service, Listener::Identity);
    let starts = [
        &b""[..],
        b"GET /",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        b"PRI * HT",
        PREFACE,
        &[PREFACE, SETTINGS].concat(),
        // The beginning of a HEADERS frame.
        &[PREFACE, SETTINGS, &[0, 0, 20, 1, 4, 0, 0, 0, 1, 0x82]].concat(),
        // A ClientHello, at a listener without TLS.
        b"\x16\x03\x01",
    ];
    for start in starts {
        let mut connection = connector.connect().await.unwrap();
        connection.write_all(start).await.unwrap();
        read_to_end(&mut connection).await;
    }
    let series = "invoicing_connections_timed_out_total{server=\"identity\",limit=\"first_head\"}";
    assert!(metric(&service, series).await >= 7);
    service.running.shutdown().await;
}

#[tokio::test]
async fn bytes_that_trickle_do_not_extend_the_time_for_a_head() {
    let service = started(|config| {
        config.connections.first_head = SHORT;
        config.connections.later_head = SHORT;
        config.connections.idle = LONG;
    })
    .await;
    let connector = Connector::plain(&service, Listener::Gateway);
    for served in [false, true] {
        let mut connection = connector.connect().await.unwrap();
        if served {
            assert_eq!(connector.request(&mut connection).await, 200);
        }
        wait_until("the service has closed the connection", async || {
            connection.write_all(b"G").await.is_err()
        })
        .await;
    }
    for limit in ["first_head", "later_head"] {
        let series = format!(
            "invoicing_connections_timed_out_total{{server=\"gateway\",limit=\"{limit}\"}}"
        );
        assert_eq!(metric(&service, &series).await, 1, "{limit}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn idle_connection_is_closed_and_http_2_is_told() {
    let service = started(|config| {
        config.connections.first_head = LONG;
        config.connections.later_head = LONG;
        config.connections.idle = SHORT;
    })
    .await;
    let connector = Connector::plain(&service, Listener::Gateway);
    let mut connection = connector.connect().await.unwrap();
    assert_eq!(connector.request(&mut connection).await, 200);
    assert_eq!(read_to_end(&mut connection).await, b"");

    let mut connection = connector.connect().await.unwrap();
    // HEADERS with END_STREAM and END_HEADERS: GET http://x/ in the static table of HPACK.
    let get = [
        0, 0, 6, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84, 0x41, 0x01, b'x',
    ];
    let begin = [PREFACE, SETTINGS, &get].concat();
    connection.write_all(&begin).await.unwrap();
    let frames = read_to_end(&mut connection).await;
    let mut rest = &frames[..];
    let mut kinds = Vec::new();
    while let [high, middle, low, kind, ..] = *rest {
        kinds.push(kind);
        let length = u32::from_be_bytes([0, high, middle, low]);
        rest = rest
            .get(9 + usize::try_from(length).unwrap()..)
            .unwrap_or_default();
    }
    const HEADERS: u8 = 1;
    const GOAWAY: u8 = 7;
    assert!(kinds.contains(&HEADERS), "{kinds:?}: a response");
    assert!(kinds.contains(&GOAWAY), "{kinds:?}");
    let series = "invoicing_connections_timed_out_total{server=\"gateway\",limit=\"idle\"}";
    assert_eq!(metric(&service, series).await, 2);
    service.running.shutdown().await;
}

#[tokio::test]
async fn response_that_the_client_does_not_read_is_cut_off() {
    let service = started(|config| config.connections.response_stall = SHORT).await;
    let connector = Connector::plain(&service, Listener::Gateway);
    let mut connection = connector.connect().await.unwrap();
    let requests = Listener::Gateway.request().repeat(1_000);
    // Responses fill the buffers of both sockets, because none is read.
    while connection.write_all(&requests).await.is_ok() {}
    let series = "invoicing_connections_timed_out_total{server=\"gateway\",limit=\"response\"}";
    assert_eq!(metric(&service, series).await, 1);
    service.running.shutdown().await;
}

#[tokio::test]
async fn body_that_trickles_ends_in_408() {
    let service = started(|_| {}).await;
    let connector = Connector::plain(&service, Listener::Identity);
    let connection = connector.connect().await.unwrap();
    let (mut reads, mut writes) = tokio::io::split(connection);
    let head = "POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\n\
                Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 20000\r\n\r\n";
    writes.write_all(head.as_bytes()).await.unwrap();
    let trickle = async {
        while writes.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let response = async {
        let mut part = [0; 1024];
        let read = reads.read(&mut part).await.unwrap();
        String::from_utf8_lossy(&part[..read]).into_owned()
    };
    let response = tokio::select! {
        () = trickle => panic!("closed without a response"),
        response = response => response,
    };
    assert!(response.starts_with("HTTP/1.1 408"), "{response}");
    service.running.shutdown().await;
}

#[tokio::test]
async fn body_that_no_handler_limits_has_the_limit_of_the_listener() {
    let service = started(|config| config.connections.request_body = SHORT).await;
    let connector = Connector::plain(&service, Listener::Gateway);
    let mut connection = connector.connect().await.unwrap();
    // A message of grpc.health.v1.Health/Check that is announced with 1,000 bytes, over HTTP/1.1.
    let head = "POST /grpc.health.v1.Health/Check HTTP/1.1\r\nHost: localhost\r\n\
                Content-Type: application/grpc\r\nTE: trailers\r\nContent-Length: 1005\r\n\r\n";
    connection.write_all(head.as_bytes()).await.unwrap();
    connection.write_all(&[0, 0, 0, 3, 232]).await.unwrap();
    let status = read_status(&mut connection).await;
    assert_eq!(status, 200, "gRPC errors are in a header");
    service.running.shutdown().await;
}
