//! Cases of [`PatStore`](crate::PatStore).

use futures_util::future::join_all;
use invoicing_contract::Timestamp;

use super::fixtures::{LATER, NOW, after_now, audit_event, count_events, populate, subject};
use crate::Store;
use crate::audit::AuditEventKind;
use crate::pats::PersonalAccessToken;
use crate::secret::TokenHash;

fn pat(id: &str, created_at: Timestamp) -> PersonalAccessToken {
    PersonalAccessToken {
        id: id.to_owned(),
        subject: "robot".into(),
        epoch: 0,
        name: "a script".to_owned(),
        created_at,
        expires_at: LATER,
        revoked_at: None,
    }
}

pub(super) async fn add(store: &dyn Store, id: &str, created_at: Timestamp) -> TokenHash {
    let hash = TokenHash::of(id);
    let added = store
        .add_pat(
            &pat(id, created_at),
            &hash,
            &audit_event(AuditEventKind::PatMinted),
        )
        .await;
    assert!(added.unwrap());
    hash
}

pub async fn token_reads_back_until_it_expires(store: &dyn Store) {
    populate(store).await;
    let hash = add(store, "one", NOW).await;
    let (found, member, _) = store.pat(&hash, NOW).await.unwrap().unwrap();
    assert_eq!(
        (found, member.subject.id.as_str()),
        (pat("one", NOW), "robot")
    );
    assert!(store.pat(&hash, LATER).await.unwrap().is_none());
    assert!(
        store
            .pat(&TokenHash::of("two"), NOW)
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(count_events(store, AuditEventKind::PatMinted).await, 1);
}

pub async fn token_with_a_taken_id_is_not_added(store: &dyn Store) {
    populate(store).await;
    let first = add(store, "one", NOW).await;
    let event = audit_event(AuditEventKind::PatMinted);
    let other = TokenHash::of("other");
    let added = store
        .add_pat(&pat("one", after_now(1)), &other, &event)
        .await;
    assert!(!added.unwrap());
    assert!(store.pat(&first, NOW).await.unwrap().is_some());
    assert!(store.pat(&other, NOW).await.unwrap().is_none());
    assert_eq!(count_events(store, AuditEventKind::PatMinted).await, 1);
}

pub async fn token_of_a_disabled_subject_is_not_found(store: &dyn Store) {
    populate(store).await;
    let hash = add(store, "one", NOW).await;
    let disabled = store
        .disable_subject(
            &subject("robot"),
            NOW,
            &audit_event(AuditEventKind::UserDisabled),
        )
        .await;
    assert!(disabled.unwrap());
    assert!(store.pat(&hash, NOW).await.unwrap().is_none());
    // Enabling the subject does not make tokens valid that were issued before.
    let enabled = store
        .enable_subject(&subject("robot"), &audit_event(AuditEventKind::UserEnabled))
        .await;
    assert!(enabled.unwrap());
    assert!(store.pat(&hash, NOW).await.unwrap().is_none());
}

pub async fn token_is_revoked_once(store: &dyn Store) {
    populate(store).await;
    let hash = add(store, "one", NOW).await;
    for (id, revoked) in [("two", false), ("one", true), ("one", false)] {
        let outcome = store
            .revoke_pat(id, after_now(1), &audit_event(AuditEventKind::PatRevoked))
            .await;
        assert_eq!(outcome.unwrap(), revoked, "{id}");
    }
    assert!(store.pat(&hash, NOW).await.unwrap().is_none());
    let found = store.pat_by_id("one").await.unwrap().unwrap();
    assert_eq!(found.revoked_at, Some(after_now(1)));
    assert_eq!(store.pat_by_id("two").await.unwrap(), None);
    assert_eq!(count_events(store, AuditEventKind::PatRevoked).await, 1);
}

pub async fn token_is_revoked_by_one_of_many(store: &dyn Store) {
    populate(store).await;
    add(store, "one", NOW).await;
    let event = audit_event(AuditEventKind::PatRevoked);
    let revoked = (0..20).map(|_| store.revoke_pat("one", NOW, &event));
    let revoked = join_all(revoked).await;
    let revoked = revoked.into_iter().filter(|won| *won.as_ref().unwrap());
    assert_eq!(revoked.count(), 1);
    assert_eq!(count_events(store, AuditEventKind::PatRevoked).await, 1);
}

pub async fn tokens_are_read_in_pages_from_the_newest(store: &dyn Store) {
    populate(store).await;
    for (id, created_at) in [
        ("one", NOW),
        ("two", after_now(2)),
        ("three", after_now(1)),
        ("four", after_now(1)),
    ] {
        add(store, id, created_at).await;
    }
    let robot = subject("robot");
    let mut after = None;
    for page in [&["two", "three"][..], &["four", "one"], &[]] {
        let found = store.pats(&robot, after.as_ref(), 2).await.unwrap();
        let ids: Vec<_> = found.iter().map(|pat| &*pat.id).collect();
        assert_eq!(ids, page);
        after = found.last().map(PersonalAccessToken::position).or(after);
    }
    let noura = subject("noura");
    assert_eq!(store.pats(&noura, None, 2).await.unwrap(), []);
}

pub async fn valid_tokens_are_counted(store: &dyn Store) {
    populate(store).await;
    for id in ["one", "two", "three"] {
        add(store, id, NOW).await;
    }
    let event = audit_event(AuditEventKind::PatRevoked);
    store.revoke_pat("one", NOW, &event).await.unwrap();
    let pats = store.pats(&subject("robot"), None, 1).await.unwrap();
    let end = pats[0].expires_at;
    for (user, now, count) in [("robot", NOW, 2), ("robot", end, 0), ("noura", NOW, 0)] {
        let counted = store.count_valid_pats(&subject(user), now).await;
        assert_eq!(counted.unwrap(), count, "{user} at {now:?}");
    }
}
