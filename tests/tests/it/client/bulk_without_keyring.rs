//! Bulk runs without the keyring: their key ends with the program, and so do they.

use std::path::Path;

use invoicing_client::vault::VaultError;
use invoicing_client::views::{BulkRun, BulkState, DocumentSelection, WindowBinding};

use super::bulk::{create_drafts, issue, results, run, wait_for};
use crate::fixtures::{HOME, NOURA, Service, TestApp};

/// A run over one document that began while the keyring was locked, and has ended.
async fn run_while_locked(app: &TestApp, binding: &WindowBinding) -> BulkRun {
    let rows = create_drafts(app, binding, 1).await;
    app.vault.fail_call("drafts", 0, VaultError::Locked);
    let started = issue(app, binding, DocumentSelection::Rows { rows }).await;
    assert!(!started.durable, "the keyring was not asked");
    wait_for(app, binding, BulkState::Finished).await
}

/// How many files a folder and its folders have.
fn files_below(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).expect("listed").flatten();
    entries
        .map(|entry| match entry.path() {
            path if path.is_dir() => files_below(&path),
            _ => 1,
        })
        .sum()
}

#[tokio::test]
async fn nothing_of_a_run_without_the_keyring_stays_after_a_restart() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    run_while_locked(&app, &binding).await;
    let folder = app.folder.path().join("data/bulk-runs");
    assert_ne!(files_below(&folder), 0);
    let again = app.restart();
    let binding = again.binding().await;
    let runs = again.desktop.bulk_runs(&again.window, binding).await;
    assert_eq!(runs, Ok(Vec::new()));
    assert_eq!(files_below(&folder), 0);
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
