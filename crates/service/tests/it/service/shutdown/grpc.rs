//! Tests of gRPC calls in flight at SIGTERM: their connection is told to end (GOAWAY), and they are answered or cut off.

use std::time::Duration;

use bytes::Bytes;
use h2::client::{ResponseFuture, SendRequest};
use h2::{Reason, SendStream};
use invoicing_service::{Clock as _, SystemClock};
use reqwest::StatusCode;
use tokio::net::TcpStream;

use crate::fixtures::gateway::GatewayClient;
use crate::fixtures::process::{Process, log};
use crate::fixtures::{ServiceClient, ServiceFolder, wait_for};

/// A gRPC call whose message has not been sent yet, on a connection of its own.
struct GrpcCall {
    connection: SendRequest<Bytes>,
    response: ResponseFuture,
    message: SendStream<Bytes>,
}

impl GrpcCall {
    async fn start(client: &ServiceClient) -> Self {
        let token = GatewayClient::new(client).await.token;
        let gateway = client.ready.base_url.replace("http://", "");
        let stream = TcpStream::connect(gateway).await.expect("it listens");
        let (connection, driver) = h2::client::handshake(stream).await.expect("HTTP/2");
        tokio::spawn(driver);
        let mut connection = connection.ready().await.expect("it is open");
        let call = http::Request::post(client.base("/invoicing.simple.v1.Invoices/ListInvoices"))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .header("authorization", format!("Bearer {token}"))
            .body(());
        let (response, message) = connection
            .send_request(call.expect("a request"), false)
            .expect("it is open");
        let mut connection = connection.ready().await.expect("it is open");
        // The requests of a connection begin in their order: when this one is answered, the call is in progress.
        let next = http::Request::get(client.base("/health/live")).body(());
        let (next, _) = connection
            .send_request(next.expect("a request"), true)
            .expect("it is open");
        assert_eq!(next.await.expect("a response").status(), StatusCode::OK);
        Self {
            connection,
            response,
            message,
        }
    }

    /// Waits until the service has said that the connection takes no further calls.
    async fn wait_for_goaway(&self) {
        let error = wait_for("the connection is told to end", async || {
            self.connection.clone().ready().await.err()
        })
        .await;
        assert!(error.is_go_away() && error.is_remote(), "{error}");
        assert_eq!(error.reason(), Some(Reason::NO_ERROR));
    }
}

#[tokio::test]
async fn grpc_call_in_flight_is_answered_after_goaway_and_then_the_process_ends() {
    let folder = ServiceFolder::new();
    // It ends because all is answered, and not at its limit.
    let process = Process::start(&folder, &["--drain-timeout", "3600"]).await;
    let mut call = GrpcCall::start(&process.client).await;
    process.send_sigterm();
    call.wait_for_goaway().await;

    // An empty message: not compressed, and without a byte.
    let message = Bytes::from_static(&[0; 5]);
    call.message.send_data(message, true).expect("it is open");
    let mut response = call.response.await.expect("a response");
    assert_eq!(response.status(), StatusCode::OK);
    while let Some(part) = response.body_mut().data().await {
        part.expect("the message of the response");
    }
    let trailers = response.body_mut().trailers().await;
    let trailers = trailers.expect("they arrive").expect("gRPC has trailers");
    assert_eq!(trailers["grpc-status"], "0", "{trailers:?}");
    assert!(process.ended().await.success());
    let log = log(folder.path());
    assert!(!log.contains("requests were cut off"), "{log}");
}

#[tokio::test]
async fn grpc_call_that_never_ends_is_cut_off_at_the_drain_timeout() {
    let folder = ServiceFolder::new();
    let process = Process::start(&folder, &["--drain-timeout", "1"]).await;
    let call = GrpcCall::start(&process.client).await;
    let begun = SystemClock.monotonic();
    process.send_sigterm();
    call.wait_for_goaway().await;
    let cut_off = call.response.await;
    assert!(cut_off.is_err(), "{cut_off:?}");
    assert!(process.ended().await.success());
    let elapsed = SystemClock.monotonic().saturating_sub(begun);
    assert!(elapsed >= Duration::from_secs(1), "{elapsed:?}");
    assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
    let log = log(folder.path());
    assert!(log.contains("requests were cut off"), "{log}");
}
