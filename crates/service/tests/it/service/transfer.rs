//! Tests of `migrate-data`, `backup` and `restore`: the binary, and the service before and after. They use both engines, whichever
//! the other tests run on.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use invoicing_identity::ProviderError;
use invoicing_service::{
    Config, DatabaseError, RunningService, Seed, StartError, SystemClock, SystemRng, serve,
};
use invoicing_storage::kept_secrets::UnreadableSecret;
use invoicing_test_postgres::Server;
use reqwest::StatusCode;
use serde_json::Value;

use crate::fixtures::process::{Process, command, log};
use crate::fixtures::{HOME, NOURA, Response, ServiceClient, ServiceFolder, http_client};

/// Runs the program.
fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_invoicing-service"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

/// Runs the program, and kills it when it has copied the records of a table. The line that says so.
fn interrupt(arguments: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_invoicing-service"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let log = child.stderr.take().expect("it is piped");
    let mut lines = BufReader::new(log).lines().map_while(Result::ok);
    let copied = lines.find(|line| line.ends_with(" copied"));
    // It may have ended.
    let _ = child.kill();
    child.wait().expect("it ends");
    copied.expect("the program tells what it has copied")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn succeed(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_default()
}

fn config(database: &str) -> Config {
    Config {
        seed: Some(Seed::Demo),
        invoices: Some(30),
        ..Config::local(database)
    }
}

async fn start(database: &str) -> (RunningService, ServiceClient) {
    let config = config(database);
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

/// Refreshes, and reads the invoices with the new token. Returns the new refresh token.
async fn refresh_and_list(client: &ServiceClient, refresh_token: &str) -> String {
    let refreshed = client.refresh(refresh_token).await;
    assert_eq!(refreshed.status, StatusCode::OK, "{}", refreshed.json);
    let token = refreshed.text("access_token");
    let listed = client.list_status(token, Some(HOME)).await;
    assert_eq!(listed, StatusCode::OK);
    refreshed.text("refresh_token").to_owned()
}

#[tokio::test]
async fn sessions_and_records_of_the_demo_survive_the_move_to_postgresql_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let url = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let (first, last) = (url("first.db"), url("last.db"));
    let database = Server::shared().database("empty", async |_| {}).await;
    let (owner, application) = (database.owner_url(), database.application_url());

    let (running, client) = start(&first).await;
    let refresh_token = client.sign_in(NOURA).await;
    let refresh_token = refresh_token.text("refresh_token").to_owned();
    running.shutdown().await;

    succeed(&["migrate", "--json", "--database", owner]);
    let copied = interrupt(&["migrate-data", &first, owner]);
    assert!(copied.starts_with("settings: "), "{copied}");
    let there = run(&["migrate-data", &first, owner, "--json"]);
    let log = text(&there.stderr);
    assert!(there.status.success(), "{log}");
    let there: Value = serde_json::from_slice(&there.stdout).unwrap();
    let documents = there.as_array().unwrap().iter();
    let mut documents = documents.filter(|table| table["table"] == "documents");
    let documents = &documents.next().expect("the demo has documents")["records"];
    let copied = format!("documents: {documents} of {documents} copied\n");
    assert!(log.contains(&copied), "{log}");
    let records = there.as_array().unwrap().iter();
    let records = records.filter(|table| table["records"].as_u64() > Some(0));
    assert!(records.count() > 12, "{there}");

    // The old database is not served, and not administered.
    let refused = serve(config(&first), Arc::new(SystemClock), Arc::new(SystemRng));
    let refused = refused.await.map(|_| ()).unwrap_err();
    assert!(
        matches!(refused, StartError::Database(DatabaseError::Moved { .. })),
        "{refused}"
    );
    let refused = run(&["admin", "users", "list", "--database", &first]);
    assert_eq!(refused.status.code(), Some(65), "{}", text(&refused.stderr));

    let (running, client) = start(application).await;
    let refresh_token = refresh_and_list(&client, &refresh_token).await;
    running.shutdown().await;

    succeed(&["migrate-data", owner, &last, "--json"]);
    let (running, client) = start(&last).await;
    refresh_and_list(&client, &refresh_token).await;
    running.shutdown().await;
}

#[tokio::test]
async fn services_that_run_when_their_database_is_moved_end_and_lose_no_acknowledged_write() {
    let folder = ServiceFolder::new();
    let url = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let (first, last) = (url("first.db"), url("last.db"));
    let database = Server::shared().database("empty", async |_| {}).await;
    let (owner, application) = (database.owner_url(), database.application_url());
    succeed(&["migrate", "--json", "--database", owner]);

    for (served, source, target) in [(&*first, &*first, owner), (application, owner, &last)] {
        let mut command = command(&folder, &[]);
        command.env("INVOICING_DATABASE", served);
        let process = Process::started(command, folder.path()).await;
        let issuing = tokio::spawn(issue_until_the_end(process));
        let arguments = ["migrate-data", source, target, "--json"].map(str::to_owned);
        let moved =
            tokio::task::spawn_blocking(move || succeed(&arguments.each_ref().map(|a| &**a)));
        moved.await.expect("the database is moved");
        let (tokens, process) = issuing.await.expect("tokens are issued");
        assert_eq!(
            process.ended().await.code(),
            Some(65),
            "{}",
            log(folder.path())
        );
        assert!(log(folder.path()).contains("this database was moved, or is being moved, to"));

        let target = if target == owner { application } else { target };
        let (running, client) = start(target).await;
        for token in &tokens {
            let status = client.userinfo(token).await.status;
            assert_eq!(status, StatusCode::OK, "one of {} tokens", tokens.len());
        }
        running.shutdown().await;
    }
}

/// Asks for access tokens of the machine until the service gives none. Returns those that it gave.
async fn issue_until_the_end(process: Process) -> (Vec<String>, Process) {
    let mut tokens = Vec::new();
    loop {
        let request = process.client.machine_token_request("");
        match request.send().await {
            Ok(response) if response.status() == StatusCode::OK => {
                let response = Response::read(response).await;
                tokens.push(response.text("access_token").to_owned());
            }
            Ok(_) | Err(_) => return (tokens, process),
        }
    }
}

#[tokio::test]
async fn encrypted_signing_keys_are_moved_as_they_are_and_need_the_same_key_file() {
    let folder = tempfile::tempdir().unwrap();
    let url = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let (first, last) = (url("first.db"), url("last.db"));
    let database = Server::shared().database("empty", async |_| {}).await;
    let (owner, application) = (database.owner_url(), database.application_url());
    let key_file = folder.path().join("keys");
    let key = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\n";
    std::fs::write(&key_file, key).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&key_file, mode).unwrap();
    let serve = async |database: &str, key_file: Option<&std::path::Path>| {
        let config = Config {
            encryption_key_file: key_file.map(std::path::Path::to_owned),
            ..Config::local(database)
        };
        serve(config, Arc::new(SystemClock), Arc::new(SystemRng)).await
    };
    let stored = async |database: &str| {
        let store = crate::fixtures::open(&database.into()).await.store();
        let mut keys = Vec::new();
        for key in store.signing_keys().await.unwrap() {
            assert!(key.pkcs8.starts_with(b"IDS1"), "{} is in clear", key.kid);
            keys.push((key.kid, key.pkcs8.to_vec()));
        }
        keys.sort_unstable();
        keys
    };
    let running = serve(&first, Some(&key_file)).await.unwrap();
    running.shutdown().await;
    let before = stored(&first).await;
    assert_eq!(before.len(), 4);

    succeed(&["migrate", "--json", "--database", owner]);
    succeed(&["migrate-data", &first, owner, "--json"]);
    assert_eq!(stored(application).await, before);
    let refused = serve(application, None).await.unwrap_err();
    assert!(
        matches!(
            refused,
            StartError::Provider(ProviderError::Unreadable(UnreadableSecret::NoKeys { .. }))
        ),
        "{refused}"
    );
    let running = serve(application, Some(&key_file)).await.unwrap();
    running.shutdown().await;
    succeed(&["migrate-data", owner, &last, "--json"]);
    let running = serve(&last, Some(&key_file)).await.unwrap();
    running.shutdown().await;
    assert_eq!(stored(&last).await, before);
}

#[tokio::test]
async fn database_with_records_is_no_target_and_a_missing_one_no_source() {
    let folder = tempfile::tempdir().unwrap();
    let url = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    for name in ["one.db", "other.db"] {
        let (running, _) = start(&url(name)).await;
        running.shutdown().await;
    }
    let refused = run(&["migrate-data", &url("one.db"), &url("other.db")]);
    assert_eq!(refused.status.code(), Some(73), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("it must be empty"));
    let refused = run(&["migrate-data", &url("missing.db"), &url("new.db")]);
    assert_eq!(refused.status.code(), Some(66), "{}", text(&refused.stderr));
    assert!(!folder.path().join("missing.db").exists());
    let (running, _) = start(&url("one.db")).await;
    running.shutdown().await;
}

#[tokio::test]
async fn database_of_an_earlier_version_is_no_source() {
    let folder = ServiceFolder::new();
    let source = folder.database_url();
    let (running, _) = start(&source).await;
    running.shutdown().await;
    let forget = "DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)";
    folder.connect().await.execute(forget).await.unwrap();
    let target = folder.path().join("new.db");
    let to = format!("sqlite:{}", target.display());
    let refused = run(&["migrate-data", &source, &to]);
    assert_eq!(refused.status.code(), Some(65), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("start the service of this version first"));
    assert!(!target.exists());
}

#[tokio::test]
async fn backup_of_a_running_service_is_restored_and_served() {
    let folder = tempfile::tempdir().unwrap();
    let url = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let file = folder.path().join("copy").display().to_string();
    let (source, restored) = (url("source.db"), url("restored.db"));
    let (running, client) = start(&source).await;
    let refresh_token = client.sign_in(NOURA).await;
    let refresh_token = refresh_token.text("refresh_token").to_owned();
    succeed(&["backup", &file, "--database", &source]);
    let again = run(&["backup", &file, "--database", &source]);
    assert_eq!(again.status.code(), Some(73), "{}", text(&again.stderr));
    let replaced = run(&["restore", &file, "--database", &source]);
    assert_eq!(replaced.status.code(), Some(73));
    running.shutdown().await;

    succeed(&["restore", &file, "--database", &restored]);
    let (running, client) = start(&restored).await;
    refresh_and_list(&client, &refresh_token).await;
    running.shutdown().await;

    let refused = run(&["backup", "file", "--database", "postgres://db.example/x"]);
    assert_eq!(refused.status.code(), Some(64));
    assert!(text(&refused.stderr).contains("docs/operations.md"));
}
