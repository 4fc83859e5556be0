//! Test of kill -9 at each step of archiving the audit: no event is lost, and none exists twice.

use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_service::{AuditArchiveFolder, Clock as _, SystemClock};
use invoicing_storage::Store;
use invoicing_storage::audit::{AuditEvent, AuditEventKind, Query};

use super::killable_service::KillableService;
use crate::fixtures::ServiceFolder;

const OLD_EVENTS: i64 = 40;
/// The steps in their order; the last is after the commit.
const STEPS: [&str; 7] = [
    "archive written",
    "archive synced",
    "archive renamed",
    "archive folder synced",
    "INSERT INTO audit_archives",
    "DELETE FROM audit_events",
    "archive recorded",
];

#[tokio::test]
async fn archiving_neither_loses_nor_doubles_an_event_when_killed_at_any_step() {
    for (number, step) in STEPS.into_iter().enumerate() {
        let folder = ServiceFolder::new();
        let database = folder.store().await;
        let store = database.store();
        let year_ago = SystemClock
            .timestamp()
            .minus(Duration::from_secs(500 * 86_400));
        for number in 0..OLD_EVENTS {
            let event = AuditEvent::new(year_ago, AuditEventKind::SignedIn);
            let event = event.detail("number", number.to_string());
            store.record(&event).await.unwrap();
        }
        database.close().await;

        let killable = KillableService::start(&folder, Some((0, step))).await;
        killable.stopped().await;
        let steps = killable.kill();
        let passed = STEPS
            .iter()
            .filter(|step| steps.iter().any(|one| one.starts_with(**step)));
        assert_eq!(passed.count(), number + 1, "{step}: {steps:#?}");

        let database = folder.store().await;
        let store = database.store();
        let archives = store.audit_archives().await.unwrap().len();
        assert_eq!(archives, usize::from(step == "archive recorded"), "{step}");
        assert_complete(&*store, &folder, year_ago, step).await;
        let now = SystemClock.timestamp();
        let archive_folder = archive_folder(&folder);
        let before = year_ago.plus(Duration::from_millis(1));
        while archive_folder.archive(&*store, before, now).await.unwrap() > 0 {}
        assert_eq!(store.audit_archives().await.unwrap().len(), 1, "{step}");
        assert_complete(&*store, &folder, year_ago, step).await;
        let verified = archive_folder.verify(&*store, None).await.unwrap();
        assert_eq!(
            verified.unrecorded_files, [""; 0],
            "{step}: the file is used"
        );
        database.close().await;
    }
}

/// Checks that each old event exists once, in the database or in an archive, and that the chain is complete.
async fn assert_complete(
    store: &dyn Store,
    folder: &ServiceFolder,
    year_ago: Timestamp,
    step: &str,
) {
    let archive_folder = archive_folder(folder);
    let verified = archive_folder.verify(store, None).await.expect("verified");
    assert_eq!(verified.findings, [], "{step}");
    let old = Query {
        to: Some(year_ago.plus(Duration::from_millis(1))),
        size: 1_000,
        ..Query::default()
    };
    let events = archive_folder
        .query(store, &old)
        .await
        .expect("every archive is there");
    let numbers = events
        .iter()
        .rev()
        .map(|event| event.event.detail["number"].clone());
    let expected = (0..OLD_EVENTS).map(|number| number.to_string());
    assert!(numbers.eq(expected), "{step}: {events:#?}");
    let stored = store.audit(&old).await.expect("storage responds").len();
    let archived = store.audit_archives().await.expect("storage responds");
    let archived: i64 = archived.iter().map(|one| one.last - one.first + 1).sum();
    let total = i64::try_from(stored).expect("a few events") + archived;
    assert_eq!(total, OLD_EVENTS, "{step}: none exists twice");
}

fn archive_folder(folder: &ServiceFolder) -> AuditArchiveFolder {
    let folder = folder.database().audit_archive_folder(None);
    folder.expect("the database is a file")
}
