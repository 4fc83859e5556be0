//! Tests of a server that is frozen (SIGSTOP): the system accepts connections and data for it, nothing is answered, and nothing ends.

use std::net::SocketAddr;
use std::time::Duration;

use invoicing_service::{Clock as _, Config, SystemClock};
use invoicing_test_postgres::Server;
use reqwest::StatusCode;

use super::{OwnServer, config_of, empty_database, migrate, start};
use crate::fixtures::{NOURA, Response, ServiceClient, send_concurrently, wait_until};

/// How long the server works on a statement. An answer may take five seconds more.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a request may take then: it waits for an answer, and for a new connection.
const ANSWERED: Duration = Duration::from_secs(30);
/// After how long the service uses another server then.
const MOVED: Duration = Duration::from_secs(20);

fn with_short_statements(mut config: Config) -> Config {
    config.database.statement_timeout = Some(STATEMENT_TIMEOUT);
    config
}

/// The status of `path` of the metrics listener.
async fn health(metrics: SocketAddr, client: &ServiceClient, path: &str) -> StatusCode {
    let response = client.http.get(format!("http://{metrics}{path}")).send();
    response.await.expect("the service is alive").status()
}

/// The statuses of requests for a token that come at once, so that the service needs several connections.
async fn request_tokens(client: &ServiceClient) -> Vec<StatusCode> {
    let scope = client.names.home_organization_scope();
    let responses = send_concurrently(8, || async move {
        let request = client.machine_token_request(scope).send();
        Response::read(request.await.expect("the service is alive")).await
    });
    let responses = responses.await;
    responses.iter().map(|response| response.status).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn service_of_a_frozen_server_is_not_ready_and_answers_each_request_within_its_limits() {
    let own = OwnServer::start().await;
    let (running, client) = start(with_short_statements(own.config())).await;
    let metrics = running.metrics.expect("it is configured");
    let tokens = client.sign_in(NOURA).await;
    let accepted = request_tokens(&client).await;
    assert_eq!(accepted, [StatusCode::OK; 8]);

    let frozen = own.server.freeze();
    let begun = SystemClock.monotonic();
    assert_eq!(
        health(metrics, &client, "/readyz").await,
        StatusCode::SERVICE_UNAVAILABLE
    );
    assert_eq!(health(metrics, &client, "/healthz").await, StatusCode::OK);
    let (refreshed, refused) = tokio::join!(
        client.refresh(tokens.text("refresh_token")),
        request_tokens(&client)
    );
    refreshed.is_oauth_error(503, "temporarily_unavailable");
    assert_eq!(refused, [StatusCode::SERVICE_UNAVAILABLE; 8]);
    let elapsed = SystemClock.monotonic().saturating_sub(begun);
    assert!(elapsed < ANSWERED, "{elapsed:?}");

    drop(frozen);
    wait_until("the service is ready", async || {
        health(metrics, &client, "/readyz").await == StatusCode::OK
    })
    .await;
    client.sign_in(NOURA).await;
    running.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn service_leaves_a_frozen_primary_for_the_standby_that_was_promoted() {
    let primary = Server::start(&[]);
    let database = empty_database(&primary).await;
    migrate(database.owner_url());
    let standby = Server::standby_of(&primary, &[]);
    primary.require_standby().await;
    let name = database.leak();
    let hosts = format!("127.0.0.1:{},127.0.0.1:{}", primary.port(), standby.port());
    let config = config_of(&format!("postgres://application@{hosts}/{name}"));
    let (running, client) = start(with_short_statements(config)).await;
    let metrics = running.metrics.expect("it is configured");
    // Several connections, which nobody uses afterwards.
    let accepted = request_tokens(&client).await;
    assert_eq!(accepted, [StatusCode::OK; 8]);

    let _frozen = primary.freeze();
    standby.promote();
    let promoted = SystemClock.monotonic();
    // Only probes come, as from a proxy: one after the other.
    wait_until("the service is ready", async || {
        health(metrics, &client, "/readyz").await == StatusCode::OK
    })
    .await;
    let elapsed = SystemClock.monotonic().saturating_sub(promoted);
    let accepted = request_tokens(&client).await;
    assert_eq!(accepted, [StatusCode::OK; 8]);
    assert!(elapsed < MOVED, "{elapsed:?}");
    running.shutdown().await;
}
