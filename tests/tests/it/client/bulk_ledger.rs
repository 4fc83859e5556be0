//! The ledgers of bulk runs on the disk: what a crash leaves of one that was being deleted, files that are no ledgers, and ledgers that
//! nobody can open.

use std::path::{Path, PathBuf};

use invoicing_client::views::{AccountData, BulkState, CommandError, DocumentSelection};
use invoicing_client::{FileFault, FileFaults};

use super::bulk::{create_drafts, issue, run, wait_for};
use super::bulk_without_keyring::assert_no_run_after_a_restart;
use crate::fixtures::{HOME, NOURA, Service, TestApp, files_below};

/// The folder of the only owner.
fn owner_folder(folder: &Path) -> PathBuf {
    let mut owners = std::fs::read_dir(folder).expect("a folder");
    owners.next().expect("one").expect("an entry").path()
}

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
    assert_no_run_after_a_restart(&app).await;
}

#[tokio::test]
async fn files_and_folders_that_are_no_runs_are_left_alone() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let rows = create_drafts(&app, &binding, 1).await;
    issue(&app, &binding, DocumentSelection::Rows { rows }).await;
    let before = wait_for(&app, &binding, BulkState::Finished).await;
    let owner = owner_folder(&app.folder.path().join("data/bulk-runs"));
    let file = owner.join(".DS_Store");
    std::fs::write(&file, "of a file manager").expect("written");
    let folder = owner.join("copies");
    std::fs::create_dir(&folder).expect("created");
    std::fs::write(folder.join("run.txt"), "of a person").expect("written");

    let again = app.restart();
    let binding = again.binding().await;
    assert_eq!(run(&again, &binding).await.id, before.id);
    assert!(file.exists() && folder.join("run.txt").exists());
}

#[tokio::test]
async fn runs_of_an_organization_whose_role_was_lost_are_deleted_with_their_account() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let rows = create_drafts(&app, &binding, 1).await;
    issue(&app, &binding, DocumentSelection::Rows { rows }).await;
    wait_for(&app, &binding, BulkState::Finished).await;
    let root = app.folder.path().join("data/bulk-runs");
    // No organization of the account has a folder with this name.
    std::fs::rename(owner_folder(&root), root.join("lost")).expect("renamed");
    let of_other = root.join("of-another-account");
    std::fs::create_dir(&of_other).expect("created");
    std::fs::write(of_other.join("account"), "another").expect("written");

    let accounts = app.desktop.accounts(&app.window).await.expect("a list");
    let (id, data) = (accounts[0].id.clone(), AccountData::default());
    let purged = app.desktop.purge_account(&app.window, id, data).await;
    assert_eq!(purged, Ok(true));
    assert_eq!(owner_folder(&root), of_other);
    assert_eq!(files_below(&root).len(), 1);
}
