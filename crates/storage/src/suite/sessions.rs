//! Cases of sessions and maintenance of [`TokenStore`](crate::TokenStore).

use invoicing_contract::Timestamp;

use super::fixtures::{LATER, NOW, after_now, audit_event, count_events, hash, populate};
use super::tokens::{authorize, is_valid, redeem};
use crate::Store;
use crate::audit::AuditEventKind;
use crate::tokens::{PendingStep, Session};

/// Longer than anything that expires in these cases is kept.
const LONG_AFTER: Timestamp = Timestamp::from_millis(NOW.as_millis() + 400 * 24 * 3_600_000);

pub(super) fn session(id: &str) -> Session {
    Session {
        id: id.to_owned(),
        hash: hash(id),
        subject: "noura".into(),
        epoch: 0,
        authenticated_at: NOW,
        expires_at: LATER,
        pending: Some(PendingStep::ChangePassword),
    }
}

pub async fn session_lives_until_it_expires_or_ends(store: &dyn Store) {
    populate(store).await;
    let started = store
        .begin_session(&session("one"), &audit_event(AuditEventKind::SignedIn))
        .await;
    started.unwrap();
    let hash = hash("one");
    let found = store.session(&hash, NOW).await.unwrap().unwrap();
    assert_eq!((&*found.id, found.expires_at), ("one", LATER));
    assert!(store.session(&hash, LATER).await.unwrap().is_none());
    for _ in 0..2 {
        let ended = store
            .end_session("one", NOW, &audit_event(AuditEventKind::SignedOut))
            .await;
        ended.unwrap();
    }
    assert!(store.session(&hash, NOW).await.unwrap().is_none());
    assert_eq!(count_events(store, AuditEventKind::SignedIn).await, 1);
    assert_eq!(count_events(store, AuditEventKind::SignedOut).await, 1);
}

pub async fn session_is_signed_in_after_its_pending_step(store: &dyn Store) {
    populate(store).await;
    let started = store
        .begin_session(&session("one"), &audit_event(AuditEventKind::SignedIn))
        .await;
    started.unwrap();
    let hash = hash("one");
    let found = store.session(&hash, NOW).await.unwrap().unwrap();
    assert_eq!(found.pending, Some(PendingStep::ChangePassword));
    store
        .advance_session("one", None, 7, after_now(5))
        .await
        .unwrap();
    let found = store.session(&hash, after_now(5)).await.unwrap().unwrap();
    assert_eq!(
        (found.pending, found.epoch, found.authenticated_at),
        (None, 7, after_now(5))
    );
}

pub async fn maintenance_removes_what_expired_and_nothing_else(store: &dyn Store) {
    let family = authorize(store).await;
    redeem(store, family).await;
    let started = store
        .begin_session(&session("one"), &audit_event(AuditEventKind::SignedIn))
        .await;
    started.unwrap();
    assert_eq!(store.maintain(NOW).await.unwrap(), 0);
    assert!(is_valid(store, "first access").await);
    let mut removed = 0;
    loop {
        match store.maintain(LONG_AFTER).await.unwrap() {
            0 => break,
            some => removed += some,
        }
    }
    assert!(removed > 0);
    let refresh = hash("first refresh");
    assert!(store.refresh_token(&refresh).await.unwrap().is_none());
    assert!(
        store
            .authorization_code(&hash("code"))
            .await
            .unwrap()
            .is_none()
    );
    assert!(store.session(&hash("one"), NOW).await.unwrap().is_none());
    assert!(
        count_events(store, AuditEventKind::TokenIssued).await > 0,
        "the audit is kept"
    );
}
