//! SIGKILL at every step of a sign-in and of a refresh: the next start has the session, or says that it was interrupted.

use std::path::Path;

use tempfile::TempDir;

use crate::fixtures::{ClientProcess, Fault, Service};

const DISCOVERY: &str = "/.well-known/openid-configuration";
const TOKEN: &str = "/oauth/v2/token";
const KEYS: &str = "/oauth/v2/keys";

/// More than any flow passes.
const MAX_MOMENTS: usize = 40;

fn start(service: &Service, folder: &TempDir, kill_at: Option<usize>) -> ClientProcess {
    let vault = folder.path().join("vault.json").display().to_string();
    let program = ClientProcess::program();
    ClientProcess::start(program, service, folder.path(), &vault, kill_at)
}

async fn signed_in(service: &Service) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut process = start(service, &folder, None);
    process.session_after_start().expect("it runs");
    process.sign_in(service).await.expect("it runs");
    process.kill();
    folder
}

/// The generation of the stored refresh token.
fn stored_generation(folder: &Path) -> u64 {
    let vault = std::fs::read(folder.join("vault.json")).expect("a file");
    let secrets: serde_json::Value = serde_json::from_slice(&vault).expect("JSON");
    let mut secrets = secrets.as_object().expect("an object").values();
    secrets
        .find_map(|secret| {
            let record: serde_json::Value = serde_json::from_str(secret.as_str()?).ok()?;
            record["refresh_token"].as_str()?;
            record["generation"].as_u64()
        })
        .expect("a refresh token")
}

/// Starts again after a kill. The session goes on exactly if the keyring has a token that was not exchanged.
async fn assert_recovers(service: &Service, folder: &TempDir, spent: bool, cell: &str) {
    let mut process = start(service, folder, None);
    let session = process.session_after_start().expect("it runs");
    if spent {
        assert_eq!(session["state"], "signedOut", "{cell}: {session}");
        assert_eq!(session["error"]["kind"], "sessionInterrupted", "{cell}");
        process.sign_in(service).await.expect("it runs");
    } else {
        assert_eq!(session["state"], "signedIn", "{cell}: {session}");
        assert_eq!(session["connectivity"]["state"], "online", "{cell}");
    }
    let answer = process.run("list");
    assert_eq!(answer["error"], serde_json::Value::Null, "{cell}");
    process.kill();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_at_any_vault_call_of_a_refresh_loses_the_session_only_between_exchange_and_write() {
    let service = Service::start().await;
    let folder = signed_in(&service).await;
    let (mut lost, mut killed) = (0, 0);
    for moment in 0..MAX_MOMENTS {
        let cell = format!("moment {moment}");
        let requests = service.identity.requests(TOKEN).len();
        let generation = stored_generation(folder.path());
        // A start refreshes the access token.
        let mut process = start(&service, &folder, Some(moment));
        let ended = process.session_after_start().is_none();
        drop(process);
        if !ended {
            break;
        }
        killed += 1;
        let exchanged = service.identity.requests(TOKEN).len() > requests;
        let spent = exchanged && stored_generation(folder.path()) == generation;
        lost += usize::from(spent);
        assert_recovers(&service, &folder, spent, &cell).await;
    }
    assert!((6..MAX_MOMENTS).contains(&killed), "{killed} moments");
    assert_eq!(lost, 1, "the one moment before the successor is written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_before_and_after_the_exchange_of_a_refresh_is_told_apart() {
    let service = Service::start().await;
    let folder = signed_in(&service).await;
    for (fault, spent) in [(Fault::HoldRequest, false), (Fault::HoldResponse, true)] {
        let cell = format!("{fault:?}");
        let held = service.identity.held();
        service.identity.fault(TOKEN, fault.clone());
        let mut process = start(&service, &folder, None);
        service.identity.held_after(held).await;
        process.kill();
        assert_recovers(&service, &folder, spent, &cell).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_at_any_step_of_a_sign_in_leaves_nobody_or_a_session_signed_in() {
    let service = Service::start().await;
    let mut killed = 0;
    for moment in 0..MAX_MOMENTS {
        let folder = tempfile::tempdir().expect("a folder");
        let mut process = start(&service, &folder, Some(moment));
        let signed_in = match process.session_after_start() {
            Some(_) => process.sign_in(&service).await,
            None => None,
        };
        drop(process);
        if signed_in.is_some() {
            break;
        }
        killed += 1;
        let mut process = start(&service, &folder, None);
        let session = process.session_after_start().expect("it runs");
        match session["state"].as_str() {
            Some("signedIn") => assert_eq!(session["connectivity"]["state"], "online"),
            Some("signedOut") => {
                assert_eq!(
                    session["error"],
                    serde_json::Value::Null,
                    "moment {moment}: {session}"
                );
                process.sign_in(&service).await.expect("it runs");
            }
            _ => panic!("moment {moment}: {session}"),
        }
        assert_eq!(process.run("list")["error"], serde_json::Value::Null);
        process.kill();
    }
    assert!((4..MAX_MOMENTS).contains(&killed), "{killed} moments");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_during_any_request_of_a_sign_in_leaves_the_next_one_possible() {
    let service = Service::start().await;
    for (path, begins) in [(DISCOVERY, true), (TOKEN, false), (KEYS, false)] {
        for fault in [Fault::HoldRequest, Fault::HoldResponse] {
            let cell = format!("{path} {fault:?}");
            let folder = tempfile::tempdir().expect("a folder");
            let mut process = start(&service, &folder, None);
            process.session_after_start().expect("it runs");
            let held = service.identity.held();
            if begins {
                service.identity.fault(path, fault.clone());
                process.send("sign-in");
            } else {
                let callback = process.sign_in_in_browser(&service).await;
                service.identity.fault(path, fault.clone());
                process.send(&format!("callback {}", callback.expect("it runs")));
            }
            service.identity.held_after(held).await;
            process.kill();
            let mut process = start(&service, &folder, None);
            let session = process.session_after_start().expect("it runs");
            assert_eq!(session["state"], "signedOut", "{cell}: {session}");
            assert_eq!(session["error"], serde_json::Value::Null, "{cell}");
            process.sign_in(&service).await.expect("it runs");
            process.kill();
        }
    }
}
