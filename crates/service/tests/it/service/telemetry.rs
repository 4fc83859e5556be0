//! Tests of the export of spans over OTLP.

use axum::Router;
use axum::extract::Request;
use bytes::Bytes;
use http_body_util::BodyExt as _;
use invoicing_service::Config;
use tokio::sync::mpsc;

use crate::fixtures::Service;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACE_BYTES: [u8; 16] = 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736_u128.to_be_bytes();
const PARENT_BYTES: [u8; 8] = 0x00f0_67aa_0ba9_02b7_u64.to_be_bytes();

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// A collector, and the path and the body of each request that it gets.
fn collector() -> (Router, mpsc::UnboundedReceiver<(String, Bytes)>) {
    let (sender, received) = mpsc::unbounded_channel();
    let router = Router::new().fallback(move |request: Request| async move {
        let path = request.uri().path().to_owned();
        let body = request.into_body().collect().await.expect("a body");
        let _ = sender.send((path, body.to_bytes()));
        // An empty ExportTraceServiceResponse.
        let headers = [("content-type", "application/grpc"), ("grpc-status", "0")];
        (headers, [0_u8; 5].as_slice())
    });
    (router, received)
}

#[tokio::test]
async fn span_of_a_request_reaches_the_collector_in_the_trace_of_the_caller() {
    let (collector, mut received) = collector();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = tokio::spawn(async move { axum::serve(listener, collector).await });

    let endpoint = format!("http://{address}").parse().expect("an address");
    let service = Service::start_with(|config| Config {
        otlp_endpoint: Some(endpoint),
        ..config
    })
    .await;
    let request = service.http.get(service.base("/api/v2/documents/x"));
    let request = request.header("traceparent", format!("00-{TRACE}-00f067aa0ba902b7-01"));
    assert_eq!(request.send().await.expect("a response").status(), 403);
    let made_up = reqwest::Method::from_bytes(b"INVENTED").expect("a method");
    let request = service.http.request(made_up, service.base("/"));
    request.send().await.expect("a response");
    // The rest is sent before the service has ended.
    service.running.shutdown().await;
    let (path, body) = received.recv().await.expect("spans");
    assert_eq!(
        path,
        "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
    );
    assert!(contains(&body, &TRACE_BYTES) && contains(&body, &PARENT_BYTES));
    assert!(contains(&body, b"/api/v2/documents/x") && contains(&body, b"GET"));
    // A caller could make up any number of methods.
    assert!(contains(&body, b"_OTHER") && !contains(&body, b"INVENTED"));
    server.abort();
}

#[cfg(unix)]
#[tokio::test]
async fn spans_reach_a_collector_with_tls_whose_authority_the_system_trusts() {
    use super::tls::write_certificate;
    use crate::fixtures::ServiceFolder;
    use crate::fixtures::process::{Process, command, log};
    use invoicing_http::server::{self, ListenerOptions};
    use invoicing_http::tls::Certificate;
    use invoicing_service::SystemClock;
    use std::sync::Arc;
    use tokio_util::sync::CancellationToken;

    let folder = ServiceFolder::new();
    let (files, _) = write_certificate(folder.path());
    let (collector, mut received) = collector();
    let options = ListenerOptions {
        tls: Some(Certificate::load(files.clone()).unwrap().acceptor()),
        ..ListenerOptions::new(Arc::new(SystemClock))
    };
    let any = "127.0.0.1:0".parse().expect("an address");
    let (listener, address) = server::bind(any).await.expect("a port");
    let stop = CancellationToken::new();
    let running = tokio::spawn(server::run(listener, collector, options, stop.clone()));

    let endpoint = format!("https://{address}");
    let mut command = command(&folder, &["--otlp-endpoint", &endpoint]);
    // Instead of the authorities of this machine.
    command.env("SSL_CERT_FILE", &files.certificate);
    let process = Process::started(command, folder.path()).await;
    let client = &process.client;
    let request = client.http.get(client.base("/api/v2/documents/x")).send();
    assert_eq!(request.await.expect("a response").status(), 403);
    // It sends the rest before it ends.
    process.send_sigterm();
    let (_, body) = received.recv().await.expect("spans");
    assert!(contains(&body, b"/api/v2/documents/x"));
    let log = log(folder.path());
    assert!(!log.contains("the collector does not take spans"), "{log}");
    assert!(process.ended().await.success());
    stop.cancel();
    running.await.expect("it ends");
}
