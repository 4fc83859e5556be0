//! Tests of archiving by a running service and of the command line.

use std::fs;
use std::time::Duration;

use invoicing_service::{Clock as _, Config, SystemClock};
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use serde_json::json;

use crate::fixtures::process::{Process, command, log};
use crate::fixtures::program::{run_json, run_json_list, run_program, service_command};
use crate::fixtures::{NOURA, NOURA_ID, Service, ServiceFolder, config_in, wait_until};

/// A database with events of two years ago.
async fn folder_with_old_events() -> ServiceFolder {
    let folder = ServiceFolder::new();
    let database = folder.store().await;
    let store = database.store();
    let two_years_ago = SystemClock
        .timestamp()
        .minus(Duration::from_secs(2 * 365 * 86_400));
    for _ in 0..20 {
        let event = AuditEvent::new(two_years_ago, AuditEventKind::SignedIn);
        store
            .record(&event.subject(&NOURA_ID.into()))
            .await
            .expect("recorded");
    }
    database.close().await;
    folder
}

/// Starts a service with this retention on a database with events of two years ago.
async fn start_with_old_events(retention_days: u32) -> Service {
    let folder = folder_with_old_events().await;
    let config = Config {
        audit_retention_days: retention_days,
        ..config_in(&folder)
    };
    Service::start_configured(folder, config).await
}

#[tokio::test]
async fn archiving_by_another_process_is_no_warning() {
    let folder = folder_with_old_events().await;
    let archives = folder.path().join("invoicing.db-audit");
    fs::create_dir(&archives).unwrap();
    let lock = fs::File::create(archives.join(".lock")).unwrap();
    lock.try_lock().expect("nobody else has it");
    let mut logged = command(&folder, &[]);
    logged.env("INVOICING_LOG", "debug");
    let process = Process::started(logged, folder.path()).await;
    let said = "another process archives the audit";
    wait_until("it is said", async || log(folder.path()).contains(said)).await;
    let log = log(folder.path());
    let line = log.lines().find(|line| line.contains(said));
    assert!(line.is_some_and(|line| line.contains("DEBUG")), "{line:?}");
    process.kill();
}

#[tokio::test]
async fn failure_to_archive_is_counted_in_the_metrics() {
    let folder = folder_with_old_events().await;
    // A file where the folder would be.
    let archives = folder.path().join("archives");
    fs::write(&archives, "").unwrap();
    let config = Config {
        metrics: Some("127.0.0.1:0".parse().unwrap()),
        audit_archive: Some(archives),
        audit_retention_days: 396,
        ..config_in(&folder)
    };
    let service = Service::start_configured(folder, config).await;
    let metrics = service.running.metrics.expect("metrics are configured");
    let metrics = format!("http://{metrics}/metrics");
    wait_until("it is counted", async || {
        let shown = service.http.get(&metrics).send().await.unwrap();
        let shown = shown.text().await.unwrap();
        shown.contains("\ninvoicing_audit_archive_failures_total 1\n")
    })
    .await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn running_service_archives_old_events_and_the_command_line_reads_all() {
    let service = start_with_old_events(396).await;
    let store = service.store().await;
    wait_until("old events are archived", async || {
        !store.audit_archives().await.unwrap().is_empty()
    })
    .await;
    assert_eq!(store.audit_archives().await.unwrap()[0].last, 20);
    service.sign_in(NOURA).await;
    let signed_in = ["admin", "audit", "--kind", "signed_in", "--subject", NOURA];
    assert_eq!(run_json_list(&service, &signed_in).len(), 21);
    let newest = run_json_list(
        &service,
        &["admin", "audit", "--kind", "signed_in", "--size", "3"],
    );
    let rest = run_json_list(
        &service,
        &[
            "admin",
            "audit",
            "--kind",
            "signed_in",
            "--after",
            newest[2]["position"].as_str().expect("a position"),
        ],
    );
    assert_eq!(rest.len(), 18);

    let verified = run_json(&service, &["admin", "audit", "verify"]);
    assert_eq!(verified["complete"], json!(true));
    assert_eq!(verified["archivedEvents"], json!(20));
    let head = verified["head"].as_str().expect("a head");
    service.sign_in(NOURA).await;
    run_json(&service, &["admin", "audit", "verify", "--head", head]);
    drop(store);

    let folder = service.folder.path().join("invoicing.db-audit");
    let file = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|extension| extension == "gz"))
        .expect("an archive");
    fs::remove_file(&file).unwrap();
    let output = run_program(&service, &["admin", "audit", "verify"]);
    assert_eq!(output.status.code(), Some(65));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let name = file.file_name().unwrap().to_string_lossy();
    assert!(
        message.contains(&*name) && message.contains("missing"),
        "{message}"
    );
    assert!(!run_program(&service, &["admin", "audit"]).status.success());
    service.running.shutdown().await;
}

#[tokio::test]
async fn retention_of_zero_days_archives_nothing_until_the_command_does() {
    let service = start_with_old_events(0).await;
    let before = run_json_list(&service, &["admin", "audit", "--size", "1000"]);
    let archived = run_json(
        &service,
        &["admin", "audit", "archive", "--keep-days", "30"],
    );
    assert_eq!(
        archived["archivedEvents"],
        json!(20),
        "nothing was archived before"
    );
    let again = run_json(&service, &["admin", "audit", "archive"]);
    assert_eq!(again["archivedEvents"], json!(0));
    let after = run_json_list(&service, &["admin", "audit", "--size", "1000"]);
    assert_eq!(after, before);
    service.running.shutdown().await;
}

#[tokio::test]
async fn command_keeps_events_for_the_days_of_the_variable_of_the_service() {
    let service = start_with_old_events(0).await;
    // The old events are of two years ago.
    for (days, archived) in [("0", 0), ("1000", 0), ("396", 20)] {
        let arguments = ["admin", "audit", "archive", "--json"];
        let output = service_command(&service, &arguments)
            .env("INVOICING_AUDIT_RETENTION", days)
            .output()
            .expect("the program runs");
        let printed = serde_json::from_slice(&output.stdout);
        let printed: serde_json::Value = printed.unwrap_or_else(|error| {
            let message = String::from_utf8_lossy(&output.stderr);
            panic!("{days} days: {error}: {message}")
        });
        assert_eq!(printed["archivedEvents"], json!(archived), "{days} days");
    }
    service.running.shutdown().await;
}
