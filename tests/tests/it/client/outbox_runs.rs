//! The runs of the outbox: one waits for each organization, however many drafts have failed, and none of these keeps the others from
//! being sent.

use std::time::Duration;

use invoicing_client::vault::VaultError;
use invoicing_client::views::{
    CommandError, DraftState, InvoiceContent, InvoiceView, PendingRetry, SessionView, VaultProblem,
    WindowBinding,
};

use super::outbox::{outbox_retry, save_offline};
use crate::fixtures::{Fault, HOME, Lasting, NOURA, Service, TestApp, content, new_key, read_of};

/// Changes a document while the service is not reached, so that the change waits in the outbox.
async fn change_offline(
    app: &TestApp,
    service: &Service,
    binding: &WindowBinding,
    document: &InvoiceView,
) {
    let read = read_of(&document.row.key);
    service.gateway.fault(&read, Fault::DropRequest);
    let changed = InvoiceContent {
        note: "changed".to_owned(),
        ..content()
    };
    let answer = app.update_invoice(binding, document, changed).await;
    assert!(
        matches!(answer, Err(CommandError::Offline { .. })),
        "{answer:?}"
    );
}

/// The one run that waits, after earlier ones, with its delay.
async fn next_run(app: &TestApp, earlier: &[u32]) -> (PendingRetry, Duration) {
    app.wait_until(|snapshot| {
        let mut runs = snapshot.pending_retries.iter();
        runs.len() == 1 && runs.all(|run| !earlier.contains(&run.id))
    })
    .await;
    outbox_retry(app, 1).await
}

#[tokio::test]
async fn drafts_that_fail_one_after_the_other_wait_for_one_run() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let mut documents = Vec::new();
    for _ in 0..2 {
        let created = app.create_invoice(&binding, new_key(), content()).await;
        documents.push(created.expect("created"));
    }
    let mut waiting = Vec::new();
    for document in &documents {
        change_offline(&app, &service, &binding, document).await;
        let (run, _) = next_run(&app, &waiting).await;
        waiting.push(run.id);
    }
    assert_eq!(
        app.draft_states(&binding).await,
        [DraftState::Waiting, DraftState::Waiting]
    );
    let (_, left) = outbox_retry(&app, 1).await;
    app.clock.advance(left);
    app.wait_until(|snapshot| snapshot.deliveries == 2 && snapshot.pending_retries.is_empty())
        .await;
    assert_eq!(app.draft_states(&binding).await, []);
}

#[tokio::test]
async fn draft_whose_outcome_cannot_be_checked_keeps_no_other_from_being_sent() {
    for unreadable in [
        Fault::status(500, 13, "INTERNAL"),
        Fault::status(400, 3, "X"),
    ] {
        let service = Service::start().await;
        let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
        let created = app.create_invoice(&binding, new_key(), content()).await;
        let created = created.expect("created");
        let draft = app.new_draft(&binding).await;
        let read = read_of(&draft.key);
        service
            .gateway
            .fault("/invoices/create", Fault::DropResponse);
        service.gateway.fault(&read, Fault::DropRequest);
        let answer = app.send_draft(&binding, draft).await;
        assert!(
            matches!(answer, Err(CommandError::UnknownOutcome { .. })),
            "{answer:?}"
        );
        let (first, _) = next_run(&app, &[]).await;
        service
            .gateway
            .plan(&read, unreadable, Lasting::UntilCleared);
        change_offline(&app, &service, &binding, &created).await;
        let (_, left) = next_run(&app, &[first.id]).await;
        app.clock.advance(left);
        app.wait_until(|snapshot| snapshot.deliveries == 1).await;
        assert_eq!(
            app.draft_states(&binding).await,
            [DraftState::UnknownOutcome]
        );
    }
}

#[tokio::test]
async fn queued_draft_that_could_not_be_read_is_sent_when_the_keyring_is_unlocked() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    save_offline(&app, &service, &binding, content()).await;
    service.identity.restart().await;
    service.gateway.restart().await;
    // The keyring gives the token of the session, and not the key of drafts.
    app.vault.fail_call("drafts", 0, VaultError::Locked);
    let again = app.restart();
    again
        .wait_until(|snapshot| {
            let SessionView::SignedIn { vault, .. } = &snapshot.session else {
                return false;
            };
            *vault == Some(VaultProblem::Locked)
        })
        .await;
    again
        .desktop
        .unlock_vault(&again.window)
        .await
        .expect("unlocked");
    again.wait_until(|snapshot| snapshot.deliveries == 1).await;
    let binding = again.binding().await;
    assert_eq!(again.draft_states(&binding).await, []);
}
