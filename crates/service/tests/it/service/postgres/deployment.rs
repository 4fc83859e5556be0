//! Tests of the service on the databases that the files of deploy/ set up: TLS with a certificate that is verified, passwords by SCRAM, a
//! role that migrates and one that serves, and a standby that streams.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use invoicing_test_postgres::{Deployment, Server};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio_postgres::NoTls;

use super::text;
use crate::fixtures::process::{Process, free_port};
use crate::fixtures::{Response, http_client, wait_until};

const IDENTITY_HOST: &str = "id.example.com";
const GATEWAY_HOST: &str = "api.example.com";
/// The variable with the address of the database, user and password included.
const DATABASE: &str = "INVOICING_DATABASE";

/// Our program with the variables that a service of the compose file has.
fn program(deployment: &Deployment, service: &str) -> Command {
    let references = [
        ("IDENTITY_HOST", IDENTITY_HOST),
        ("GATEWAY_HOST", GATEWAY_HOST),
    ];
    let mut command = Command::new(env!("CARGO_BIN_EXE_invoicing-service"));
    command
        .envs(deployment.variables(service, &references))
        .stdin(Stdio::null());
    command
}

/// The address of the database that a service of the compose file has.
fn database(deployment: &Deployment, service: &str) -> String {
    let mut variables = deployment.variables(service, &[]);
    variables.remove(DATABASE).expect("it has a database")
}

fn migrate(deployment: &Deployment, change: impl FnOnce(&mut Command)) -> Output {
    let mut command = program(deployment, "migrate");
    command.args([Deployment::command("migrate"), "--json"]);
    change(&mut command);
    command.output().expect("the program runs")
}

/// The message of `migrate`, which is refused.
#[track_caller]
fn refusal(deployment: &Deployment, change: impl FnOnce(&mut Command)) -> String {
    let refused = migrate(deployment, change);
    let message = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(74), "{message}");
    message
}

/// The ports of a process.
struct Ports {
    identity: u16,
    metrics: u16,
}

impl Ports {
    /// The status of `/readyz`.
    async fn readiness(&self) -> StatusCode {
        let address = format!("http://127.0.0.1:{}/readyz", self.metrics);
        let response = http_client().get(address).send().await;
        response.expect("the process is alive").status()
    }

    /// The response to a request for a token, as the proxy passes it on.
    async fn token(&self, tenant: &Value) -> Response {
        let address = format!("http://127.0.0.1:{}/oauth/v2/token", self.identity);
        let form = [
            ("grant_type", "client_credentials"),
            ("client_id", tenant["clientId"].as_str().expect("an id")),
            (
                "client_secret",
                tenant["clientSecret"].as_str().expect("a secret"),
            ),
        ];
        let request = http_client().post(address).header("host", IDENTITY_HOST);
        let response = request.form(&form).send().await;
        Response::read(response.expect("the process is alive")).await
    }
}

/// A replica with all that the compose file gives it but its addresses, and with a ready file and a log in `folder`.
async fn serve(deployment: &Deployment, folder: &Path) -> (Process, Ports) {
    let ports = Ports {
        identity: free_port(),
        metrics: free_port(),
    };
    let log = std::fs::File::create(folder.join("log")).expect("a log file");
    let mut command = program(deployment, "service");
    command
        .arg(Deployment::command("service"))
        .env(
            "INVOICING_IDENTITY",
            format!("127.0.0.1:{}", ports.identity),
        )
        .env("INVOICING_GATEWAY", "127.0.0.1:0")
        .env("INVOICING_METRICS", format!("127.0.0.1:{}", ports.metrics))
        .env("INVOICING_READY_FILE", folder.join("ready.json"))
        .stdout(Stdio::null())
        .stderr(log);
    (Process::started(command, folder).await, ports)
}

/// A tenant with a machine user, made as an operator makes it: by a command with the variables of a replica.
fn create_tenant(deployment: &Deployment) -> Value {
    let created = program(deployment, "service")
        .args(["admin", "tenants", "create", "--json"])
        .args(["--name", "Nakheel Dates", "--domain", "nakheel.example"])
        .args(["--currency", "SAR", "--country", "SA"])
        .args(["--time-zone", "Asia/Riyadh", "--tax-id", "310175397400003"])
        .args(["--street", "King Fahd Road", "--city", "Riyadh"])
        .output()
        .expect("the program runs");
    assert!(created.status.success(), "{}", text(&created.stderr));
    serde_json::from_slice(&created.stdout).expect("JSON")
}

/// Why the server refuses a connection with these roles and passwords that is not encrypted.
async fn refusal_without_tls(server: &Server, url: &str) -> String {
    let (credentials, _) = url.split_once('@').expect("an address with credentials");
    let url = format!(
        "{credentials}@127.0.0.1:{}/invoicing?sslmode=disable",
        server.port()
    );
    let Err(error) = tokio_postgres::connect(&url, NoTls).await else {
        panic!("it is accepted");
    };
    let error = error.as_db_error().expect("the server refuses it");
    error.message().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn service_runs_on_the_databases_of_the_compose_file_with_tls_scram_and_two_roles() {
    let deployment = Deployment::start(IDENTITY_HOST, GATEWAY_HOST);
    let query = |statement: &str| Deployment::query(deployment.primary(), statement);
    let scram = "SELECT count(*) FROM pg_authid
        WHERE rolname IN ('owner', 'application', 'replication') AND rolpassword LIKE 'SCRAM-SHA-256$%'";
    assert_eq!(query(scram), "3");

    let migrated = migrate(&deployment, |_| {});
    assert!(migrated.status.success(), "{}", text(&migrated.stderr));
    let migrated: Value = serde_json::from_slice(&migrated.stdout).expect("JSON");
    assert_eq!(migrated["from"], json!(0));

    let folder = tempfile::tempdir().expect("a temporary folder");
    let (process, ports) = serve(&deployment, folder.path()).await;
    assert_eq!(ports.readiness().await, StatusCode::OK);
    let tenant = create_tenant(&deployment);
    let token = ports.token(&tenant).await;
    assert_eq!(token.status, StatusCode::OK, "{}", token.body);
    let encrypted = "SELECT string_agg(DISTINCT format('%s %s', usename, ssl), ', ' ORDER BY format('%s %s', usename, ssl))
        FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
        WHERE backend_type IN ('client backend', 'walsender') AND client_addr IS NOT NULL";
    assert_eq!(query(encrypted), "application t, replication t");
    assert!(process.terminate().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn databases_of_the_compose_file_refuse_connections_in_clear_and_wrong_passwords() {
    let deployment = Deployment::start(IDENTITY_HOST, GATEWAY_HOST);
    for service in ["migrate", "service"] {
        let url = database(&deployment, service);
        for server in [deployment.primary(), deployment.standby()] {
            let message = refusal_without_tls(server, &url).await;
            assert!(message.contains("no encryption"), "{service}: {message}");
        }
    }
    let owner = database(&deployment, "migrate");
    let (_, address) = owner.split_once('@').expect("an address");
    let message = refusal(&deployment, |command| {
        command.env(DATABASE, format!("postgres://owner:wrong@{address}"));
    });
    assert!(
        message.contains("password authentication failed"),
        "{message}"
    );
    // The application owns nothing, so that it cannot migrate.
    let application = database(&deployment, "service");
    let message = refusal(&deployment, |command| {
        command.env(DATABASE, application);
    });
    assert!(message.contains("permission denied"), "{message}");

    // The server is refused when nobody vouches for its certificate, and when that has another name.
    let message = refusal(&deployment, |command| {
        command.env_remove("INVOICING_DATABASE_CA");
    });
    assert!(message.contains("certificate"), "{message}");
    let message = refusal(&deployment, |command| {
        command.env(DATABASE, owner.replace("postgres-", "another-"));
    });
    assert!(message.contains("certificate"), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn standby_of_the_compose_file_takes_over_and_gets_a_standby_of_its_own() {
    let deployment = Deployment::start(IDENTITY_HOST, GATEWAY_HOST);
    let migrated = migrate(&deployment, |_| {});
    assert!(migrated.status.success(), "{}", text(&migrated.stderr));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (process, ports) = serve(&deployment, folder.path()).await;
    let tenant = create_tenant(&deployment);
    let written = Deployment::query(deployment.primary(), "SELECT pg_current_wal_lsn()");
    let replayed = format!("SELECT pg_last_wal_replay_lsn() >= '{written}'");
    wait_until("the standby has the tenant", async || {
        Deployment::query(deployment.standby(), &replayed) == "t"
    })
    .await;

    deployment.primary().kill();
    deployment.standby().promote();
    wait_until("the service uses the new primary", async || {
        ports.readiness().await == StatusCode::OK
    })
    .await;
    let token = ports.token(&tenant).await;
    assert_eq!(token.status, StatusCode::OK, "{}", token.body);

    let standby = deployment.replace_primary();
    let streaming = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND usename = 'replication'";
    wait_until("the new standby streams", async || {
        Deployment::query(deployment.standby(), streaming) == "1"
    })
    .await;
    let tenants = "SELECT count(*) FROM tenants";
    let copied = Deployment::query(&standby, tenants);
    assert_eq!(copied, Deployment::query(deployment.standby(), tenants));
    assert_ne!(copied, "0");
    process.kill();
}
