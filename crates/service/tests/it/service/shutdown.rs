//! Tests of the shutdown (decision 0110): readiness first, then requests in flight, then the end, whatever hangs.

#[cfg(unix)]
mod grpc;

use std::net::SocketAddr;
use std::time::Duration;

use crate::fixtures::gateway::channel;
use crate::fixtures::{Response, Service, ServiceClient, ServiceFolder, http_client};
use invoicing_contract::ready::ApplicationKind;
use invoicing_service::config::Drain;
use invoicing_service::{Clock as _, Config, RunningService, SystemClock};
use reqwest::StatusCode;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

const HOUR: Duration = Duration::from_secs(60 * 60);

async fn start_with_drain(delay: Duration, timeout: Duration) -> Service {
    Service::start_with(|config| Config {
        metrics: Some("127.0.0.1:0".parse().expect("an address")),
        drain: Drain { delay, timeout },
        ..config
    })
    .await
}

/// The status of `/readyz`. Each call has a connection of its own, as the probes of an orchestrator have.
async fn readiness(metrics: SocketAddr) -> StatusCode {
    let address = format!("http://{metrics}/readyz");
    let response = http_client().get(address).send().await;
    response.expect("the listener responds").status()
}

async fn wait_until_not_ready(metrics: SocketAddr) {
    while readiness(metrics).await == StatusCode::OK {
        tokio::task::yield_now().await;
    }
    assert_eq!(readiness(metrics).await, StatusCode::SERVICE_UNAVAILABLE);
}

fn shutdown(running: RunningService) -> tokio::task::JoinHandle<()> {
    tokio::spawn(running.shutdown())
}

/// A token request whose body has not been sent yet, and that body.
async fn start_token_request(client: &ServiceClient, identity: SocketAddr) -> (TcpStream, String) {
    let machine = client.application(ApplicationKind::Machine);
    let secret = machine.client_secret.as_deref();
    let body = format!(
        "grant_type=client_credentials&client_id={}&client_secret={}",
        machine.client_id,
        secret.expect("a machine has a secret")
    );
    let head = format!(
        "POST /oauth/v2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut connection = TcpStream::connect(identity).await.expect("it listens");
    connection
        .write_all(head.as_bytes())
        .await
        .expect("it is open");
    // 100 Continue: the service waits for the body, so the request is in progress.
    let mut waiting = [0; 25];
    connection
        .read_exact(&mut waiting)
        .await
        .expect("it answers");
    assert!(waiting.starts_with(b"HTTP/1.1 100"), "{waiting:?}");
    (connection, body)
}

#[tokio::test]
async fn during_the_drain_delay_readiness_is_503_and_new_connections_are_served() {
    let service = start_with_drain(HOUR, HOUR).await;
    let metrics = service.running.metrics.expect("metrics are configured");
    assert_eq!(readiness(metrics).await, StatusCode::OK);
    let base = service.base("/health/ready");
    let token = service.auth("/oauth/v2/keys");
    let mut health = HealthClient::new(channel(&service).await);
    let stopping = shutdown(service.running);

    wait_until_not_ready(metrics).await;
    let get = async |address: String| http_client().get(address).send().await.expect("it accepts");
    let gateway = Response::read(get(base).await).await;
    assert_eq!(gateway.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(gateway.body, "the service is stopping\n");
    let request = HealthCheckRequest::default();
    let status = health.check(request).await.unwrap().into_inner().status();
    assert_eq!(status, ServingStatus::NotServing);
    let served = get(token).await;
    assert_eq!(served.status(), StatusCode::OK);
    assert!(!stopping.is_finished());
    stopping.abort();
}

#[tokio::test]
async fn readiness_is_503_until_the_last_request_in_flight_is_complete() {
    let service = start_with_drain(Duration::ZERO, HOUR).await;
    let metrics = service.running.metrics.expect("metrics are configured");
    let identity = service.running.identity;
    let (mut connection, body) = start_token_request(&service, identity).await;
    let stopping = shutdown(service.running);
    while TcpStream::connect(identity).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert_eq!(readiness(metrics).await, StatusCode::SERVICE_UNAVAILABLE);

    connection.write_all(body.as_bytes()).await.unwrap();
    let mut response = String::new();
    connection.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    stopping.await.unwrap();
    assert!(TcpStream::connect(metrics).await.is_err(), "all is closed");
}

#[tokio::test]
async fn request_that_hangs_is_cut_off_at_the_drain_timeout() {
    let service = start_with_drain(Duration::ZERO, Duration::from_millis(200)).await;
    let (mut connection, _body) = start_token_request(&service, service.running.identity).await;
    let begun = SystemClock.monotonic();
    service.running.shutdown().await;
    // The body may take 60 seconds while the service runs.
    let elapsed = SystemClock.monotonic().saturating_sub(begun);
    assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
    let mut response = Vec::new();
    let read = connection.read_to_end(&mut response).await;
    assert!(read.is_err() || response.is_empty(), "{response:?}");
}

#[tokio::test]
async fn collector_that_hangs_does_not_delay_the_end_beyond_five_seconds() {
    // The system opens connections to it, and nobody reads from them.
    let collector = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let collector = collector.expect("a port");
    let address = collector.local_addr().expect("an address");
    let endpoint = format!("http://{address}").parse().expect("an address");
    let service = Service::start_with(|config| Config {
        otlp_endpoint: Some(endpoint),
        ..config
    })
    .await;
    let keys = service.key_set().await;
    assert_eq!(keys.status, StatusCode::OK);
    let begun = SystemClock.monotonic();
    service.running.shutdown().await;
    let elapsed = SystemClock.monotonic().saturating_sub(begun);
    assert!(elapsed < Duration::from_secs(5), "{elapsed:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn process_with_a_request_that_hangs_ends_after_the_drain_timeout() {
    use crate::fixtures::process::{Process, log};

    let folder = ServiceFolder::new();
    let process = Process::start(&folder, &["--drain-timeout", "1"]).await;
    let identity = process.client.ready.auth_url.replace("http://", "");
    let identity = identity.parse().expect("an address");
    let (_connection, _body) = start_token_request(&process.client, identity).await;
    let begun = SystemClock.monotonic();
    assert!(process.terminate().success());
    let elapsed = SystemClock.monotonic().saturating_sub(begun);
    assert!(elapsed >= Duration::from_secs(1), "{elapsed:?}");
    assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
    let log = log(folder.path());
    assert!(log.contains("requests were cut off"), "{log}");
}

#[cfg(unix)]
#[tokio::test]
async fn second_sigterm_ends_the_process_at_once_with_the_code_of_the_signal() {
    use crate::fixtures::process::{Process, log};
    use crate::fixtures::wait_until;

    let folder = ServiceFolder::new();
    let process = Process::start(&folder, &["--drain-delay", "3600"]).await;
    process.send_sigterm();
    wait_until("the drain has begun", async || {
        log(folder.path()).contains("stopping")
    })
    .await;
    assert_eq!(process.terminate().code(), Some(143));
    let log = log(folder.path());
    assert!(log.contains("requests in flight are cut off"), "{log}");
}
