//! The ledgers of bulk runs on the disk: what a crash leaves of one that was being deleted.

use invoicing_client::views::{BulkState, CommandError, DocumentSelection};
use invoicing_client::{FileFault, FileFaults};

use super::bulk::{create_drafts, issue, wait_for};
use super::bulk_without_keyring::files_below;
use crate::fixtures::{HOME, NOURA, Service, TestApp};

#[tokio::test]
async fn run_whose_deletion_was_interrupted_is_deleted_by_the_next_start() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let rows = create_drafts(&app, &binding, 1).await;
    issue(&app, &binding, DocumentSelection::Rows { rows }).await;
    let run = wait_for(&app, &binding, BulkState::Finished).await;
    let folder = app.folder.path().join("data/bulk-runs");
    let faults = FileFaults::new(&folder);
    // The first operation deletes the header.
    faults.set(1, FileFault::IoFromThen);
    let closed = app
        .desktop
        .close_bulk_run(&app.window, binding, run.id)
        .await;
    assert!(
        matches!(closed, Err(CommandError::NotSaved { .. })),
        "{closed:?}"
    );
    drop(faults);
    assert_ne!(files_below(&folder), 0);

    let again = app.restart();
    let binding = again.binding().await;
    let runs = again.desktop.bulk_runs(&again.window, binding).await;
    assert_eq!(runs, Ok(Vec::new()));
    assert_eq!(files_below(&folder), 0);
}
