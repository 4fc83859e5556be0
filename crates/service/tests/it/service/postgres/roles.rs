//! Tests of the role that the service and its jobs connect with.

use std::process::{Command, Stdio};
use std::time::Duration;

use invoicing_service::{Clock as _, DatabaseOptions, SystemClock};
use invoicing_storage::audit::{AuditEvent, AuditEventKind};
use invoicing_test_postgres::{Database, Server};
use serde_json::{Value, json};

use super::{empty_database, migrate, run, text};
use crate::fixtures::process::{Process, command, log};
use crate::fixtures::{NOURA_ID, ServiceFolder};

/// The job that archives the audit.
const ARCHIVE_JOB: &str = include_str!("../../../../../../deploy/kubernetes/audit-archive.yaml");

async fn migrated_database() -> Database {
    let database = empty_database(Server::shared()).await;
    migrate(database.owner_url());
    database
}

#[tokio::test]
async fn role_that_nothing_limits_is_refused_outside_of_a_local_environment() {
    let database = migrated_database().await;
    let superuser = database
        .application_url()
        .replace("application@", "superuser@");
    for (url, reason) in [
        (database.owner_url(), "owns tables"),
        (&*superuser, "is a superuser"),
    ] {
        for kind in ["staging", "production"] {
            let arguments = ["serve", "--kind", kind, "--audience-id", "293001"];
            let refused = run(url, &arguments);
            let message = text(&refused.stderr);
            assert_eq!(refused.status.code(), Some(64), "{kind}: {message}");
            assert!(message.contains(reason), "{kind}: {message}");
            assert!(message.contains("role `application`"), "{message}");
        }
    }
}

#[tokio::test]
async fn local_environment_starts_with_the_owner_of_the_tables_and_is_warned() {
    let database = migrated_database().await;
    let folder = ServiceFolder::new();
    let mut serve = command(&folder, &[]);
    serve.env("INVOICING_DATABASE", database.owner_url());
    let process = Process::started(serve, folder.path()).await;
    let logged = log(folder.path());
    let line = logged.lines().find(|line| line.contains("owns tables"));
    assert!(line.is_some_and(|line| line.contains("WARN")), "{logged}");
    assert!(process.terminate().success());
}

/// Runs a command of the administrator as the job does, with its folder of archives.
fn run_job(database: &Database, folder: &std::path::Path, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_invoicing-service"))
        .args(arguments)
        .arg("--json")
        .env("INVOICING_DATABASE", database.application_url())
        .env("INVOICING_AUDIT_ARCHIVE", folder)
        .env("INVOICING_AUDIT_RETENTION", "396")
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    let message = text(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {message}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[tokio::test]
async fn job_archives_the_audit_as_the_role_of_the_application_and_it_is_verified() {
    let database = migrated_database().await;
    let opened = crate::fixtures::open(&DatabaseOptions::from(database.application_url())).await;
    let store = opened.store();
    let kind = store.setting_or("kind", "production").await;
    kind.expect("the environment has a kind");
    let now = SystemClock.timestamp();
    let two_years_ago = now.minus(Duration::from_secs(2 * 365 * 86_400));
    for at in [[two_years_ago; 20].as_slice(), &[now]].concat() {
        let event = AuditEvent::new(at, AuditEventKind::SignedIn);
        let recorded = store.record(&event.subject(&NOURA_ID.into())).await;
        recorded.expect("recorded");
    }
    opened.close().await;

    let line = ARCHIVE_JOB.lines().find_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("args: ")
    });
    let arguments: Vec<&str> = serde_json::from_str(line.expect("the job has arguments"))
        .expect("the arguments are a list of texts");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let archived = run_job(&database, folder.path(), &arguments);
    assert_eq!(archived["archivedEvents"], json!(20));
    let again = run_job(&database, folder.path(), &arguments);
    assert_eq!(again["archivedEvents"], json!(0));
    let verified = run_job(&database, folder.path(), &["admin", "audit", "verify"]);
    assert_eq!(verified["complete"], json!(true), "{verified}");
    assert_eq!(verified["archivedEvents"], json!(20), "{verified}");
    // The newest event has no place in the chain yet.
    assert_eq!(verified["storedEvents"], json!(0), "{verified}");
    let head = verified["head"].as_str().expect("a head");
    let verify = ["admin", "audit", "verify", "--head", head];
    run_job(&database, folder.path(), &verify);
}
