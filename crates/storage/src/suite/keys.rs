//! Cases of [`KeyStore`](crate::KeyStore).

use std::time::Duration;

use futures_util::future::join_all;
use zeroize::Zeroizing;

use super::fixtures::{LATER, NOW, audit_event, count_events};
use crate::Store;
use crate::audit::AuditEventKind;
use crate::keys::{KeyRotation, KeyState, SigningAlgorithm, SigningKeyRecord};

fn key(kid: &str, state: KeyState) -> SigningKeyRecord {
    SigningKeyRecord {
        kid: kid.to_owned(),
        algorithm: SigningAlgorithm::EdDsa,
        pkcs8: Zeroizing::new(kid.as_bytes().to_vec()),
        state,
        changed_at: NOW,
    }
}

async fn states(store: &dyn Store) -> Vec<(String, KeyState)> {
    let keys = store.signing_keys().await.unwrap();
    let mut states: Vec<_> = keys.into_iter().map(|key| (key.kid, key.state)).collect();
    states.sort_by(|one, other| one.0.cmp(&other.0));
    states
}

pub(super) async fn add_first_keys(store: &dyn Store) {
    for key in [key("a", KeyState::Current), key("b", KeyState::Next)] {
        assert!(store.add_signing_key(&key).await.unwrap());
    }
}

fn rotation(current: &str, next: &str) -> [KeyRotation; 1] {
    [KeyRotation {
        current: current.to_owned(),
        next: key(next, KeyState::Next),
        retired_before: LATER,
    }]
}

pub async fn key_is_added_once_per_algorithm_and_state(store: &dyn Store) {
    add_first_keys(store).await;
    let second = store.add_signing_key(&key("c", KeyState::Current)).await;
    assert!(!second.unwrap());
    let mut other = key("0", KeyState::Current);
    other.algorithm = SigningAlgorithm::Rs256;
    assert!(store.add_signing_key(&other).await.unwrap());
    let keys = store.signing_keys().await.unwrap();
    let added = keys.iter().find(|key| key.kid == "a").unwrap();
    assert_eq!((&**added.pkcs8, added.changed_at), (b"a".as_slice(), NOW));
    let ids: Vec<_> = keys.iter().map(|key| key.kid.as_str()).collect();
    assert_eq!(ids, ["0", "a", "b"], "all are of the same time");
}

pub async fn key_is_added_by_one_of_many(store: &dyn Store) {
    let keys: Vec<_> = (0..20)
        .map(|number| key(&format!("{number:02}"), KeyState::Current))
        .collect();
    let added = join_all(keys.iter().map(|key| store.add_signing_key(key))).await;
    let added: Vec<_> = added.into_iter().map(Result::unwrap).collect();
    let stored = states(store).await;
    let expected = added.iter().zip(&keys).filter(|(added, _)| **added);
    let expected: Vec<_> = expected
        .map(|(_, key)| (key.kid.clone(), key.state))
        .collect();
    assert_eq!((stored.len(), stored), (1, expected));
}

pub async fn rotation_moves_every_key_one_state_on(store: &dyn Store) {
    add_first_keys(store).await;
    let event = audit_event(AuditEventKind::KeysRotated);
    let rotated = store
        .rotate_signing_keys(&rotation("a", "c"), LATER, &event)
        .await;
    assert!(rotated.unwrap());
    assert_eq!(
        states(store).await,
        [
            ("a".to_owned(), KeyState::Previous),
            ("b".to_owned(), KeyState::Current),
            ("c".to_owned(), KeyState::Next),
        ]
    );
    // The next rotation removes the key that was retired before.
    let after_later = LATER.plus(Duration::from_millis(1));
    let mut second = rotation("b", "d");
    second[0].retired_before = after_later;
    let rotated = store
        .rotate_signing_keys(&second, after_later, &event)
        .await;
    assert!(rotated.unwrap());
    let kids: Vec<_> = states(store)
        .await
        .into_iter()
        .map(|(kid, _)| kid)
        .collect();
    assert_eq!(kids, ["b", "c", "d"]);
    assert_eq!(count_events(store, AuditEventKind::KeysRotated).await, 2);
}

pub async fn rotation_of_keys_that_were_rotated_changes_nothing(store: &dyn Store) {
    add_first_keys(store).await;
    let event = audit_event(AuditEventKind::KeysRotated);
    let before = states(store).await;
    let rotated = store
        .rotate_signing_keys(&rotation("b", "c"), LATER, &event)
        .await;
    assert!(!rotated.unwrap());
    assert_eq!(states(store).await, before);
    assert_eq!(count_events(store, AuditEventKind::KeysRotated).await, 0);
}

pub async fn one_of_many_concurrent_rotations_wins(store: &dyn Store) {
    add_first_keys(store).await;
    let event = audit_event(AuditEventKind::KeysRotated);
    let rotations: Vec<_> = (0..10)
        .map(|n| rotation("a", &format!("next {n}")))
        .collect();
    let rotated = rotations
        .iter()
        .map(|rotation| store.rotate_signing_keys(rotation, LATER, &event));
    let rotated = join_all(rotated).await;
    let won = rotated.into_iter().filter(|won| *won.as_ref().unwrap());
    assert_eq!(won.count(), 1);
    assert_eq!(states(store).await.len(), 3);
    assert_eq!(count_events(store, AuditEventKind::KeysRotated).await, 1);
}

pub async fn key_is_replaced_with_its_event_by_one_who_knows_what_is_stored(store: &dyn Store) {
    add_first_keys(store).await;
    let before = states(store).await;
    let event = audit_event(AuditEventKind::EncryptionRotated);
    let replace = |kid: &'static str, stored: &'static [u8]| {
        let event = event.clone();
        async move {
            let replaced = store.replace_signing_key(kid, stored, b"\0new", &event);
            replaced.await.unwrap()
        }
    };
    assert!(!replace("c", b"c").await, "there is none");
    assert!(!replace("a", b"b").await);
    let replaced = join_all((0..10).map(|_| replace("a", b"a"))).await;
    assert_eq!(replaced.iter().filter(|replaced| **replaced).count(), 1);
    let keys = store.signing_keys().await.unwrap();
    let stored = |kid| keys.iter().find(|key| key.kid == kid).unwrap();
    assert_eq!(stored("a").pkcs8.as_slice(), b"\0new");
    assert_eq!(stored("b").pkcs8.as_slice(), b"b");
    assert_eq!(states(store).await, before);
    let events = count_events(store, AuditEventKind::EncryptionRotated).await;
    assert_eq!(events, 1);
}
