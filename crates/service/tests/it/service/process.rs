//! Tests of the binary: ready file, exit codes, signals, recovery after kill -9, log.

use std::net::TcpListener;

use crate::fixtures::process::{Process, command, log};
use crate::fixtures::user_agent::{AuthorizationRequest, Callback, UserAgent};
use crate::fixtures::{NOURA, ServiceClient, ServiceFolder, by_engine};
use invoicing_contract::AudienceId;
use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;

#[tokio::test]
async fn ready_file_appears_after_both_listeners_with_owner_only_permissions() {
    let folder = ServiceFolder::new();
    let process = Process::start(&folder, &[]).await;
    let ready = &process.client.ready;
    for address in [&ready.auth_url, &ready.base_url] {
        assert!(
            process.client.http.get(address).send().await.is_ok(),
            "{address} responds"
        );
    }
    let kinds: Vec<_> = ready
        .applications
        .iter()
        .map(|application| application.kind)
        .collect();
    for kind in [
        ApplicationKind::Public,
        ApplicationKind::Confidential,
        ApplicationKind::Machine,
        ApplicationKind::Api,
    ] {
        assert!(kinds.contains(&kind), "an application of kind {kind:?}");
    }
    assert_eq!((ready.organizations.len(), ready.users.len()), (6, 4));
    #[cfg(unix)]
    for file in by_engine(&["ready.json", "invoicing.db"][..], &["ready.json"]) {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = folder
            .path()
            .join(file)
            .metadata()
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    #[cfg(unix)]
    assert!(process.terminate().success(), "SIGTERM exits with success");
}

#[tokio::test]
async fn acknowledged_tokens_survive_kill_9() {
    let folder = ServiceFolder::new();
    let process = Process::start(&folder, &[]).await;
    let mut browser = UserAgent::new(&process.client);
    let tokens = sign_in(&process.client, &mut browser).await;
    process.kill();

    let process = Process::start(&folder, &[]).await;
    let service = &process.client;
    assert_eq!(
        service.userinfo(tokens.text("access_token")).await.status,
        StatusCode::OK,
        "the access token works"
    );
    let refreshed = service.refresh(tokens.text("refresh_token")).await;
    assert_eq!(
        refreshed.status,
        StatusCode::OK,
        "the refresh token works: {}",
        refreshed.body
    );
    process.kill();

    let process = Process::start(&folder, &[]).await;
    let service = &process.client;
    service
        .refresh(tokens.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    let again = service.refresh(refreshed.text("refresh_token")).await;
    assert_eq!(
        again.status,
        StatusCode::OK,
        "its successor works: {}",
        again.body
    );

    let mut browser = browser.at(service);
    let silent = AuthorizationRequest::confidential(service, "openid").with("prompt", "none");
    let callback = Callback::from_redirect(&browser.get(&silent.path()).await);
    assert_eq!(callback.error(), None, "the browser is still signed in");
    let verified = service.redeem(&silent, &callback).await;
    assert_eq!(
        verified.status,
        StatusCode::OK,
        "a new code can be redeemed: {}",
        verified.body
    );
}

#[tokio::test]
async fn id_token_verifies_after_a_restart() {
    let folder = ServiceFolder::new();
    let process = Process::start(&folder, &[]).await;
    let before = process.client.key_set().await.body;
    process.kill();
    let process = Process::start(&folder, &[]).await;
    let after = process.client.key_set().await.body;
    let keys = |set: &str| {
        let set: serde_json::Value = serde_json::from_str(set).expect("a key set");
        let mut ids: Vec<_> = set["keys"]
            .as_array()
            .expect("keys")
            .iter()
            .map(|key| key["kid"].to_string())
            .collect();
        ids.sort();
        ids
    };
    assert_eq!(keys(&before), keys(&after));
    assert_eq!(
        keys(&before).len(),
        4,
        "a current and a next key of each algorithm"
    );
}

#[test]
fn port_in_use_is_reported_with_its_exit_code_and_leaves_no_ready_file() {
    let folder = ServiceFolder::new();
    // Of a process that was killed: its addresses are those of nobody.
    std::fs::write(folder.path().join("ready.json"), "{}").unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let status = command(&folder, &["--identity", &address])
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(69), "{}", log(folder.path()));
    assert!(
        log(folder.path()).contains(&format!("another program listens on {address}")),
        "{}",
        log(folder.path())
    );
    assert!(
        !folder.path().join("ready.json").exists(),
        "it is not ready"
    );
}

#[test]
fn damaged_database_is_reported_and_left_unchanged() {
    let folder = ServiceFolder::new();
    let file = folder.path().join("invoicing.db");
    let garbage = b"these bytes are not an SQLite database file ".repeat(100);
    std::fs::write(&file, &garbage).unwrap();
    let status = command(&folder, &[]).status().unwrap();
    assert_eq!(status.code(), Some(65), "{}", log(folder.path()));
    assert!(
        log(folder.path()).contains("is damaged"),
        "{}",
        log(folder.path())
    );
    assert_eq!(
        std::fs::read(&file).unwrap(),
        garbage,
        "the file is unchanged"
    );
}

#[tokio::test]
async fn torn_database_page_is_detected_at_start() {
    let folder = ServiceFolder::new();
    Process::start(&folder, &[]).await.kill();
    // A graceful shutdown writes the WAL back to the database file.
    let intact = Process::start(&folder, &[]).await;
    #[cfg(unix)]
    assert!(intact.terminate().success());
    let file = folder.path().join("invoicing.db");
    let mut bytes = std::fs::read(&file).unwrap();
    for page in bytes.chunks_mut(4096).skip(2).step_by(2) {
        page.fill(0xA5);
    }
    std::fs::write(&file, &bytes).unwrap();
    let status = command(&folder, &[]).status().unwrap();
    assert_eq!(status.code(), Some(65), "{}", log(folder.path()));
}

#[tokio::test]
async fn database_of_another_environment_kind_is_refused() {
    let folder = ServiceFolder::new();
    Process::start(&folder, &[]).await.kill();
    let status = command(&folder, &["--kind", "staging", "--audience-id", "293001"])
        .env_remove("INVOICING_SEED")
        .env_remove("INVOICING_INVOICES")
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(65), "{}", log(folder.path()));
    assert!(
        log(folder.path()).contains("kind local"),
        "{}",
        log(folder.path())
    );
}

#[tokio::test]
async fn database_of_a_newer_schema_is_refused_unchanged() {
    let folder = ServiceFolder::new();
    Process::start(&folder, &[]).await.kill();
    let later = by_engine(
        "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (9999, 'later', X'00', 0)",
        "INSERT INTO schema_migrations (version, name, checksum, compatible_from, applied_at) VALUES (9999, 'later', '', 9999, 0)",
    );
    folder.connect().await.execute(later).await.unwrap();
    let status = command(&folder, &[]).status().unwrap();
    assert_eq!(status.code(), Some(65), "{}", log(folder.path()));
    assert!(
        log(folder.path()).contains("newer version"),
        "{}",
        log(folder.path())
    );
}

#[tokio::test]
async fn development_schema_is_refused_with_the_files_to_move() {
    let folder = ServiceFolder::new();
    let file = folder.path().join("invoicing.db");
    let table = "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY)";
    folder.connect().await.execute(table).await.unwrap();
    let status = command(&folder, &[]).status().unwrap();
    let log = log(folder.path());
    assert_eq!(status.code(), Some(65), "{log}");
    assert!(
        log.contains(&format!("Move {}", file.display())),
        "it names the file: {log}"
    );
}

#[tokio::test]
async fn locked_database_returns_unavailable_and_loses_nothing() {
    let folder = ServiceFolder::new();
    let process = Process::start(&folder, &["--database-statement-timeout", "1"]).await;
    let service = &process.client;
    let mut browser = UserAgent::new(service);
    let tokens = sign_in(service, &mut browser).await;

    let other = folder.connect().await;
    other.lock("refresh_tokens").await;
    let refused = service.refresh(tokens.text("refresh_token")).await;
    refused.is_oauth_error(503, "temporarily_unavailable");
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(
        service.userinfo(tokens.text("access_token")).await.status,
        StatusCode::OK,
        "reads are still served"
    );
    other.unlock().await;
    drop(other);

    let refreshed = service.refresh(tokens.text("refresh_token")).await;
    assert_eq!(
        refreshed.status,
        StatusCode::OK,
        "the token was not spent: {}",
        refreshed.body
    );
}

#[test]
fn demo_data_outside_a_local_environment_and_http_addresses_are_refused() {
    let folder = ServiceFolder::new();
    for kind in ["staging", "production"] {
        let seeded = ["--kind", kind, "--audience-id", "293001"];
        let status = command(&folder, &seeded).status().unwrap();
        assert_eq!(status.code(), Some(64), "{kind}: {}", log(folder.path()));
        assert!(log(folder.path()).contains("demo data"), "{kind}");
    }
    let status = command(&folder, &["--identity", "0.0.0.0:0"])
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(64), "{}", log(folder.path()));
    assert!(
        !folder.path().join("invoicing.db").exists(),
        "no file is created"
    );
}

#[test]
fn setting_that_is_wrong_is_refused_before_a_database_is_made_or_migrated() {
    let folder = ServiceFolder::new();
    let missing = folder.path().join("missing");
    let missing = missing.to_str().expect("text");
    for wrong in [
        ["--encryption-key-file", missing],
        // Read as an address whose scheme is the name of the host.
        ["--otlp-endpoint", "collector:4317"],
        ["--public-identity", "https://user:password@id.example"],
    ] {
        let status = command(&folder, &wrong).status().unwrap();
        assert_eq!(status.code(), Some(64), "{wrong:?}: {}", log(folder.path()));
        let made = folder.path().join("invoicing.db").exists();
        assert!(!made, "{wrong:?}: no file is created");
    }
}

#[test]
fn environment_that_is_not_local_needs_an_audience_id_of_its_own() {
    let folder = ServiceFolder::new();
    let built_in = AudienceId::LOCAL;
    for id in [None, Some(built_in)] {
        let mut arguments = vec!["--kind", "staging"];
        arguments.extend(id.iter().flat_map(|id| ["--audience-id", id]));
        let mut refused = command(&folder, &arguments);
        refused
            .env_remove("INVOICING_SEED")
            .env_remove("INVOICING_INVOICES");
        let status = refused.status().unwrap();
        assert_eq!(status.code(), Some(64), "{id:?}: {}", log(folder.path()));
        assert!(log(folder.path()).contains("--audience-id"), "{id:?}");
    }
}

#[tokio::test]
async fn log_contains_no_secret_at_any_level() {
    let folder = ServiceFolder::new();
    let mut logged = command(&folder, &[]);
    logged.env("INVOICING_LOG", "trace");
    let process = Process::started(logged, folder.path()).await;
    let service = &process.client;

    let authorization = AuthorizationRequest::new(service, &service.desktop_scope());
    let mut browser = UserAgent::new(service);
    let callback = browser.sign_in(service, &authorization, NOURA).await;
    let tokens = service.redeem(&authorization, &callback).await;
    let refreshed = service.refresh(tokens.text("refresh_token")).await;
    service
        .refresh(tokens.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    service.userinfo(refreshed.text("access_token")).await;
    let machine = service.machine_token("").await;
    let machine_secret = service
        .application(ApplicationKind::Machine)
        .client_secret
        .clone()
        .unwrap();
    let basic = service
        .http
        .post(service.auth("/oauth/v2/token"))
        .basic_auth("machine", Some(&machine_secret));
    basic
        .form(&[("grant_type", "client_credentials")])
        .send()
        .await
        .unwrap();
    let gateway = service
        .http
        .post(service.base("/api/v1/simple/invoices/list"))
        .bearer_auth(refreshed.text("access_token"));
    gateway
        .header("content-type", "application/json")
        .body("{}")
        .send()
        .await
        .unwrap();

    let log = log(folder.path());
    assert!(log.contains(" DEBUG "), "the log level is trace: {log}");
    let mut secrets = vec![
        callback.get("code").to_owned(),
        authorization.verifier.clone(),
        service.user(NOURA).password.clone(),
        machine,
        machine_secret,
    ];
    for response in [&tokens, &refreshed] {
        secrets
            .extend(["access_token", "refresh_token"].map(|name| response.text(name).to_owned()));
    }
    secrets.push(tokens.text("id_token").to_owned());
    secrets.extend(browser.cookies.values().cloned());
    for secret in secrets {
        assert!(!log.contains(&secret), "{secret} is in the log");
    }
}

async fn sign_in(service: &ServiceClient, browser: &mut UserAgent) -> crate::fixtures::Response {
    let authorization = AuthorizationRequest::new(service, &service.desktop_scope());
    let callback = browser.sign_in(service, &authorization, NOURA).await;
    let tokens = service.redeem(&authorization, &callback).await;
    assert_eq!(tokens.status, StatusCode::OK, "{}", tokens.body);
    tokens
}
