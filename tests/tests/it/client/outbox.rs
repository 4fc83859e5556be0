//! The outbox: drafts saved offline are sent when there is a connection and the service accepts requests.

use std::time::Duration;

use end_to_end::driver::wait_until;
use invoicing_client::clock::Clock as _;
use invoicing_client::views::{
    CommandError, DocumentKey, DraftState, DueTerms, InvoiceContent, PendingRetry, WindowBinding,
};
use invoicing_client::{FileFault, FileFaults};

use crate::client::session::reconnect_by_check;
use crate::fixtures::{Fault, HOME, NOURA, Service, TestApp, content, read_of};

/// The limit for what follows a delivery in the background.
const PATIENCE: Duration = Duration::from_secs(30);
const CREATE: &str = "/invoices/create";

/// Creates a draft and sends it while the service is unreachable. Returns its key.
pub(super) async fn save_offline(
    app: &TestApp,
    service: &Service,
    binding: &WindowBinding,
    content: InvoiceContent,
) -> DocumentKey {
    let draft = app
        .desktop
        .new_draft(&app.window, binding.clone(), Some(content))
        .await
        .expect("a draft");
    service.identity.stop().await;
    service.gateway.stop().await;
    let saving = app
        .desktop
        .create_document(&app.window, binding.clone(), draft.key.clone());
    let (answer, _) = app.run_through_retries(saving).await;
    assert!(
        matches!(answer, Err(CommandError::Offline { .. })),
        "{answer:?}"
    );
    draft.key
}

pub(super) async fn reconnect(app: &TestApp, service: &Service) {
    service.identity.restart().await;
    service.gateway.restart().await;
    reconnect_by_check(app).await;
}

#[tokio::test]
async fn draft_saved_offline_is_sent_after_reconnecting() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = save_offline(&app, &service, &binding, content()).await;
    assert_eq!(app.draft_states(&binding).await, [DraftState::Waiting]);
    reconnect(&app, &service).await;
    app.wait_until(|snapshot| snapshot.deliveries == 1).await;
    assert_eq!(app.draft_states(&binding).await, []);
    let sent = app.desktop.get_invoice(&app.window, binding, key).await;
    assert_eq!(sent.expect("it is there").row.gross, "1255.23");
}

#[tokio::test]
async fn buyer_of_a_draft_that_was_sent_later_is_remembered() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let due_terms = Some(DueTerms {
        end_of_month: true,
        days: 0,
    });
    let mut new_buyer = InvoiceContent {
        issue_date: "2026-11-01".to_owned(),
        due_date: "2026-11-30".to_owned(),
        due_terms,
        ..content()
    };
    new_buyer.buyer.name.en = "Outbox Trading".to_owned();
    save_offline(&app, &service, &binding, new_buyer).await;
    reconnect(&app, &service).await;
    wait_until("the buyer is remembered", PATIENCE, async || {
        let found = app
            .desktop
            .search_parties(&app.window, binding.clone(), "outbox".to_owned());
        let found = found.await.expect("an answer");
        found.first().map(|party| {
            assert_eq!(party.buyer.name.en, "Outbox Trading");
            assert_eq!(party.due_terms, due_terms, "as they were typed");
        })
    })
    .await;
}

#[tokio::test]
async fn draft_saved_offline_is_sent_after_a_restart() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = save_offline(&app, &service, &binding, content()).await;
    service.identity.restart().await;
    service.gateway.restart().await;
    let again = app.restart();
    again.wait_until(|snapshot| snapshot.deliveries == 1).await;
    let binding = again.binding().await;
    again
        .desktop
        .get_invoice(&again.window, binding, key)
        .await
        .expect("it is there");
}

#[tokio::test]
async fn queued_draft_that_is_refused_stays_and_can_be_edited() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let mut wrong = content();
    wrong.buyer.name = Default::default();
    let key = save_offline(&app, &service, &binding, wrong.clone()).await;
    reconnect(&app, &service).await;
    app.wait_until(|snapshot| snapshot.deliveries == 1).await;
    assert_eq!(app.draft_states(&binding).await, [DraftState::Refused]);
    let opened = app.desktop.open_draft(&app.window, binding, key).await;
    let opened = opened.expect("it is there");
    assert_eq!((opened.content, opened.state), (wrong, DraftState::Editing));
}

#[tokio::test]
async fn queued_draft_that_is_opened_is_not_sent() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let opened = save_offline(&app, &service, &binding, content()).await;
    app.desktop
        .open_draft(&app.window, binding.clone(), opened.clone())
        .await
        .expect("it is there");
    service.identity.restart().await;
    service.gateway.restart().await;
    // A second draft is sent; the opened one is not.
    let other = save_offline(&app, &service, &binding, content()).await;
    reconnect(&app, &service).await;
    app.wait_until(|snapshot| snapshot.deliveries == 1).await;
    app.desktop
        .get_invoice(&app.window, binding.clone(), other)
        .await
        .expect("it is there");
    let drafts = app.desktop.drafts(&app.window, binding).await;
    let keys: Vec<_> = drafts
        .expect("a list")
        .into_iter()
        .map(|draft| draft.key)
        .collect();
    assert_eq!(keys, [opened]);
}

/// A 429 response with this `retry-after`.
fn rate_limited(seconds: u32) -> Fault {
    Fault::Respond {
        status: 429,
        headers: vec![("retry-after", seconds.to_string())],
        body: r#"{"code":8,"message":"","details":[]}"#.to_owned(),
    }
}

/// Waits for the pending retry of the outbox after this number of failed attempts. Returns it with its delay.
pub(super) async fn outbox_retry(app: &TestApp, failed_attempts: u32) -> (PendingRetry, Duration) {
    let fits =
        |wait: &PendingRetry| wait.command == "outbox" && wait.failed_attempts == failed_attempts;
    let snapshot = app
        .wait_until(|snapshot| snapshot.pending_retries.iter().any(fits))
        .await;
    let wait = snapshot
        .pending_retries
        .into_iter()
        .find(fits)
        .expect("it is shown");
    let until: jiff::Timestamp = wait.until.parse().expect("a time");
    let left = until.duration_since(app.clock.now()).unsigned_abs();
    (wait, left)
}

#[tokio::test]
async fn outbox_waits_as_long_as_a_busy_service_asks_for() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = save_offline(&app, &service, &binding, content()).await;
    service.gateway.fault(CREATE, rate_limited(40));
    service.gateway.fault(CREATE, Fault::status(503, 14, "X"));
    reconnect(&app, &service).await;
    let (wait, left) = outbox_retry(&app, 1).await;
    let forty = Duration::from_secs(40);
    assert!((forty..=forty * 5 / 4).contains(&left), "{left:?}");
    assert!(
        matches!(wait.error, CommandError::RateLimited { .. }) && wait.write,
        "{wait:?}"
    );
    assert_eq!(app.draft_states(&binding).await, [DraftState::Waiting]);
    let sent = service.gateway.requests(CREATE).len();
    app.clock.advance(forty - Duration::from_secs(1));
    assert_eq!(
        service.gateway.requests(CREATE).len(),
        sent,
        "it was sent before the delay ended"
    );
    app.clock.advance(left);
    // The second delay is from the retry table.
    let (_, left) = outbox_retry(&app, 2).await;
    let two = Duration::from_secs(2);
    assert!((two..=two * 5 / 4).contains(&left), "{left:?}");
    app.clock.advance(left);
    app.wait_until(|snapshot| snapshot.deliveries == 1 && snapshot.pending_retries.is_empty())
        .await;
    assert_eq!(app.draft_states(&binding).await, []);
    app.desktop
        .get_invoice(&app.window, binding, key)
        .await
        .expect("it is there");
}

#[tokio::test]
async fn outbox_accepts_a_document_that_an_earlier_attempt_created() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key = save_offline(&app, &service, &binding, content()).await;
    // The document exists already, as after an attempt whose response a proxy replaced with UNAVAILABLE.
    service.identity.restart().await;
    service.gateway.restart().await;
    let (other, there) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    other
        .create_invoice(&there, key, content())
        .await
        .expect("created");
    reconnect_by_check(&app).await;
    app.wait_until(|snapshot| snapshot.deliveries == 1).await;
    assert_eq!(app.draft_states(&binding).await, []);
}

#[tokio::test]
async fn retry_now_sends_the_queue_before_the_delay_ends() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    save_offline(&app, &service, &binding, content()).await;
    service.gateway.fault(CREATE, rate_limited(3600));
    reconnect(&app, &service).await;
    let (wait, _) = outbox_retry(&app, 1).await;
    app.desktop
        .retry_now(&app.window, wait.id)
        .await
        .expect("retried");
    app.wait_until(|snapshot| snapshot.deliveries == 1).await;
    assert_eq!(app.draft_states(&binding).await, []);
}

#[tokio::test]
async fn cancel_retry_returns_queued_drafts_to_editing() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    save_offline(&app, &service, &binding, content()).await;
    service.gateway.fault(CREATE, rate_limited(3600));
    reconnect(&app, &service).await;
    let (wait, _) = outbox_retry(&app, 1).await;
    app.desktop
        .cancel_retry(&app.window, wait.id)
        .await
        .expect("stopped");
    app.wait_until(|snapshot| snapshot.deliveries == 1).await;
    assert_eq!(app.draft_states(&binding).await, [DraftState::Editing]);
}

#[tokio::test]
async fn draft_that_was_not_sent_in_an_online_session_is_sent_after_a_delay() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let key: DocumentKey = crate::fixtures::new_key();
    let created = app
        .create_invoice(&binding, key.clone(), content())
        .await
        .expect("created");
    service.gateway.fault(&read_of(&key), Fault::DropRequest);
    let changed = InvoiceContent {
        note: "changed".to_owned(),
        ..content()
    };
    let answer = app.update_invoice(&binding, &created, changed).await;
    assert!(
        matches!(answer, Err(CommandError::Offline { .. })),
        "{answer:?}"
    );
    assert_eq!(app.draft_states(&binding).await, [DraftState::Waiting]);
    let (_, left) = outbox_retry(&app, 1).await;
    app.clock.advance(left);
    app.wait_until(|snapshot| snapshot.deliveries == 1).await;
    let stored = app.desktop.get_invoice(&app.window, binding, key).await;
    assert_eq!(stored.expect("it is there").content.note, "changed");
}

#[tokio::test]
async fn captive_portal_leaves_a_queued_draft_waiting() {
    let service = Service::start().await;
    for status in [200, 302, 403, 407, 511] {
        // A late answer to what follows a delivery would show the next case a session that is online.
        let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
        // Another total each time: the outbox does not repeat a document by itself.
        let mut other = content();
        other.lines[0].quantity = status.to_string();
        let key = save_offline(&app, &service, &binding, other).await;
        for _ in 0..2 {
            service.gateway.fault(CREATE, Fault::page(status));
            service.gateway.fault(&read_of(&key), Fault::page(status));
        }
        reconnect(&app, &service).await;
        let (wait, _) = outbox_retry(&app, 1).await;
        // A page in place of a success does not say that nothing was written, and neither does one with an error of a server.
        let state = if [200, 511].contains(&status) {
            DraftState::WaitingInDoubt
        } else {
            DraftState::Waiting
        };
        assert_eq!(app.draft_states(&binding).await, [state], "{status}");
        service.gateway.clear_faults();
        app.desktop
            .retry_now(&app.window, wait.id)
            .await
            .expect("retried");
        app.wait_until(|snapshot| snapshot.deliveries == 1).await;
        assert_eq!(app.draft_states(&binding).await, [], "{status}");
        app.desktop
            .get_invoice(&app.window, binding.clone(), key)
            .await
            .expect("it is there");
    }
}

#[tokio::test]
async fn draft_of_unknown_outcome_is_checked_after_a_restart() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let draft = app.new_draft(&binding).await;
    service.gateway.fault(CREATE, Fault::DropResponse);
    service
        .gateway
        .fault(&read_of(&draft.key), Fault::DropRequest);
    app.send_draft(&binding, draft.clone())
        .await
        .expect_err("unknown outcome");
    assert_eq!(
        app.draft_states(&binding).await,
        [DraftState::UnknownOutcome]
    );
    let again = app.restart();
    again.wait_until(|snapshot| snapshot.deliveries == 1).await;
    let binding = again.binding().await;
    assert_eq!(again.draft_states(&binding).await, []);
    assert_eq!(
        service.gateway.requests(CREATE).len(),
        1,
        "it was sent twice"
    );
}

#[tokio::test]
async fn disk_that_fails_during_a_send_never_turns_its_success_into_an_error() {
    let service = Service::start().await;
    let (app, binding) = TestApp::start_signed_in(&service, NOURA, HOME).await;
    let mut drafts_left = 0;
    for number in 0.. {
        let draft = app.new_draft(&binding).await;
        let faults = FileFaults::new(app.folder.path().join("data/drafts"));
        faults.set(number, FileFault::IoFromThen);
        let sent = app
            .desktop
            .create_document(&app.window, binding.clone(), draft.key.clone())
            .await;
        let reached = faults.operations().len() > number;
        drop(faults);
        match sent {
            Ok(view) => drafts_left += u32::from(view.draft_left),
            // The draft could not be read, so nothing was sent.
            Err(CommandError::NotSaved { .. }) => {
                app.send_draft(&binding, draft.clone())
                    .await
                    .expect("the disk works again");
            }
            Err(error) => panic!("operation {number}: {error:?}"),
        }
        assert_eq!(app.draft_states(&binding).await, [], "operation {number}");
        app.desktop
            .get_invoice(&app.window, binding.clone(), draft.key)
            .await
            .expect("it is there");
        if !reached {
            break;
        }
    }
    assert!(drafts_left > 0, "no fault met the removal of a draft");
}
