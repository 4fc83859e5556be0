//! Tests of what is special about PostgreSQL: migration by another role, a server that does not answer, passwords of addresses.
//! They use it whichever engine the other tests run on.

mod connections;
mod deployment;
mod frozen;
mod roles;

use std::net::SocketAddr;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{StreamExt as _, stream};
use invoicing_contract::{Code, Status, operation};
use invoicing_service::{
    Config, DatabaseOptions, RunningService, Seed, SystemClock, SystemRng, serve,
};
use invoicing_test_postgres::{Database, Server};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::fixtures::encoded_message::call_encoded_with;
use crate::fixtures::gateway::{channel, reason};
use crate::fixtures::operations::path_with;
use crate::fixtures::process::free_port;
use crate::fixtures::{NOURA, Response, ServiceClient, http_client, wait_until};

/// How long after the return of its server the service serves again at the latest (docs/operations.md).
const RESUMPTION: Duration = Duration::from_secs(2);
/// A password of an address in these tests.
const PASSWORD: &str = "not-to-be-told";

/// Runs the program on `database`.
fn run(database: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_invoicing-service"))
        .args(arguments)
        .env("INVOICING_DATABASE", database)
        .env("INVOICING_IDENTITY", "127.0.0.1:0")
        .env("INVOICING_GATEWAY", "127.0.0.1:0")
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The JSON output of `migrate`.
#[track_caller]
fn migrate(database: &str) -> Value {
    let output = run(database, &["migrate", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// A database without tables.
async fn empty_database(server: &Server) -> Database {
    server.database("empty", async |_| {}).await
}

#[tokio::test]
async fn database_without_tables_is_refused_until_the_owner_has_migrated_it() {
    let database = empty_database(Server::shared()).await;
    let refused = run(database.application_url(), &["serve"]);
    let message = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(65), "{message}");
    assert!(message.contains("invoicing-service migrate"), "{message}");
    let refused = run(database.application_url(), &["migrate"]);
    assert_eq!(
        refused.status.code(),
        Some(74),
        "the application owns nothing"
    );
    let message = text(&refused.stderr);
    assert!(message.contains("permission denied"), "{message}");
    let administration = ["admin", "users", "list"];
    let refused = run(database.application_url(), &administration);
    assert_eq!(refused.status.code(), Some(66), "{}", text(&refused.stderr));

    let migrated = migrate(database.owner_url());
    assert_eq!(migrated["from"], json!(0));
    assert!(migrated["to"].as_i64() > Some(0), "{migrated}");
    let again = migrate(database.owner_url());
    assert_eq!(again["from"], migrated["to"]);
    assert_eq!(again["to"], migrated["to"]);
    let options = DatabaseOptions::from(database.application_url());
    let opened = crate::fixtures::open(&options).await;
    opened.close().await;
}

#[tokio::test]
async fn service_does_not_wait_for_a_server_that_refuses_it() {
    let database = empty_database(Server::shared()).await;
    let url = database.application_url();
    let missing = url.replace(database.name(), "not_created");
    let nobody = url.replace("application@", "nobody_of_this_name@");
    for url in [missing, nobody] {
        let refused = run(&url, &["serve"]);
        let message = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(74), "{message}");
        assert!(message.contains("does not exist"), "{message}");
        assert!(!message.contains("asked again"), "{message}");
    }
}

#[test]
fn migrate_leaves_a_database_on_sqlite_to_its_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("invoicing.db");
    let migrated = migrate(&format!("sqlite:{}", file.display()));
    let outcome = migrated["outcome"].as_str().expect("a text");
    assert!(outcome.contains("at each start"), "{outcome}");
    assert!(!file.exists());
}

#[test]
fn password_of_the_address_is_in_no_output() {
    for database in [
        format!("postgres://app:{PASSWORD}@127.0.0.1:1/invoicing"),
        format!("postgres://app:{PASSWORD}@127.0.0.1:port/invoicing"),
        format!("postgres://127.0.0.1:1/invoicing?user=app&password={PASSWORD}"),
        format!("mysql://app:{PASSWORD}@127.0.0.1/invoicing"),
        format!("host=127.0.0.1 user=app password={PASSWORD}"),
    ] {
        for arguments in [
            &["serve", "--help"][..],
            &["admin", "users", "list"],
            &["migrate"],
        ] {
            let output = run(&database, arguments);
            for output in [text(&output.stdout), text(&output.stderr)] {
                assert!(!output.contains(PASSWORD), "{arguments:?}: {output}");
            }
        }
        let config = Config::local(&*database);
        assert!(!format!("{config:?}").contains(PASSWORD), "{config:?}");
    }
}

/// A server of its own, with a migrated database.
struct OwnServer {
    server: Server,
    url: String,
    _database: Database,
}

impl OwnServer {
    async fn start() -> Self {
        let server = Server::start(&["fsync=off"]);
        let database = empty_database(&server).await;
        migrate(database.owner_url());
        Self {
            server,
            url: database.application_url().to_owned(),
            _database: database,
        }
    }

    fn config(&self) -> Config {
        config_of(&self.url)
    }
}

/// A local environment with the demo seed, on the database at `url`.
fn config_of(url: &str) -> Config {
    Config {
        seed: Some(Seed::Demo),
        invoices: Some(0),
        metrics: Some("127.0.0.1:0".parse().expect("an address")),
        ..Config::local(url)
    }
}

async fn start(config: Config) -> (RunningService, ServiceClient) {
    let names = config.names.clone();
    let running = serve(config, Arc::new(SystemClock), Arc::new(SystemRng)).await;
    let running = running.expect("the service starts");
    let client = ServiceClient {
        ready: running.ready.clone(),
        http: http_client(),
        names,
    };
    (running, client)
}

#[tokio::test]
async fn service_waits_alive_and_not_ready_for_a_server_that_does_not_answer_yet() {
    let mut own = OwnServer::start().await;
    own.server.kill();
    let metrics = SocketAddr::from(([127, 0, 0, 1], free_port()));
    let silent = TcpListener::bind(("127.0.0.1", own.server.port())).await;
    let silent = silent.expect("the port of the server is free");
    let mut starting = tokio::spawn(start(Config {
        metrics: Some(metrics),
        ..own.config()
    }));
    // Each connection is closed without an answer.
    for attempt in ["first", "second"] {
        tokio::select! {
            accepted = silent.accept() => drop(accepted.expect("a connection")),
            ended = &mut starting => panic!("it ended before the {attempt} attempt: {:?}", ended.map(drop)),
        }
    }
    let http = http_client();
    let health = async |path: &str| {
        let response = http.get(format!("http://{metrics}{path}")).send();
        response.await.expect("the service is alive").status()
    };
    assert_eq!(health("/healthz").await, StatusCode::OK);
    assert_eq!(health("/readyz").await, StatusCode::SERVICE_UNAVAILABLE);
    drop(silent);
    own.server.start_again();
    let (running, client) = starting.await.expect("the service starts");
    assert_eq!(health("/readyz").await, StatusCode::OK);
    client.sign_in(NOURA).await;
    running.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn service_stays_alive_without_its_server_and_serves_after_its_return() {
    let mut own = OwnServer::start().await;
    let (running, client) = start(own.config()).await;
    let metrics = running.metrics.expect("it is configured");
    let health = async |path: &str| {
        let response = client.http.get(format!("http://{metrics}{path}")).send();
        response.await.expect("the service is alive").status()
    };
    let tokens = client.sign_in(NOURA).await;
    let refresh_token = tokens.text("refresh_token").to_owned();
    let access_token = tokens.text("access_token").to_owned();
    assert_eq!(health("/readyz").await, StatusCode::OK);

    let exposition = client.http.get(format!("http://{metrics}/metrics")).send();
    let exposition = exposition.await.expect("a response").text().await;
    let exposition = exposition.expect("a text");
    let connections = "invoicing_storage_connections_limit{engine=\"postgresql\"} 16";
    assert!(exposition.contains(connections), "{exposition}");

    own.server.kill();
    for _ in 0..3 {
        assert_eq!(health("/readyz").await, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(health("/healthz").await, StatusCode::OK);
        let refused = client.refresh(&refresh_token).await;
        refused.is_oauth_error(503, "temporarily_unavailable");
        assert_eq!(refused.header("retry-after"), "1");
        let list = client
            .http
            .post(client.base("/api/v1/simple/invoices/list"));
        let list = list.bearer_auth(&access_token).json(&json!({}));
        let list = Response::read(list.send().await.expect("the service is alive")).await;
        assert_eq!(
            list.status,
            StatusCode::SERVICE_UNAVAILABLE,
            "{}",
            list.body
        );
    }
    assert_every_operation_is_unavailable(&client, &access_token).await;

    own.server.start_again();
    #[expect(clippy::disallowed_methods, reason = "the elapsed time is measured")]
    let returned = Instant::now();
    wait_until("the service is ready", async || {
        health("/readyz").await == StatusCode::OK
    })
    .await;
    let refreshed = client.refresh(&refresh_token).await;
    assert_eq!(refreshed.status, StatusCode::OK, "{}", refreshed.body);
    let elapsed = returned.elapsed();
    assert!(elapsed < RESUMPTION, "it serves again after {elapsed:?}");
    running.shutdown().await;
}

/// Nobody can be authenticated: every operation is UNAVAILABLE over REST and gRPC.
async fn assert_every_operation_is_unavailable(client: &ServiceClient, access_token: &str) {
    let channel = channel(client).await;
    let authorization = format!("Bearer {access_token}");
    let (channel, metadata) = (&channel, &[("authorization", &*authorization)]);
    let calls = operation::ALL.iter().map(|operation| async move {
        let what = operation.method;
        let verb = Method::from_bytes(operation.verb.as_bytes()).expect("an HTTP method");
        let request = client
            .http
            .request(verb, client.base(&path_with(operation, "1")));
        let rest = request.bearer_auth(access_token).send().await;
        let rest = Response::read(rest.expect("the service is alive")).await;
        assert_eq!(rest.status, 503, "{what}: {}", rest.body);
        assert_eq!(reason(&rest.json), "STORAGE_BUSY", "{what}");
        let grpc = call_encoded_with(channel, operation, Vec::new(), metadata).await;
        let status = Status::from(&grpc.expect_err("storage does not answer"));
        let expected = (Code::Unavailable, Some("STORAGE_BUSY"));
        assert_eq!((status.code, status.reason()), expected, "{what}");
    });
    stream::iter(calls)
        .buffer_unordered(32)
        .collect::<()>()
        .await;
}
