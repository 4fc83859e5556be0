//! Files that wait for a document: what a window could not send, the outbox sends, and what is discarded does not stay at the service.

use std::path::PathBuf;
use std::time::Duration;

use invoicing_client::views::{CommandError, DocumentKey, FileWithoutDocument, WindowBinding};
use invoicing_client::{FileFault, FileFaults};

use super::attachments::{ADD, PDF, add, draft_with_files, list, names};
use super::outbox::outbox_retry;
use crate::fixtures::{Fault, HOME, Lasting, NOURA, Service, TestApp};

/// The file of a draft.
fn file_of(app: &TestApp, key: &DocumentKey) -> PathBuf {
    let owners = std::fs::read_dir(app.folder.path().join("data/drafts")).expect("a folder");
    let mut files = owners.map(|owner| {
        let folder = owner.expect("an entry").path();
        folder.join(format!("{key}.draft"))
    });
    files.find(|file| file.exists()).expect("its file")
}

async fn files_without_document(
    app: &TestApp,
    binding: &WindowBinding,
) -> Vec<FileWithoutDocument> {
    let list = app
        .desktop
        .list_files_without_document(&app.window, binding.clone());
    list.await.expect("a list")
}

#[tokio::test]
async fn file_that_a_window_could_not_send_is_sent_by_the_outbox() {
    for is_of_new_document in [true, false] {
        let service = Service::start().await;
        let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
        let draft = app.new_draft(&binding).await;
        let key = draft.key.clone();
        let (page, lasting) = (Fault::page(502), Lasting::UntilCleared);
        service.gateway.plan(ADD, page, lasting);
        if is_of_new_document {
            let kept = add(&app, &binding, &key, "offer.pdf", PDF).await;
            kept.expect("kept");
            app.send_draft(&binding, draft).await.expect("created");
        } else {
            app.send_draft(&binding, draft).await.expect("created");
            let kept = add(&app, &binding, &key, "offer.pdf", PDF).await;
            kept.expect("kept");
        }
        let waiting = list(&app, &binding, &key).await;
        assert_eq!(names(&waiting), [("offer.pdf", true)]);
        service.gateway.clear_faults();
        let (_, left) = outbox_retry(&app, 1).await;
        app.clock.advance(left);
        app.wait_until(|snapshot| snapshot.deliveries == 1).await;
        let sent = list(&app, &binding, &key).await;
        assert_eq!(names(&sent), [("offer.pdf", false)]);
    }
}

#[tokio::test]
async fn draft_that_cannot_be_read_keeps_no_file_of_another_document_from_being_sent() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let unreadable = draft_with_files(&app, &binding, &["first.pdf"]).await.key;
    // The documents are taken up in the order of their keys, which begin with a time.
    app.clock.advance(Duration::from_millis(1));
    let draft = app.new_draft(&binding).await;
    let key = draft.key.clone();
    app.send_draft(&binding, draft).await.expect("created");
    let (page, lasting) = (Fault::page(502), Lasting::UntilCleared);
    service.gateway.plan(ADD, page, lasting);
    let kept = add(&app, &binding, &key, "offer.pdf", PDF).await;
    kept.expect("kept");
    service.gateway.clear_faults();
    let faults = FileFaults::new(file_of(&app, &unreadable));
    faults.set(0, FileFault::IoFromThen);
    let (_, left) = outbox_retry(&app, 1).await;
    app.clock.advance(left);
    app.wait_until(|snapshot| snapshot.deliveries == 1).await;
    let sent = list(&app, &binding, &key).await;
    assert_eq!(names(&sent), [("offer.pdf", false)]);
}

#[tokio::test]
async fn draft_is_not_discarded_while_its_file_is_uploaded_and_a_removed_file_does_not_stay() {
    // The upload arrives afterwards, or is lost and would be repeated.
    for fault in [Fault::DelayRequest, Fault::HoldRequest] {
        let service = Service::start().await;
        let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
        let draft = draft_with_files(&app, &binding, &["offer.pdf"]).await;
        let key = draft.key.clone();
        service.gateway.fault(ADD, fault);
        let discarding = async {
            service.gateway.held_after(0).await;
            let desktop = &app.desktop;
            let discarded = desktop.discard_draft(&app.window, binding.clone(), key.clone());
            let discarded = discarded.await;
            assert!(
                matches!(discarded, Err(CommandError::UnknownOutcome { .. })),
                "the service has its document: {discarded:?}"
            );
            let id = list(&app, &binding, &key).await.attachments[0].id.clone();
            let removed = desktop.remove_attachment(&app.window, binding.clone(), key.clone(), id);
            removed.await.expect("it does not wait for the upload");
            service.gateway.clear_faults();
        };
        let sending = app.run_through_retries(app.send_draft(&binding, draft));
        let ((created, _), ()) = tokio::join!(sending, discarding);
        created.expect("created");
        assert_eq!(names(&list(&app, &binding, &key).await), []);
        assert_eq!(app.draft_states(&binding).await, []);
    }
}

#[tokio::test]
async fn file_whose_document_was_deleted_elsewhere_is_listed_saved_and_removed() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = draft_with_files(&app, &binding, &["offer.pdf"]).await;
    let key = draft.key.clone();
    service.gateway.fault(ADD, Fault::status(400, 3, "X"));
    let created = app.send_draft(&binding, draft).await.expect("created");
    assert_eq!(files_without_document(&app, &binding).await, []);
    let (other, there) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let stamp = created.row.stamp;
    let deleted = other
        .desktop
        .delete_document(&other.window, there, key.clone(), stamp);
    deleted.await.expect("deleted");

    let sending = app
        .desktop
        .send_attachments(&app.window, binding.clone(), key.clone());
    let waiting = sending.await.expect("a list");
    assert_eq!(names(&waiting), [("offer.pdf", true)]);
    assert!(!waiting.editable);
    let files = files_without_document(&app, &binding).await;
    let [file] = &files[..] else {
        panic!("{files:?}");
    };
    assert_eq!(file.document, key);
    assert_eq!(file.file.file_name, "offer.pdf");
    let id = file.file.id.clone();

    let target = app.folder.path().join("saved.pdf");
    app.host.choose_next_file(target.clone());
    let saved = app
        .desktop
        .save_attachment(&app.window, binding.clone(), key.clone(), id.clone());
    assert_eq!(saved.await, Ok(Some("saved.pdf".to_owned())));
    assert_eq!(std::fs::read(target).expect("written"), PDF);

    let removing = app
        .desktop
        .remove_attachment(&app.window, binding.clone(), key, id);
    assert_eq!(names(&removing.await.expect("removed")), []);
    assert_eq!(files_without_document(&app, &binding).await, []);
}
