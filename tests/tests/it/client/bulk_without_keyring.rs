//! Bulk runs without the keyring: their key ends with the program, and so do they.

use std::time::Duration;

use invoicing_client::vault::VaultError;
use invoicing_client::views::{BulkRun, BulkState, DocumentSelection, WindowBinding};
use invoicing_client::{FileFault, FileFaults};

use super::bulk::{create_drafts, issue, results, run, wait_for};
use crate::fixtures::{HOME, NOURA, Service, TestApp, files_below};

/// The folder of an owner has a file that tells the account, also when it has no run any more.
const ACCOUNT_FILE: usize = 1;

/// A run over one document that began while the keyring was locked, and has ended.
async fn run_while_locked(app: &TestApp, binding: &WindowBinding) -> BulkRun {
    let rows = create_drafts(app, binding, 1).await;
    app.vault.fail_call("drafts", 0, VaultError::Locked);
    let started = issue(app, binding, DocumentSelection::Rows { rows }).await;
    assert!(!started.durable, "the keyring was not asked");
    wait_for(app, binding, BulkState::Finished).await
}

/// Asserts that there are files of a run, and that the next start finds no run and leaves none of them.
pub(super) async fn assert_no_run_after_a_restart(app: &TestApp) {
    let folder = app.folder.path().join("data/bulk-runs");
    assert_ne!(files_below(&folder).len(), ACCOUNT_FILE);
    let again = app.restart();
    let binding = again.binding().await;
    let runs = again.desktop.bulk_runs(&again.window, binding).await;
    assert_eq!(runs, Ok(Vec::new()));
    assert_eq!(files_below(&folder).len(), ACCOUNT_FILE);
}

#[tokio::test]
async fn nothing_of_a_run_without_the_keyring_stays_after_a_restart() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    run_while_locked(&app, &binding).await;
    assert_no_run_after_a_restart(&app).await;
}

#[tokio::test]
async fn run_without_the_keyring_stays_after_unlocking_until_the_program_ends() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let ended = run_while_locked(&app, &binding).await;
    app.desktop
        .unlock_vault(&app.window)
        .await
        .expect("unlocked");
    assert_eq!(run(&app, &binding).await, ended);
    assert_eq!(results(&app, &binding, &ended.id).await.len(), 1);
}

#[tokio::test]
async fn run_that_begins_while_the_keyring_is_unlocked_keeps_its_documents() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let rows = create_drafts(&app, &binding, 1).await;
    app.vault.fail_call("drafts", 0, VaultError::Locked);
    // The folder, its account, the mark and the documents are written, and the header is not.
    let operations = 22;
    let faults = FileFaults::new(app.folder.path().join("data/bulk-runs"));
    faults.set(operations, FileFault::Hold);
    let held = async || {
        while faults.operations().len() <= operations {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let unlocking = async {
        held().await;
        let folder = app.folder.path().join("data/bulk-runs");
        let written = files_below(&folder).len() - ACCOUNT_FILE;
        assert_eq!(written, 2, "the mark and the documents");
        let unlocked = app.desktop.unlock_vault(&app.window).await;
        unlocked.expect("unlocked");
        let runs = app.desktop.bulk_runs(&app.window, binding.clone()).await;
        assert_eq!(runs.expect("the runs").len(), 1);
    };
    let releasing = async {
        held().await;
        // Time in which the keyring is unlocked, unless that waits for the start of the run.
        tokio::time::sleep(Duration::from_millis(500)).await;
        faults.clear();
    };
    let selection = DocumentSelection::Rows { rows };
    let starting = issue(&app, &binding, selection);
    let (started, (), ()) = tokio::join!(starting, unlocking, releasing);
    let ended = wait_for(&app, &binding, BulkState::Finished).await;
    assert_eq!((ended.id.as_str(), ended.done), (started.id.as_str(), 1));
    assert_eq!(results(&app, &binding, &ended.id).await.len(), 1);
}
