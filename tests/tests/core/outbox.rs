//! What is saved without a connection is sent as soon as there is one.

use std::time::Duration;

use invoicing_client::views::{CommandError, DraftState, InvoiceContent, Place, Standing};

use crate::session::standing;
use crate::support::{Desk, HOME, NOURA, Service, content};

/// Writes an invoice and saves it while the service cannot be reached. Gives its key.
async fn saved_offline(
    desk: &Desk,
    service: &Service,
    place: &Place,
    content: InvoiceContent,
) -> String {
    let draft = desk
        .desktop
        .new_draft(&desk.window, place.clone(), Some(content))
        .await
        .expect("a draft");
    service.identity.cut().await;
    service.gateway.cut().await;
    let saving = desk.desktop.create_invoice(
        &desk.window,
        place.clone(),
        draft.key.clone(),
        draft.content.clone(),
    );
    let (answer, _) = desk.over_waits(saving).await;
    assert!(
        matches!(answer, Err(CommandError::Offline { .. })),
        "{answer:?}"
    );
    draft.key
}

async fn reconnected(desk: &Desk, service: &Service) {
    service.identity.mend().await;
    service.gateway.mend().await;
    desk.clock
        .sleeper(|left| left <= Duration::from_secs(30))
        .await;
    desk.clock.advance(Duration::from_secs(30));
    desk.until(|snapshot| standing(&snapshot.session) == Some(Standing::Online))
        .await;
}

async fn states(desk: &Desk, place: &Place) -> Vec<DraftState> {
    let drafts = desk.desktop.drafts(&desk.window, place.clone()).await;
    let drafts = drafts.expect("a list");
    drafts.into_iter().map(|draft| draft.state).collect()
}

#[tokio::test]
async fn an_invoice_saved_without_a_connection_is_sent_when_there_is_one_again() {
    let service = Service::start().await;
    let (desk, place) = Desk::signed_in(&service, NOURA, HOME).await;
    let key = saved_offline(&desk, &service, &place, content()).await;
    assert_eq!(states(&desk, &place).await, [DraftState::Waiting]);
    reconnected(&desk, &service).await;
    desk.until(|snapshot| snapshot.deliveries == 1).await;
    assert_eq!(states(&desk, &place).await, []);
    let sent = desk.desktop.get_invoice(&desk.window, place, key).await;
    assert_eq!(sent.expect("it is there").row.gross, "1255.23");
}

#[tokio::test]
async fn it_is_sent_by_the_next_start_too() {
    let service = Service::start().await;
    let (desk, place) = Desk::signed_in(&service, NOURA, HOME).await;
    let key = saved_offline(&desk, &service, &place, content()).await;
    service.identity.mend().await;
    service.gateway.mend().await;
    let again = desk.restarted();
    let snapshot = again.until(|snapshot| snapshot.deliveries == 1).await;
    let place = snapshot.place.expect("the window has its organization");
    again
        .desktop
        .get_invoice(&again.window, place, key)
        .await
        .expect("it is there");
}

#[tokio::test]
async fn one_that_is_not_accepted_says_so_and_is_still_there_to_be_put_right() {
    let service = Service::start().await;
    let (desk, place) = Desk::signed_in(&service, NOURA, HOME).await;
    let mut wrong = content();
    wrong.buyer.name = Default::default();
    let key = saved_offline(&desk, &service, &place, wrong.clone()).await;
    reconnected(&desk, &service).await;
    desk.until(|snapshot| snapshot.deliveries == 1).await;
    assert_eq!(states(&desk, &place).await, [DraftState::Refused]);
    let opened = desk.desktop.open_draft(&desk.window, place, key).await;
    let opened = opened.expect("it is there");
    assert_eq!((opened.content, opened.state), (wrong, DraftState::Editing));
}

#[tokio::test]
async fn one_that_somebody_has_opened_again_is_not_sent_from_under_them() {
    let service = Service::start().await;
    let (desk, place) = Desk::signed_in(&service, NOURA, HOME).await;
    let opened = saved_offline(&desk, &service, &place, content()).await;
    desk.desktop
        .open_draft(&desk.window, place.clone(), opened.clone())
        .await
        .expect("it is there");
    service.identity.mend().await;
    service.gateway.mend().await;
    // Another one leaves, and it does not.
    let other = saved_offline(&desk, &service, &place, content()).await;
    reconnected(&desk, &service).await;
    desk.until(|snapshot| snapshot.deliveries == 1).await;
    desk.desktop
        .get_invoice(&desk.window, place.clone(), other)
        .await
        .expect("it is there");
    let drafts = desk.desktop.drafts(&desk.window, place).await;
    let keys: Vec<_> = drafts
        .expect("a list")
        .into_iter()
        .map(|draft| draft.key)
        .collect();
    assert_eq!(keys, [opened]);
}
