//! The program itself: ready file, exit codes, signals, and what survives kill -9.

use std::net::TcpListener;

use crate::fixtures::process::{Process, command, log};
use crate::fixtures::user_agent::{Attempt, Callback, UserAgent};
use crate::fixtures::{NOURA, Site};
use invoicing_contract::ready::ApplicationKind;
use reqwest::StatusCode;
use sqlx::{Connection as _, SqliteConnection};

#[tokio::test]
async fn the_ready_file_is_there_when_both_answer_and_only_its_owner_can_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), &[]).await;
    let ready = &process.site.ready;
    for address in [&ready.auth_url, &ready.base_url] {
        assert!(
            process.site.http.get(address).send().await.is_ok(),
            "{address} answers"
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
    assert_eq!((ready.organizations.len(), ready.users.len()), (5, 2));
    #[cfg(unix)]
    for file in ["ready.json", "invoicing.db"] {
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
    assert!(process.terminate().success(), "SIGTERM is an orderly end");
}

#[tokio::test]
async fn what_was_answered_survives_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), &[]).await;
    let mut browser = UserAgent::new(&process.site);
    let tokens = sign_in(&process.site, &mut browser).await;
    process.kill();

    let process = Process::start(folder.path(), &[]).await;
    let site = &process.site;
    assert_eq!(
        site.userinfo(tokens.text("access_token")).await.status,
        StatusCode::OK,
        "the access token works"
    );
    let refreshed = site.refresh(tokens.text("refresh_token")).await;
    assert_eq!(
        refreshed.status,
        StatusCode::OK,
        "the refresh token works: {}",
        refreshed.body
    );
    process.kill();

    let process = Process::start(folder.path(), &[]).await;
    let site = &process.site;
    site.refresh(tokens.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    let again = site.refresh(refreshed.text("refresh_token")).await;
    assert_eq!(
        again.status,
        StatusCode::OK,
        "its successor does: {}",
        again.body
    );

    let mut browser = browser.at(site);
    let silent = Attempt::new(site, "openid").with("prompt", "none");
    let callback = Callback::of(&browser.get(&silent.path()).await);
    assert_eq!(callback.error(), None, "the browser is still signed in");
    let verified = site.redeem(&silent, &callback).await;
    assert_eq!(
        verified.status,
        StatusCode::OK,
        "codes are made and redeemed: {}",
        verified.body
    );
}

#[tokio::test]
async fn id_tokens_of_before_a_restart_can_be_verified_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), &[]).await;
    let before = process
        .site
        .http
        .get(process.site.auth("/oauth/v2/keys"))
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    process.kill();
    let process = Process::start(folder.path(), &[]).await;
    let after = process
        .site
        .http
        .get(process.site.auth("/oauth/v2/keys"))
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
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
fn a_port_in_use_is_named_with_its_own_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let status = command(folder.path(), &["--identity", &address])
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
fn a_damaged_database_is_named_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("invoicing.db");
    let garbage = b"this is no database, and whoever starts on it should hear so".repeat(100);
    std::fs::write(&file, &garbage).unwrap();
    let status = command(folder.path(), &[]).status().unwrap();
    assert_eq!(status.code(), Some(65), "{}", log(folder.path()));
    assert!(
        log(folder.path()).contains("is damaged"),
        "{}",
        log(folder.path())
    );
    assert_eq!(
        std::fs::read(&file).unwrap(),
        garbage,
        "not a byte was changed"
    );
}

#[tokio::test]
async fn a_page_torn_in_the_middle_of_the_file_is_found_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    Process::start(folder.path(), &[]).await.kill();
    // Whatever is still in the log is written back by an orderly end.
    let whole = Process::start(folder.path(), &[]).await;
    #[cfg(unix)]
    assert!(whole.terminate().success());
    let file = folder.path().join("invoicing.db");
    let mut bytes = std::fs::read(&file).unwrap();
    for page in bytes.chunks_mut(4096).skip(2).step_by(2) {
        page.fill(0xA5);
    }
    std::fs::write(&file, &bytes).unwrap();
    let status = command(folder.path(), &[]).status().unwrap();
    assert_eq!(status.code(), Some(65), "{}", log(folder.path()));
}

#[tokio::test]
async fn a_database_belongs_to_one_kind_of_environment() {
    let folder = tempfile::tempdir().unwrap();
    Process::start(folder.path(), &[]).await.kill();
    let status = command(folder.path(), &["--kind", "staging"])
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
async fn a_database_of_a_newer_version_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    Process::start(folder.path(), &[]).await.kill();
    let url = format!("sqlite:{}", folder.path().join("invoicing.db").display());
    let mut newer = SqliteConnection::connect(&url).await.unwrap();
    sqlx::query(
        "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (9999, 'later', X'00', 0)",
    )
    .execute(&mut newer)
    .await
    .unwrap();
    newer.close().await.unwrap();
    let status = command(folder.path(), &[]).status().unwrap();
    assert_eq!(status.code(), Some(65), "{}", log(folder.path()));
    assert!(
        log(folder.path()).contains("newer version"),
        "{}",
        log(folder.path())
    );
}

#[tokio::test]
async fn a_database_of_a_development_version_is_refused_with_the_files_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("invoicing.db");
    let url = format!("sqlite:{}?mode=rwc", file.display());
    let mut earlier = SqliteConnection::connect(&url).await.unwrap();
    sqlx::query("CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY)")
        .execute(&mut earlier)
        .await
        .unwrap();
    earlier.close().await.unwrap();
    let status = command(folder.path(), &[]).status().unwrap();
    let log = log(folder.path());
    assert_eq!(status.code(), Some(65), "{log}");
    assert!(
        log.contains(&format!("Move {}", file.display())),
        "it names the file: {log}"
    );
}

#[tokio::test]
async fn while_another_program_holds_the_database_callers_hear_so_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), &[]).await;
    let site = &process.site;
    let mut browser = UserAgent::new(site);
    let tokens = sign_in(site, &mut browser).await;

    let url = format!("sqlite:{}", folder.path().join("invoicing.db").display());
    let mut other = SqliteConnection::connect(&url).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE")
        .execute(&mut other)
        .await
        .unwrap();
    let refused = site.refresh(tokens.text("refresh_token")).await;
    refused.is_oauth_error(503, "temporarily_unavailable");
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(
        site.userinfo(tokens.text("access_token")).await.status,
        StatusCode::OK,
        "reading goes on"
    );
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    other.close().await.unwrap();

    let refreshed = site.refresh(tokens.text("refresh_token")).await;
    assert_eq!(
        refreshed.status,
        StatusCode::OK,
        "the token was not spent: {}",
        refreshed.body
    );
}

#[test]
fn production_refuses_demo_data_and_addresses_without_encryption() {
    let folder = tempfile::tempdir().unwrap();
    let status = command(folder.path(), &["--kind", "production"])
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(64), "{}", log(folder.path()));
    let status = command(folder.path(), &["--identity", "0.0.0.0:0"])
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(64), "{}", log(folder.path()));
    assert!(
        !folder.path().join("invoicing.db").exists(),
        "nothing was made"
    );
}

#[tokio::test]
async fn no_secret_is_in_the_log_however_much_is_logged() {
    let folder = tempfile::tempdir().unwrap();
    let mut logged = command(folder.path(), &[]);
    logged.env("INVOICING_LOG", "trace");
    let process = Process::started(logged, folder.path()).await;
    let site = &process.site;

    let attempt = Attempt::new(site, &site.desktop_scope());
    let mut browser = UserAgent::new(site);
    let callback = browser.sign_in(site, &attempt, NOURA).await;
    let tokens = site.redeem(&attempt, &callback).await;
    let refreshed = site.refresh(tokens.text("refresh_token")).await;
    site.refresh(tokens.text("refresh_token"))
        .await
        .is_oauth_error(400, "invalid_grant");
    site.userinfo(refreshed.text("access_token")).await;
    let machine = site.machine_token("").await;
    let machine_secret = site
        .application(ApplicationKind::Machine)
        .client_secret
        .clone()
        .unwrap();
    let basic = site
        .http
        .post(site.auth("/oauth/v2/token"))
        .basic_auth("machine", Some(&machine_secret));
    basic
        .form(&[("grant_type", "client_credentials")])
        .send()
        .await
        .unwrap();
    let gateway = site
        .http
        .post(site.base("/api/v1/simple/invoices/list"))
        .bearer_auth(refreshed.text("access_token"));
    gateway
        .header("content-type", "application/json")
        .body("{}")
        .send()
        .await
        .unwrap();

    let log = log(folder.path());
    assert!(log.contains(" DEBUG "), "more than usual is logged: {log}");
    let mut secrets = vec![
        callback.get("code").to_owned(),
        attempt.verifier.clone(),
        site.user(NOURA).password.clone(),
        machine,
        machine_secret,
    ];
    for answer in [&tokens, &refreshed] {
        secrets.extend(["access_token", "refresh_token"].map(|name| answer.text(name).to_owned()));
    }
    secrets.push(tokens.text("id_token").to_owned());
    secrets.extend(browser.cookies.values().cloned());
    for secret in secrets {
        assert!(!log.contains(&secret), "{secret} is in the log");
    }
}

async fn sign_in(site: &Site, browser: &mut UserAgent) -> crate::fixtures::Answer {
    let attempt = Attempt::new(site, &site.desktop_scope());
    let callback = browser.sign_in(site, &attempt, NOURA).await;
    let tokens = site.redeem(&attempt, &callback).await;
    assert_eq!(tokens.status, StatusCode::OK, "{}", tokens.body);
    tokens
}
