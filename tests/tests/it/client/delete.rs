//! Deleting documents that have no number, and drafts into which nothing was typed.

use invoicing_client::views::{CommandError, InvoiceView, WindowBinding};

use crate::client::attachments::{PDF, add};
use crate::client::foreign_answers::foreign_success;
use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp};

struct Saved {
    service: Service,
    app: TestApp,
    binding: WindowBinding,
    read: InvoiceView,
}

async fn saved() -> Saved {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let read = app.send_draft(&binding, draft).await.expect("created");
    Saved {
        service,
        app,
        binding,
        read,
    }
}

impl Saved {
    async fn delete(&self) -> Result<(), CommandError> {
        let (key, stamp) = (self.read.row.key.clone(), self.read.row.stamp.clone());
        self.app
            .desktop
            .delete_document(&self.app.window, self.binding.clone(), key, stamp)
            .await
    }

    async fn get(&self) -> Result<InvoiceView, CommandError> {
        let key = self.read.row.key.clone();
        self.app
            .desktop
            .get_invoice(&self.app.window, self.binding.clone(), key)
            .await
    }
}

#[tokio::test]
async fn document_without_a_number_is_deleted_also_without_a_connection_afterwards() {
    let saved = saved().await;
    saved.get().await.expect("it is kept for reading offline");
    saved.delete().await.expect("deleted");
    let gone = saved.get().await;
    assert!(
        matches!(gone, Err(CommandError::NotFound { .. })),
        "{gone:?}"
    );
    let again = saved.delete().await;
    assert!(
        matches!(again, Err(CommandError::NotFound { .. })),
        "{again:?}"
    );
    let key = saved.read.row.key.as_str();
    saved.service.gateway.fault(key, Fault::DropRequest);
    let offline = saved.get().await;
    assert!(offline.is_err(), "what was deleted is shown: {offline:?}");
}

#[tokio::test]
async fn deletion_with_a_lost_response_is_done() {
    let saved = saved().await;
    let key = saved.read.row.key.as_str();
    saved.service.gateway.fault(key, Fault::DropResponse);
    saved.delete().await.expect("it had arrived");
    let gone = saved.get().await;
    assert!(
        matches!(gone, Err(CommandError::NotFound { .. })),
        "{gone:?}"
    );
}

#[tokio::test]
async fn deletion_that_another_server_has_answered_is_not_done() {
    let saved = saved().await;
    let key = saved.read.row.key.as_str();
    saved.service.gateway.fault(key, foreign_success("{}"));
    let answer = saved.delete().await;
    assert!(
        matches!(answer, Err(CommandError::UnknownOutcome { .. })),
        "{answer:?}"
    );
    saved.get().await.expect("it is there");
    saved.delete().await.expect("deleted");
}

#[tokio::test]
async fn document_that_somebody_has_changed_is_not_deleted() {
    let saved = saved().await;
    let (other, there) = TestApp::start_signed_in(&saved.service, NOURA, HOME).await;
    let mut theirs = saved.read.content.clone();
    theirs.note = "theirs".to_owned();
    other
        .update_invoice(&there, &saved.read, theirs)
        .await
        .expect("the other update is first");
    let refused = saved.delete().await;
    let Err(CommandError::Aborted {
        current: Some(current),
        ..
    }) = refused
    else {
        panic!("{refused:?}")
    };
    assert_eq!(current.content.note, "theirs");
    saved.get().await.expect("it is there");
}

#[tokio::test]
async fn issued_document_is_not_deleted() {
    let saved = saved().await;
    let (key, stamp) = (saved.read.row.key.clone(), saved.read.row.stamp.clone());
    let issued =
        saved
            .app
            .desktop
            .issue_document(&saved.app.window, saved.binding.clone(), key, stamp);
    let issued = issued.await.expect("issued");
    let saved = Saved {
        read: issued,
        ..saved
    };
    let refused = saved.delete().await;
    assert!(
        matches!(
            refused,
            Err(CommandError::FailedPrecondition {
                current: Some(_),
                ..
            })
        ),
        "{refused:?}"
    );
}

#[tokio::test]
async fn blank_draft_is_discarded_unless_a_file_waits_for_it() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let discard = |key| {
        app.desktop
            .discard_blank_draft(&app.window, binding.clone(), key)
    };
    let with_file = app.new_draft(&binding).await.key;
    let added = add(&app, &binding, &with_file, "offer.pdf", PDF).await;
    added.expect("it waits");
    assert!(!discard(with_file).await.expect("an answer"));
    assert_eq!(app.draft_states(&binding).await.len(), 1);
    let without = app.new_draft(&binding).await.key;
    assert!(discard(without).await.expect("an answer"));
    assert_eq!(app.draft_states(&binding).await.len(), 1);
}
