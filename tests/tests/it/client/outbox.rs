//! The outbox: drafts saved offline are sent when there is a connection and the service accepts requests.

use std::time::Duration;

use invoicing_client::clock::Clock as _;
use invoicing_client::views::{
    CommandError, Connectivity, DocumentKey, DraftState, InvoiceContent, PendingRetry,
    WindowBinding,
};

use crate::client::session::connectivity;
use crate::fixtures::{Desk, Fault, HOME, NOURA, Service, content};

const CREATE: &str = "/invoices/create";

/// Writes an invoice and saves it while the service cannot be reached. Gives its key.
async fn saved_offline(
    desk: &Desk,
    service: &Service,
    binding: &WindowBinding,
    content: InvoiceContent,
) -> DocumentKey {
    let draft = desk
        .desktop
        .new_draft(&desk.window, binding.clone(), Some(content))
        .await
        .expect("a draft");
    service.identity.stop().await;
    service.gateway.stop().await;
    let saving = desk
        .desktop
        .create_document(&desk.window, binding.clone(), draft.key.clone());
    let (answer, _) = desk.over_waits(saving).await;
    assert!(
        matches!(answer, Err(CommandError::Offline { .. })),
        "{answer:?}"
    );
    draft.key
}

async fn reconnected(desk: &Desk, service: &Service) {
    service.identity.restart().await;
    service.gateway.restart().await;
    noticed(desk).await;
}

/// The next time that the desk looks, it finds the service again.
async fn noticed(desk: &Desk) {
    desk.clock
        .sleep_matching(|left| left <= Duration::from_secs(30))
        .await;
    desk.clock.advance(Duration::from_secs(30));
    desk.wait_until(|snapshot| connectivity(&snapshot.session) == Some(Connectivity::Online))
        .await;
}

async fn states(desk: &Desk, binding: &WindowBinding) -> Vec<DraftState> {
    let drafts = desk.desktop.drafts(&desk.window, binding.clone()).await;
    let drafts = drafts.expect("a list");
    drafts.into_iter().map(|draft| draft.state).collect()
}

#[tokio::test]
async fn draft_saved_offline_is_sent_after_reconnecting() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let key = saved_offline(&desk, &service, &binding, content()).await;
    assert_eq!(states(&desk, &binding).await, [DraftState::Waiting]);
    reconnected(&desk, &service).await;
    desk.wait_until(|snapshot| snapshot.deliveries == 1).await;
    assert_eq!(states(&desk, &binding).await, []);
    let sent = desk.desktop.get_invoice(&desk.window, binding, key).await;
    assert_eq!(sent.expect("it is there").row.gross, "1255.23");
}

#[tokio::test]
async fn draft_saved_offline_is_sent_after_a_restart() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let key = saved_offline(&desk, &service, &binding, content()).await;
    service.identity.restart().await;
    service.gateway.restart().await;
    let again = desk.restarted();
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
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let mut wrong = content();
    wrong.buyer.name = Default::default();
    let key = saved_offline(&desk, &service, &binding, wrong.clone()).await;
    reconnected(&desk, &service).await;
    desk.wait_until(|snapshot| snapshot.deliveries == 1).await;
    assert_eq!(states(&desk, &binding).await, [DraftState::Refused]);
    let opened = desk.desktop.open_draft(&desk.window, binding, key).await;
    let opened = opened.expect("it is there");
    assert_eq!((opened.content, opened.state), (wrong, DraftState::Editing));
}

#[tokio::test]
async fn queued_draft_that_is_opened_is_not_sent() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let opened = saved_offline(&desk, &service, &binding, content()).await;
    desk.desktop
        .open_draft(&desk.window, binding.clone(), opened.clone())
        .await
        .expect("it is there");
    service.identity.restart().await;
    service.gateway.restart().await;
    // Another one leaves, and it does not.
    let other = saved_offline(&desk, &service, &binding, content()).await;
    reconnected(&desk, &service).await;
    desk.wait_until(|snapshot| snapshot.deliveries == 1).await;
    desk.desktop
        .get_invoice(&desk.window, binding.clone(), other)
        .await
        .expect("it is there");
    let drafts = desk.desktop.drafts(&desk.window, binding).await;
    let keys: Vec<_> = drafts
        .expect("a list")
        .into_iter()
        .map(|draft| draft.key)
        .collect();
    assert_eq!(keys, [opened]);
}

/// A gateway that asks for some time, as `retry-after` says.
fn busy(seconds: u32) -> Fault {
    Fault::Respond {
        status: 429,
        headers: vec![("retry-after", seconds.to_string())],
        body: r#"{"code":8,"message":"","details":[]}"#.to_owned(),
    }
}

/// Waits until the outbox shows that it rests, and how long.
async fn resting(desk: &Desk, tries: u32) -> (PendingRetry, Duration) {
    let fits = |wait: &PendingRetry| wait.command == "outbox" && wait.failed_attempts == tries;
    let snapshot = desk
        .wait_until(|snapshot| snapshot.pending_retries.iter().any(fits))
        .await;
    let wait = snapshot
        .pending_retries
        .into_iter()
        .find(fits)
        .expect("it is shown");
    let until: jiff::Timestamp = wait.until.parse().expect("a time");
    let left = until.duration_since(desk.clock.now()).unsigned_abs();
    (wait, left)
}

#[tokio::test]
async fn outbox_waits_as_long_as_a_busy_service_asks_for() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let key = saved_offline(&desk, &service, &binding, content()).await;
    service.gateway.fault(CREATE, busy(40));
    service.gateway.fault(CREATE, Fault::status(503, 14, "X"));
    reconnected(&desk, &service).await;
    let (wait, left) = resting(&desk, 1).await;
    let forty = Duration::from_secs(40);
    assert!((forty..=forty * 5 / 4).contains(&left), "{left:?}");
    assert!(
        matches!(wait.error, CommandError::RateLimited { .. }) && wait.write,
        "{wait:?}"
    );
    assert_eq!(states(&desk, &binding).await, [DraftState::Waiting]);
    let sent = service.gateway.requests(CREATE).len();
    desk.clock.advance(forty - Duration::from_secs(1));
    assert_eq!(
        service.gateway.requests(CREATE).len(),
        sent,
        "it came too soon"
    );
    desk.clock.advance(left);
    // The second time it is the table that says how long.
    let (_, left) = resting(&desk, 2).await;
    let two = Duration::from_secs(2);
    assert!((two..=two * 5 / 4).contains(&left), "{left:?}");
    desk.clock.advance(left);
    desk.wait_until(|snapshot| snapshot.deliveries == 1 && snapshot.pending_retries.is_empty())
        .await;
    assert_eq!(states(&desk, &binding).await, []);
    desk.desktop
        .get_invoice(&desk.window, binding, key)
        .await
        .expect("it is there");
}

#[tokio::test]
async fn outbox_accepts_a_document_that_an_earlier_attempt_created() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    let key = saved_offline(&desk, &service, &binding, content()).await;
    // It is there already, as after a try whose answer something in between has changed into UNAVAILABLE.
    service.identity.restart().await;
    service.gateway.restart().await;
    let (other, there) = Desk::signed_in(&service, NOURA, HOME).await;
    other.save(&there, key, content()).await.expect("created");
    noticed(&desk).await;
    desk.wait_until(|snapshot| snapshot.deliveries == 1).await;
    assert_eq!(states(&desk, &binding).await, []);
}

#[tokio::test]
async fn retry_now_sends_the_queue_before_the_delay_ends() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    saved_offline(&desk, &service, &binding, content()).await;
    service.gateway.fault(CREATE, busy(3600));
    reconnected(&desk, &service).await;
    let (wait, _) = resting(&desk, 1).await;
    desk.desktop
        .retry_now(&desk.window, wait.id)
        .await
        .expect("hurried");
    desk.wait_until(|snapshot| snapshot.deliveries == 1).await;
    assert_eq!(states(&desk, &binding).await, []);
}

#[tokio::test]
async fn cancel_retry_returns_queued_drafts_to_editing() {
    let service = Service::start().await;
    let (desk, binding) = Desk::signed_in(&service, NOURA, HOME).await;
    saved_offline(&desk, &service, &binding, content()).await;
    service.gateway.fault(CREATE, busy(3600));
    reconnected(&desk, &service).await;
    let (wait, _) = resting(&desk, 1).await;
    desk.desktop
        .cancel_retry(&desk.window, wait.id)
        .await
        .expect("stopped");
    desk.wait_until(|snapshot| snapshot.deliveries == 1).await;
    assert_eq!(states(&desk, &binding).await, [DraftState::Editing]);
}
