//! Changing documents: concurrent updates, and lost responses of update, issue and freeze.

use std::sync::Arc;

use invoicing_client::views::{
    CommandError, DraftState, InvoiceContent, InvoiceStatus, InvoiceView, WindowBinding,
};

use crate::fixtures::{Fault, HOME, Lasting, NOURA, Service, TestApp, read_of};

/// An invoice that one user has opened and another has updated since.
struct ConcurrentUpdate {
    app: TestApp,
    _service: Service,
    binding: WindowBinding,
    read: InvoiceView,
}

async fn concurrent_update(change: impl FnOnce(&mut InvoiceContent)) -> ConcurrentUpdate {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let read = app.send_draft(&binding, draft).await.expect("created");
    let (other, there) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let mut theirs = read.content.clone();
    change(&mut theirs);
    other
        .update_invoice(&there, &read, theirs)
        .await
        .expect("the other update is first");
    ConcurrentUpdate {
        app,
        _service: service,
        binding,
        read,
    }
}

#[tokio::test]
async fn concurrent_updates_of_different_fields_are_merged() {
    let ConcurrentUpdate {
        app,
        binding,
        read,
        _service,
    } = concurrent_update(|theirs| theirs.note = "theirs".to_owned()).await;
    let mut mine = read.content.clone();
    mine.lines[0].quantity = "2".to_owned();
    let saved = app
        .update_invoice(&binding, &read, mine)
        .await
        .expect("merged");
    assert_eq!(
        (
            saved.content.note.as_str(),
            saved.content.lines[0].quantity.as_str()
        ),
        ("theirs", "2")
    );
    let merged = saved.merged.expect("the merge is reported");
    assert_ne!(merged.before, merged.theirs, "the other user's change");
    assert_ne!(merged.theirs, saved.content, "this user's change");
}

#[tokio::test]
async fn concurrent_updates_of_one_field_fail_with_the_current_document() {
    let ConcurrentUpdate {
        app,
        binding,
        read,
        _service,
    } = concurrent_update(|theirs| theirs.note = "theirs".to_owned()).await;
    let mut mine = read.content.clone();
    mine.note = "mine".to_owned();
    let answer = app.update_invoice(&binding, &read, mine).await;
    let Err(CommandError::Aborted { current, support }) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(
        (
            current.expect("read again").content.note.as_str(),
            support.code
        ),
        ("theirs", Some(10))
    );
    let stored = app
        .desktop
        .get_invoice(&app.window, binding.clone(), read.row.key)
        .await
        .expect("it is there");
    assert_eq!(stored.content.note, "theirs");
    let drafts = app
        .desktop
        .drafts(&app.window, binding)
        .await
        .expect("a list");
    assert_eq!(drafts.len(), 1, "the draft is missing");
}

#[tokio::test]
async fn issue_of_a_document_changed_by_another_user_is_aborted() {
    let ConcurrentUpdate {
        app,
        binding,
        read,
        _service,
    } = concurrent_update(|theirs| theirs.note = "theirs".to_owned()).await;
    let answer = app
        .desktop
        .issue_document(&app.window, binding, read.row.key, read.row.stamp)
        .await;
    assert!(
        matches!(
            answer,
            Err(CommandError::Aborted {
                current: Some(_),
                ..
            })
        ),
        "{answer:?}"
    );
}

#[tokio::test]
async fn issue_and_freeze_with_lost_responses_succeed() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let created = app
        .send_draft(&binding, draft.clone())
        .await
        .expect("created");
    service.gateway.fault(":issue", Fault::DropResponse);
    let issued = app
        .desktop
        .issue_document(
            &app.window,
            binding.clone(),
            draft.key.clone(),
            created.row.stamp,
        )
        .await
        .expect("it had arrived");
    assert_eq!(issued.row.status, InvoiceStatus::Issued);
    service
        .gateway
        .fault("/invoices/freeze", Fault::DropRequest);
    let frozen = app
        .desktop
        .freeze_document(&app.window, binding, draft.key, issued.row.stamp)
        .await
        .expect("the second request arrived");
    assert_eq!(frozen.row.status, InvoiceStatus::Frozen);
}

#[tokio::test]
async fn update_keeps_fields_outside_the_form() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    let created = app
        .send_draft(&binding, draft.clone())
        .await
        .expect("created");
    let mut changed = created.content.clone();
    changed.note = "n".to_owned();
    service
        .gateway
        .fault(draft.key.as_str(), Fault::DropResponse);
    let answer = app
        .update_invoice(&binding, &created, changed.clone())
        .await;
    assert!(
        matches!(answer, Err(CommandError::Offline { .. })),
        "reading it first failed, so nothing was sent: {answer:?}"
    );
    let saved = app
        .update_invoice(&binding, &created, changed)
        .await
        .expect("saved");
    assert_eq!(saved.content.note, "n");
}

/// A change whose outcome is unknown: `fault` is what happens to it, and its document cannot be read after it.
struct UnknownChange {
    app: TestApp,
    service: Arc<Service>,
    binding: WindowBinding,
    read: InvoiceView,
    changed: InvoiceContent,
}

impl UnknownChange {
    async fn after(fault: Fault) -> Self {
        let service = Arc::new(Service::start().await);
        let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
        let draft = app.new_draft(&binding).await;
        let read = app.send_draft(&binding, draft).await.expect("created");
        let mut changed = read.content.clone();
        changed.note = "n".to_owned();
        let key = read.row.key.clone();
        service
            .gateway
            .fault(&format!("PATCH /api/v2/documents/{key}"), fault);
        // The document is read before the change is sent, too.
        let proxied = Arc::clone(&service);
        service.gateway.observe(Some(Arc::new(move |request| {
            if request.method == "PATCH" {
                let lasting = Lasting::UntilCleared;
                proxied
                    .gateway
                    .plan(&read_of(&key), Fault::DropRequest, lasting);
            }
        })));
        let answer = app.update_invoice(&binding, &read, changed.clone()).await;
        assert!(
            matches!(answer, Err(CommandError::UnknownOutcome { .. })),
            "{answer:?}"
        );
        assert_eq!(
            app.draft_states(&binding).await,
            [DraftState::UnknownOutcome]
        );
        service.gateway.observe(None);
        service.gateway.clear_faults();
        Self {
            app,
            service,
            binding,
            read,
            changed,
        }
    }

    async fn check(&self) -> Option<InvoiceView> {
        let key = self.read.row.key.clone();
        let check = self
            .app
            .desktop
            .check_outcome(&self.app.window, self.binding.clone(), key);
        check.await.expect("checked")
    }
}

#[tokio::test]
async fn check_of_a_change_that_has_not_arrived_keeps_its_draft() {
    let unknown = UnknownChange::after(Fault::DropRequest).await;
    assert_eq!(
        unknown.check().await,
        None,
        "the document is the one that was to be changed"
    );
    let UnknownChange {
        app,
        binding,
        read,
        changed,
        service: _service,
    } = unknown;
    assert_eq!(app.draft_states(&binding).await, [DraftState::Editing]);
    let saved = app.update_invoice(&binding, &read, changed).await;
    assert_eq!(saved.expect("saved").content.note, "n");
}

#[tokio::test]
async fn check_of_a_change_that_has_arrived_finds_it() {
    let unknown = UnknownChange::after(Fault::DropResponse).await;
    let found = unknown.check().await.expect("it has arrived");
    assert_eq!(found.content.note, "n");
    let states = unknown.app.draft_states(&unknown.binding).await;
    assert_eq!(states, [], "it is still a draft");
}
