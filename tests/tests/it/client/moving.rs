//! A draft that is moved to another organization: nothing typed is lost, and no window changes its organization by itself.

use invoicing_client::views::{
    CommandError, DocumentKey, InvoiceContent, InvoiceKind, MoveProblem, WindowBinding,
};
use invoicing_client::{FileFault, FileFaults, WindowKey};

use super::attachments::{PDF, add, draft_with_files, list, names};
use super::windows::{FOREIGN, OTHER, open_window};
use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp, content, files_below};

const CREATE: &str = "/invoices/create";

pub(super) async fn move_draft(
    app: &TestApp,
    binding: &WindowBinding,
    key: &DocumentKey,
    organization: &str,
) -> Result<DocumentKey, CommandError> {
    app.desktop
        .move_draft(
            &app.window,
            binding.clone(),
            key.clone(),
            organization.into(),
        )
        .await
}

pub(super) fn refused<T>(problem: MoveProblem) -> Result<T, CommandError> {
    Err(CommandError::DraftNotMoved { problem })
}

pub(super) async fn keys(
    app: &TestApp,
    window: &WindowKey,
    binding: &WindowBinding,
) -> Vec<DocumentKey> {
    let drafts = app.desktop.drafts(window, binding.clone()).await;
    let drafts = drafts.expect("a list").into_iter();
    drafts.map(|draft| draft.key).collect()
}

/// What a window has of a draft: its content, and the names of the files that wait with it.
async fn opened(
    app: &TestApp,
    window: &WindowKey,
    binding: &WindowBinding,
    key: &DocumentKey,
) -> (InvoiceContent, Vec<String>) {
    let (desktop, key) = (&app.desktop, key.clone());
    let draft = desktop.open_draft(window, binding.clone(), key.clone());
    let draft = draft.await.expect("it is readable");
    let files = desktop.list_attachments(window, binding.clone(), key);
    let files = files.await.expect("a list").attachments.into_iter();
    (draft.content, files.map(|file| file.file_name).collect())
}

async fn discard_all(app: &TestApp, window: &WindowKey, binding: &WindowBinding) {
    for key in keys(app, window, binding).await {
        let discarded = app.desktop.discard_draft(window, binding.clone(), key);
        discarded.await.expect("discarded");
    }
}

#[tokio::test]
async fn moved_draft_is_elsewhere_with_its_files_and_the_window_stays_where_it_was() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, there) = open_window(&app, OTHER).await;
    let draft = draft_with_files(&app, &binding, &["offer.pdf"]).await;
    let told = async || {
        let snapshot = app.desktop.watch(&second, 0).await;
        snapshot.expect("it answers").changed_data.drafts
    };
    let before = told().await;
    let key = move_draft(&app, &binding, &draft.key, OTHER).await;
    let key = key.expect("moved");
    assert_ne!(key, draft.key, "each draft makes a document of its own");
    assert_eq!(app.binding().await, binding, "no binding has changed");
    assert!(told().await > before, "the other window reads its drafts");

    assert!(keys(&app, &app.window, &binding).await.is_empty());
    let moved = opened(&app, &second, &there, &key).await;
    assert_eq!(moved, (draft.content, vec!["offer.pdf".to_owned()]));
    assert_eq!(names(&list(&app, &binding, &draft.key).await), []);
    let again = app.desktop.open_draft(&app.window, binding, draft.key);
    assert_eq!(again.await, Err(CommandError::DraftNotFound));
}

#[tokio::test]
async fn only_an_invoice_goes_and_only_to_another_organization_of_the_account() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let organization = FOREIGN.into();
    assert_eq!(
        move_draft(&app, &binding, &draft.key, FOREIGN).await,
        Err(CommandError::OrganizationNotGranted { organization })
    );
    let same = move_draft(&app, &binding, &draft.key, HOME).await;
    assert!(
        matches!(same, Err(CommandError::InvalidCall { .. })),
        "{same:?}"
    );
    let (second, other) = open_window(&app, OTHER).await;
    assert_eq!(
        move_draft(&app, &other, &draft.key, OTHER).await,
        Err(CommandError::StaleBinding),
        "the binding of another window"
    );
    let note = InvoiceContent {
        kind: InvoiceKind::CreditNote,
        ..content()
    };
    let note = app
        .desktop
        .new_draft(&app.window, binding.clone(), Some(note));
    let note = note.await.expect("a draft").key;
    let moved = move_draft(&app, &binding, &note, OTHER).await;
    assert!(
        matches!(moved, Err(CommandError::InvalidCall { .. })),
        "{moved:?}"
    );
    assert_eq!(keys(&app, &app.window, &binding).await.len(), 2);
    assert!(keys(&app, &second, &other).await.is_empty());
}

#[tokio::test]
async fn draft_that_another_window_edits_is_not_moved() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, same) = open_window(&app, HOME).await;
    let draft = app.new_draft(&binding).await;
    let key = draft.key.clone();
    let moved = app
        .desktop
        .move_draft(&second, same, key.clone(), OTHER.into());
    assert_eq!(
        moved.await,
        Err(CommandError::DraftInOtherWindow { key: key.clone() })
    );
    assert_eq!(keys(&app, &app.window, &binding).await, [key]);
}

#[tokio::test]
async fn draft_that_the_service_may_have_is_not_moved() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let key = draft.key.clone();
    service.gateway.fault(CREATE, Fault::DelayRequest);
    let moving = async {
        service.gateway.held_after(0).await;
        let moved = move_draft(&app, &binding, &key, OTHER).await;
        assert_eq!(moved, refused(MoveProblem::Sent), "it is being sent");
        service.gateway.clear_faults();
    };
    let (created, ()) = tokio::join!(app.send_draft(&binding, draft), moving);
    created.expect("created");
    assert_eq!(
        move_draft(&app, &binding, &key, OTHER).await,
        Err(CommandError::DraftNotFound)
    );
}

#[tokio::test]
async fn draft_and_its_file_survive_every_fault_of_the_disk_while_they_are_moved() {
    let service = Service::start().await;
    let (app, here) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let (second, there) = open_window(&app, OTHER).await;
    let mut runs = 0;
    for fault in [FileFault::IoOnce, FileFault::IoFromThen] {
        for number in 0.. {
            let context = format!("{fault:?} at operation {number}");
            let draft = draft_with_files(&app, &here, &["offer.pdf"]).await;
            let faults = FileFaults::new(app.folder.path().join("data"));
            faults.set(number, fault);
            let moved = move_draft(&app, &here, &draft.key, OTHER).await;
            let is_reached = faults.operations().len() > number;
            drop(faults);
            let whole = (draft.content, vec!["offer.pdf".to_owned()]);
            let copies = keys(&app, &second, &there).await;
            if let Ok(key) = moved {
                let left = keys(&app, &app.window, &here).await;
                assert!(left.is_empty(), "{context}: {left:?}");
                assert_eq!(
                    opened(&app, &second, &there, &key).await,
                    whole,
                    "{context}"
                );
            } else {
                let still = opened(&app, &app.window, &here, &draft.key).await;
                assert_eq!(still, whole, "{context}");
                let is_left = fault == FileFault::IoFromThen;
                assert!(copies.is_empty() || is_left, "{context}: the copy is left");
            }
            discard_all(&app, &app.window, &here).await;
            discard_all(&app, &second, &there).await;
            if !is_reached {
                break;
            }
            runs += 1;
        }
    }
    assert!(runs > 30, "{runs}");
}

#[tokio::test]
async fn file_that_cannot_be_read_keeps_its_draft_where_it_is() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let added = add(&app, &binding, &draft.key, "offer.pdf", PDF).await;
    let id = added.expect("kept").attachments[0].id.clone();
    let folder = app.folder.path().join("data/waiting-attachments");
    let file = files_below(&folder)
        .into_iter()
        .find(|path| path.to_string_lossy().ends_with(&id))
        .expect("its file");
    std::fs::write(&file, "cut short").expect("written");
    let moved = move_draft(&app, &binding, &draft.key, OTHER).await;
    assert_eq!(moved, refused(MoveProblem::File));
    assert_eq!(keys(&app, &app.window, &binding).await, [draft.key]);
    assert!(file.exists());
    let other = app.switch_organization(OTHER).await;
    let copies = keys(&app, &app.window, &other).await;
    assert!(copies.is_empty(), "a copy is left");
}
