//! Tests of the bound of the connections to PostgreSQL (docs/operations.md, "Sizing").

use std::pin::pin;
use std::time::Duration;

use futures_util::future::join_all;
use invoicing_test_postgres::Server;
use tokio_postgres::Client;

use super::{config_of, empty_database, migrate, start};
use crate::fixtures::gateway::reason;
use crate::fixtures::{NOURA, Response, ServiceClient};

/// The bound.
const CONNECTIONS: usize = 2;
/// How long PostgreSQL waits for a lock.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(1);
/// Requests that come at once.
const REQUESTS: usize = 6;
/// The pause between two looks at the connections.
const PAUSE: Duration = Duration::from_millis(20);

#[tokio::test]
async fn exhausted_pool_makes_requests_unavailable_and_opens_no_further_connection() {
    let server = Server::shared();
    let database = empty_database(server).await;
    migrate(database.owner_url());
    let mut config = config_of(database.application_url());
    config.database.connections = Some(CONNECTIONS);
    config.database.statement_timeout = Some(STATEMENT_TIMEOUT);
    let (running, client) = start(config).await;
    let tokens = client.sign_in(NOURA).await;
    let token = tokens.text("access_token");
    assert_eq!(get(&client, token).await.status, 404);

    let owner = server.connect_as_owner(&database).await;
    let watcher = server.connect_as_superuser(&database).await;
    let lock = "BEGIN; LOCK TABLE documents IN ACCESS EXCLUSIVE MODE";
    owner.batch_execute(lock).await.expect("the lock is free");
    let requests = (0..REQUESTS).map(|_| get(&client, token));
    let mut requests = pin!(join_all(requests));
    let mut most = 0;
    let answers = loop {
        tokio::select! {
            biased;
            answers = &mut requests => break answers,
            opened = connections(&watcher) => most = most.max(opened),
        }
    };
    for answer in answers {
        assert_eq!(answer.status, 503, "{}", answer.body);
        assert_eq!(reason(&answer.json), "STORAGE_BUSY");
    }
    assert_eq!(usize::try_from(most), Ok(CONNECTIONS), "all, and no more");

    owner.batch_execute("ROLLBACK").await.expect("it is open");
    assert_eq!(get(&client, token).await.status, 404);
    running.shutdown().await;
}

/// Reads a document that there is not.
async fn get(client: &ServiceClient, token: &str) -> Response {
    let path = "/api/v2/documents/01935b7e-6f0a-7c3e-9a51-2f4d8c0b7a11";
    let request = client.http.get(client.base(path)).bearer_auth(token);
    Response::read(request.send().await.expect("the service is alive")).await
}

/// How many connections the service has after a pause.
async fn connections(watcher: &Client) -> i64 {
    tokio::time::sleep(PAUSE).await;
    let count = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'invoicing-service'";
    let row = watcher.query_one(count, &[]).await;
    row.expect("PostgreSQL answers").get(0)
}
