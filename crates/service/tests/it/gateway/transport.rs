//! Tests of what all operations share on the wire: compression, deadlines, CORS and trace context (decision 0130).

use std::collections::BTreeSet;
use std::io::Read as _;
use std::time::Duration;

use axum::Router;
use axum::routing::post;
use flate2::read::GzDecoder;
use http::HeaderMap;
use invoicing_contract::Status;
use invoicing_contract::messages::documents as v2;
use invoicing_contract::messages::documents::document_files_client::DocumentFilesClient;
use invoicing_service::Config;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tonic::codec::CompressionEncoding;

use crate::fixtures::Service;
use crate::fixtures::gateway::{DOCUMENTS, GatewayClient, channel, documents_client, invoice};

const LIST: &str = "/api/v2/documents/list";

#[tokio::test]
async fn large_answers_are_compressed_for_callers_that_accept_it() {
    let service = Service::start().await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let list = |coding: &'static str| {
        let request = gateway.request(Method::POST, LIST);
        request.header("accept-encoding", coding).json(&json!({}))
    };
    let plain = gateway.post(LIST, json!({})).await.json;
    let response = list("br, gzip").send().await.expect("a response");
    assert_eq!(response.headers()["content-encoding"], "gzip");
    assert_eq!(response.headers()["vary"], "accept-encoding");
    let mut text = String::new();
    let body = response.bytes().await.expect("a body");
    GzDecoder::new(&*body)
        .read_to_string(&mut text)
        .expect("gzip");
    assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), plain);
    let response = list("gzip;q=0").send().await.expect("a response");
    assert!(!response.headers().contains_key("content-encoding"));
    let small = gateway.request(Method::POST, "/api/v1/simple/invoices/list");
    let small = small
        .header("accept-encoding", "gzip")
        .json(&json!({"pageSize": 1}));
    let small = small.send().await.expect("a response");
    assert!(!small.headers().contains_key("content-encoding"));

    // gRPC in both directions.
    let mut client = documents_client(&service)
        .await
        .send_compressed(CompressionEncoding::Gzip)
        .accept_compressed(CompressionEncoding::Gzip);
    let key = draft["documentKey"].as_str().expect("a key").to_owned();
    let get = || v2::GetDocumentRequest {
        document_key: key.clone(),
    };
    let read = client
        .get_document(gateway.grpc(get()))
        .await
        .expect("it is there");
    assert_eq!(
        read.metadata().get("grpc-encoding").expect("compressed"),
        "gzip"
    );
    assert_eq!(read.into_inner().document_key, key);

    // The limit of a message holds for what it expands to.
    let bomb = v2::CreateDocumentRequest {
        changes: Some(v2::DocumentChanges {
            content: Some(v2::DocumentContent {
                invoice: Some(v2::Invoice {
                    note: "x".repeat(8 * 1024 * 1024),
                    ..v2::Invoice::default()
                }),
            }),
        }),
        ..v2::CreateDocumentRequest::default()
    };
    let refused = client.create_document(gateway.grpc(bomb)).await;
    let refused = Status::from(&refused.expect_err("too large"));
    assert_eq!(refused.reason(), Some("BODY_TOO_LARGE"));
    assert!(client.get_document(gateway.grpc(get())).await.is_ok());

    // A call is given up at its deadline. A page is not made in a millisecond.
    let mut late = gateway.grpc(v2::GetDocumentPdfRequest {
        document_key: key.clone(),
        ..v2::GetDocumentPdfRequest::default()
    });
    late.set_timeout(Duration::from_millis(1));
    let mut files = DocumentFilesClient::new(channel(&service).await);
    let late = files.get_document_pdf(late).await;
    // The client may notice first.
    assert!(matches!(
        late.expect_err("late").code(),
        tonic::Code::DeadlineExceeded | tonic::Code::Cancelled
    ));
    let mut request = gateway.grpc(get());
    request.set_timeout(Duration::from_secs(60));
    assert!(client.get_document(request).await.is_ok());
    service.running.shutdown().await;
}

/// The headers of requests that the contract names.
const REQUEST_HEADERS: [&str; 8] = [
    "authorization",
    "content-type",
    "x-idp-orgid",
    "x-service-culture",
    "x-correlation-id",
    "if-none-match",
    "traceparent",
    "tracestate",
];
/// The headers of responses that a page needs, besides those that every page may read.
const RESPONSE_HEADERS: [&str; 7] = [
    "x-correlation-id",
    "www-authenticate",
    "retry-after",
    "allow",
    "etag",
    "content-disposition",
    "x-row-count",
];

/// The names in a list of headers, in lower case.
fn names_in(headers: &HeaderMap, list: &str) -> BTreeSet<String> {
    let names = headers[list].to_str().expect("text").split(',');
    names.map(|name| name.trim().to_lowercase()).collect()
}

#[tokio::test]
async fn pages_of_the_configured_origins_and_no_others_may_call_the_gateway() {
    let service = Service::start_with(|config| Config {
        cors_origins: vec!["https://app.example".parse().expect("an origin")],
        ..config
    })
    .await;
    let preflight = async |origin: &str| {
        let request = service
            .http
            .request(Method::OPTIONS, service.base(DOCUMENTS));
        let request = request
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", REQUEST_HEADERS.join(", "));
        request.send().await.expect("a response")
    };
    let allowed = preflight("https://app.example").await;
    assert_eq!(allowed.status(), 200);
    let headers = allowed.headers();
    assert_eq!(
        headers["access-control-allow-origin"],
        "https://app.example"
    );
    assert!(!headers.contains_key("access-control-allow-credentials"));
    let allowed = names_in(headers, "access-control-allow-headers");
    for name in REQUEST_HEADERS {
        assert!(allowed.contains(name), "{name}: {allowed:?}");
    }
    let refused = preflight("https://other.example").await;
    assert!(
        !refused
            .headers()
            .contains_key("access-control-allow-origin")
    );

    // An error can be read by the page, too.
    let request = service.http.post(service.base(LIST));
    let denied = request.header("origin", "https://app.example").send().await;
    let denied = denied.expect("a response");
    assert_eq!(denied.status(), 403);
    assert_eq!(
        denied.headers()["access-control-allow-origin"],
        "https://app.example"
    );
    let exposed = names_in(denied.headers(), "access-control-expose-headers");
    for name in RESPONSE_HEADERS {
        assert!(exposed.contains(name), "{name}: {exposed:?}");
    }

    // By default there is no such page.
    let service = service
        .restart_with(|config| Config {
            cors_origins: Vec::new(),
            ..config
        })
        .await;
    let request = service
        .http
        .request(Method::OPTIONS, service.base(DOCUMENTS));
    let closed = request.header("origin", "https://app.example").send().await;
    let closed = closed.expect("a response");
    assert_eq!(closed.status(), 403);
    assert!(!closed.headers().contains_key("access-control-allow-origin"));
    service.running.shutdown().await;
}

#[tokio::test]
async fn trace_of_the_caller_reaches_the_tax_authority() {
    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    let (sender, mut received) = mpsc::unbounded_channel();
    let authority = Router::new().route(
        "/",
        post(move |headers: HeaderMap| async move {
            let _ = sender.send(headers);
            axum::Json(json!({"status": "cleared"}))
        }),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = tokio::spawn(async move { axum::serve(listener, authority).await });

    let service = Service::start().await;
    let endpoint = format!("http://{address}/");
    super::clearance::configure(&service.folder, &endpoint, "clearance").await;
    let gateway = GatewayClient::new(&service).await;
    let draft = gateway.create_draft(invoice("a", "10")).await;
    let key = draft["documentKey"].as_str().expect("a key");
    let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
    let request = gateway
        .request(Method::POST, &format!("{DOCUMENTS}/{key}:issue"))
        .header("traceparent", &parent)
        .header("tracestate", "vendor=1")
        .json(&json!({"concurrencyStamp": draft["concurrencyStamp"]}));
    assert_eq!(request.send().await.expect("a response").status(), 200);
    let headers = received.recv().await.expect("a request");
    let sent = headers["traceparent"].to_str().expect("text").to_owned();
    assert!(
        sent.starts_with(&format!("00-{TRACE}-")) && sent.ends_with("-01"),
        "{sent}"
    );
    assert_ne!(sent, parent, "the span is that of this request");
    assert_eq!(headers["tracestate"], "vendor=1");
    service.running.shutdown().await;
    server.abort();
}
