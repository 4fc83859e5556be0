//! What the proxy answers when a process has taken a request and ends without an answer: UNAVAILABLE in the form of the host, with a
//! reason that says that the outcome is unknown (decision 0191).

use invoicing_contract::status::ANSWER_LOST;
use invoicing_contract::{Code, Status};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::proxy::{Ports, Proxy, public_addresses};
use crate::fixtures::gateway::DOCUMENTS;
use crate::fixtures::process::free_port;
use crate::fixtures::wait_for;

const CORRELATION_ID: &str = "lost-answer-of-a-test";

/// Serves each connection to a port of this machine. The port.
async fn listen<Served>(serve: impl Fn(TcpStream) -> Served + Send + 'static) -> u16
where
    Served: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind(("127.0.0.1", 0)).await;
    let listener = listener.expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    port
}

/// Takes a request over HTTP/1.1, and ends the connection.
async fn take_request(mut stream: TcpStream) {
    let mut head = [0; 1024];
    // Whatever comes is the request.
    let _ = stream.read(&mut head).await;
}

/// Takes a request over HTTP/2, and ends the connection.
async fn take_stream(stream: TcpStream) {
    if let Ok(mut connection) = h2::server::handshake(stream).await {
        let _ = connection.accept().await;
    }
}

/// Answers a question for readiness.
async fn be_ready(mut stream: TcpStream) {
    let mut head = [0; 1024];
    let _ = stream.read(&mut head).await;
    let ready = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    // The proxy may have ended.
    let _ = stream.write_all(ready).await;
}

#[tokio::test]
async fn answer_that_is_lost_is_unavailable_with_the_reason_and_in_the_form_of_the_host() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let process = Ports {
        identity: listen(take_request).await,
        gateway: listen(take_stream).await,
        metrics: listen(be_ready).await,
    };
    let port = free_port();
    let mut proxy = Proxy::start(folder.path(), port, &[process]);
    let client = Client::builder()
        .no_proxy()
        // Over HTTP/2 the proxy refuses the stream instead of answering (decision 0186).
        .http1_only()
        .tls_certs_only([proxy.certificate.clone()])
        .build()
        .expect("a client");
    let (identity, gateway) = public_addresses(port);
    let mut bodies = Vec::new();
    for address in [
        format!("{identity}/oauth/v2/token"),
        format!("{gateway}{DOCUMENTS}"),
    ] {
        let response = wait_for("the proxy has started", async || {
            proxy.assert_runs(folder.path());
            let request = client.post(&address).json(&json!({}));
            let request = request.header("x-correlation-id", CORRELATION_ID);
            request.send().await.ok()
        })
        .await;
        let header = |name: &str| {
            let value = response.headers().get(name);
            value
                .and_then(|value| value.to_str().ok())
                .map(str::to_owned)
        };
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(header("retry-after").as_deref(), Some("1"));
        assert_eq!(header("x-correlation-id").as_deref(), Some(CORRELATION_ID));
        bodies.push(response.text().await.expect("a body"));
    }
    let [of_identity, of_gateway] = &*bodies else {
        panic!("{bodies:?}")
    };
    let error: Value = serde_json::from_str(of_identity).expect("an error of OAuth");
    assert_eq!(error["error"], "temporarily_unavailable", "{error}");
    let status: Status = serde_json::from_str(of_gateway).expect("a Status");
    let message = status.message.clone();
    let expected = Status::new(Code::Unavailable, ANSWER_LOST, message);
    assert_eq!(status, expected);
    assert!(status.outcome_is_unknown());
}
