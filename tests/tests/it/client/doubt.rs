//! A draft whose answer was lost: the service is asked before it is sent again, discarded or moved, so that no document stays there of
//! which nobody knows (decision 0187).

use invoicing_client::views::{
    CommandError, DocumentKey, DraftState, InvoiceView, MoveProblem, WindowBinding,
};

use super::moving::{keys, move_draft, refused};
use super::outbox::{outbox_retry, reconnect, save_offline};
use super::windows::OTHER;
use crate::fixtures::{Fault, HOME, Lasting, NOURA, Service, TestApp, content, read_of};

const CREATE: &str = "/invoices/create";

/// Sends a draft that meets `fault`. Its document cannot be read until the faults are cleared.
async fn draft_in_doubt(
    app: &TestApp,
    service: &Service,
    binding: &WindowBinding,
    fault: Fault,
) -> DocumentKey {
    let draft = app.new_draft(binding).await;
    let key = draft.key.clone();
    service.gateway.fault(CREATE, fault);
    let (unread, lasting) = (Fault::DropRequest, Lasting::UntilCleared);
    service.gateway.plan(&read_of(&key), unread, lasting);
    let sent = app.send_draft(binding, draft).await;
    assert!(
        matches!(sent, Err(CommandError::UnknownOutcome { .. })),
        "{sent:?}"
    );
    key
}

/// Sends a draft from the outbox, and loses the answer. Its document cannot be read until the faults are cleared.
async fn queued_in_doubt(app: &TestApp, service: &Service, binding: &WindowBinding) -> DocumentKey {
    let key = save_offline(app, service, binding, content()).await;
    service.gateway.fault(CREATE, Fault::DropResponse);
    let (unread, lasting) = (Fault::DropRequest, Lasting::UntilCleared);
    service.gateway.plan(&read_of(&key), unread, lasting);
    reconnect(app, service).await;
    outbox_retry(app, 1).await;
    key
}

async fn discard(
    app: &TestApp,
    binding: &WindowBinding,
    key: &DocumentKey,
) -> Result<(), CommandError> {
    app.desktop
        .discard_draft(&app.window, binding.clone(), key.clone())
        .await
}

async fn read(
    app: &TestApp,
    binding: &WindowBinding,
    key: &DocumentKey,
) -> Result<InvoiceView, CommandError> {
    app.desktop
        .get_invoice(&app.window, binding.clone(), key.clone())
        .await
}

#[tokio::test]
async fn doubt_of_the_outbox_survives_a_restart_and_opening_until_discarding_finds_the_document() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = queued_in_doubt(&app, &service, &binding).await;
    let states = app.draft_states(&binding).await;
    assert_eq!(states, [DraftState::WaitingInDoubt]);

    let app = app.restart();
    let binding = app.binding().await;
    outbox_retry(&app, 1).await;
    let opened = app
        .desktop
        .open_draft(&app.window, binding.clone(), key.clone());
    let opened = opened.await.expect("it is there");
    assert_eq!(opened.state, DraftState::UnknownOutcome);
    match discard(&app, &binding, &key).await {
        Err(CommandError::UnknownOutcome { key: of, support }) => {
            assert_eq!(of, Some(key.clone()));
            assert_eq!(support.operation, "discard_draft");
        }
        other => panic!("{other:?}"),
    }
    let states = app.draft_states(&binding).await;
    assert_eq!(states, [DraftState::UnknownOutcome], "nothing is deleted");

    service.gateway.clear_faults();
    let discarded = discard(&app, &binding, &key).await;
    let Err(CommandError::AlreadyExists {
        current: Some(found),
        ..
    }) = &discarded
    else {
        panic!("{discarded:?}");
    };
    assert_eq!(found.row.key, key);
    assert_eq!(app.draft_states(&binding).await, []);
    let stored = read(&app, &binding, &key).await.expect("it stays");
    assert_eq!(stored.row.stamp, found.row.stamp);
    let sent = service.gateway.requests(CREATE).len();
    assert_eq!(sent, 1, "it was sent again without a question");
}

#[tokio::test]
async fn queue_that_is_cancelled_forgets_no_doubt() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    queued_in_doubt(&app, &service, &binding).await;
    let (wait, _) = outbox_retry(&app, 1).await;
    let cancelled = app.desktop.cancel_retry(&app.window, wait.id).await;
    cancelled.expect("stopped");
    app.wait_until(|snapshot| snapshot.deliveries == 1).await;
    let states = app.draft_states(&binding).await;
    assert_eq!(states, [DraftState::UnknownOutcome]);
}

#[tokio::test]
async fn draft_in_doubt_that_did_not_arrive_is_discarded_and_moved() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = draft_in_doubt(&app, &service, &binding, Fault::DropRequest).await;
    service.gateway.clear_faults();
    discard(&app, &binding, &key).await.expect("discarded");
    assert_eq!(app.draft_states(&binding).await, []);
    let missing = read(&app, &binding, &key).await;
    assert!(
        matches!(missing, Err(CommandError::NotFound { .. })),
        "{missing:?}"
    );

    let key = draft_in_doubt(&app, &service, &binding, Fault::DropRequest).await;
    assert_eq!(
        move_draft(&app, &binding, &key, OTHER).await,
        refused(MoveProblem::Sent),
        "nobody can be asked"
    );
    let states = app.draft_states(&binding).await;
    assert_eq!(states, [DraftState::UnknownOutcome]);
    service.gateway.clear_faults();
    let moved = move_draft(&app, &binding, &key, OTHER).await;
    let moved = moved.expect("moved");
    assert_eq!(app.draft_states(&binding).await, []);
    let other = app.switch_organization(OTHER).await;
    assert_eq!(keys(&app, &app.window, &other).await, [moved]);
}

#[tokio::test]
async fn draft_in_doubt_that_has_arrived_is_not_moved_and_its_document_is_found() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = draft_in_doubt(&app, &service, &binding, Fault::DropResponse).await;
    service.gateway.clear_faults();
    let moved = move_draft(&app, &binding, &key, OTHER).await;
    let Err(CommandError::AlreadyExists {
        current: Some(found),
        ..
    }) = &moved
    else {
        panic!("{moved:?}");
    };
    assert_eq!(found.row.key, key);
    assert_eq!(app.draft_states(&binding).await, []);
    let other = app.switch_organization(OTHER).await;
    assert!(keys(&app, &app.window, &other).await.is_empty());
}
