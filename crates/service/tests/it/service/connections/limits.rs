//! Tests of the limits of connections in total and for each address, and of eviction.

use super::{Connector, Listener, metric, read_status, read_to_end, started, wait_for_metric};
use crate::fixtures::gateway::channel;
use tokio::io::AsyncWriteExt as _;

const OPEN: &str = "invoicing_connections{server=\"gateway\"}";

#[tokio::test]
async fn connection_above_the_total_is_served_and_the_longest_idle_is_closed() {
    let service = started(|config| config.connections.total = 3).await;
    let connector = Connector::plain(&service, Listener::Gateway);
    let mut first = connector.connect().await.unwrap();
    assert_eq!(connector.request(&mut first).await, 200);
    let mut silent = connector.connect().await.unwrap();
    wait_for_metric(&service, OPEN, |open| open == 2).await;
    let mut third = connector.connect().await.unwrap();
    assert_eq!(connector.request(&mut third).await, 200);
    // The first is used again, so the silent one has been idle longest.
    assert_eq!(connector.request(&mut first).await, 200);
    assert_eq!(connector.fresh_request().await, 200);
    assert_eq!(read_to_end(&mut silent).await, b"", "it is closed");
    assert_eq!(connector.request(&mut first).await, 200);
    assert_eq!(connector.request(&mut third).await, 200);
    let evicted = "invoicing_connections_evicted_total{server=\"gateway\"}";
    assert_eq!(metric(&service, evicted).await, 1);
    service.running.shutdown().await;
}

#[tokio::test]
async fn connection_with_a_request_in_progress_is_not_evicted() {
    let service = started(|config| config.connections.total = 2).await;
    let connector = Connector::plain(&service, Listener::Identity);
    let head = "POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\
                Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1\r\n\r\n";
    let mut busy = Vec::new();
    for _ in 0..2 {
        let mut connection = connector.connect().await.unwrap();
        connection.write_all(head.as_bytes()).await.unwrap();
        // The service waits for the body, so the request is in progress.
        let waiting = read_status(&mut connection).await;
        assert_eq!(waiting, 100);
        busy.push(connection);
    }
    let mut refused = connector.connect().await.unwrap();
    assert_eq!(read_to_end(&mut refused).await, b"");
    for mut connection in busy {
        connection.write_all(b"x").await.unwrap();
        let status = read_status(&mut connection).await;
        assert_eq!(status, 400, "the request is handled");
    }
    let series = "invoicing_connections_refused_total{server=\"identity\",limit=\"total\"}";
    assert_eq!(metric(&service, series).await, 1);
    service.running.shutdown().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn address_above_its_limit_loses_its_own_idle_connection_and_others_keep_theirs() {
    let service = started(|config| {
        config.connections.per_address = 2;
        config.connections.exempt_loopback = false;
        config.connections.exempt_networks = vec!["127.0.0.9/32".parse().unwrap()];
    })
    .await;
    let connector = Connector::plain(&service, Listener::Gateway);
    let mut other = connector.connect_from("127.0.0.3").await.unwrap();
    assert_eq!(connector.request(&mut other).await, 200);
    let mut oldest = connector.connect_from("127.0.0.2").await.unwrap();
    assert_eq!(connector.request(&mut oldest).await, 200);
    let mut kept = connector.connect_from("127.0.0.2").await.unwrap();
    assert_eq!(connector.request(&mut kept).await, 200);
    let mut newest = connector.connect_from("127.0.0.2").await.unwrap();
    assert_eq!(connector.request(&mut newest).await, 200);
    assert_eq!(read_to_end(&mut oldest).await, b"");
    for connection in [&mut other, &mut kept, &mut newest] {
        assert_eq!(connector.request(connection).await, 200);
    }
    let mut exempt = Vec::new();
    for _ in 0..5 {
        exempt.push(connector.connect_from("127.0.0.9").await.unwrap());
    }
    for connection in &mut exempt {
        assert_eq!(
            connector.request(connection).await,
            200,
            "a proxy has many clients"
        );
    }
    service.running.shutdown().await;
}

/// The contract, part 7, "Requests that cannot be read".
#[tokio::test]
async fn head_above_64_kib_is_answered_without_a_body_and_a_smaller_one_by_the_service() {
    const MOST_BYTES: usize = 64 * 1024;
    let service = started(|_| {}).await;
    let connector = Connector::plain(&service, Listener::Gateway);
    for (bytes, status, has_id) in [(MOST_BYTES / 2, "403", true), (MOST_BYTES, "431", false)] {
        let mut head =
            b"GET /api/nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: ".to_vec();
        head.resize(bytes, b'x');
        if has_id {
            head.extend_from_slice(b"\r\n\r\n");
        }
        let mut connection = connector.connect().await.unwrap();
        connection.write_all(&head).await.unwrap();
        let response = read_to_end(&mut connection).await;
        let response = String::from_utf8(response).expect("text");
        assert!(
            response.starts_with(&format!("HTTP/1.1 {status} ")),
            "{response}"
        );
        assert_eq!(
            response.contains("x-correlation-id: "),
            has_id,
            "{response}"
        );
        let body = response
            .split_once("\r\n\r\n")
            .expect("an end of the head")
            .1;
        assert_eq!(body.is_empty(), !has_id, "{response}");
    }
    service.running.shutdown().await;
}

#[tokio::test]
async fn stream_that_waits_for_an_event_makes_room() {
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_client::HealthClient;

    let service = started(|config| config.connections.total = 2).await;
    let mut watched = Vec::new();
    for _ in 0..2 {
        let mut health = HealthClient::new(channel(&service).await);
        let streamed = health.watch(HealthCheckRequest::default()).await;
        let mut stream = streamed.expect("it needs no credentials").into_inner();
        assert!(stream.message().await.expect("a status").is_some());
        watched.push(stream);
    }
    let connector = Connector::plain(&service, Listener::Gateway);
    assert_eq!(connector.fresh_request().await, 200);
    let evicted = "invoicing_connections_evicted_total{server=\"gateway\"}";
    assert_eq!(metric(&service, evicted).await, 1);
    assert!(watched[0].message().await.is_err(), "the older one");
    drop(watched);
    service.running.shutdown().await;
}
