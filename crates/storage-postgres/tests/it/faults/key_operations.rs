//! The writes of signing keys in the table.

use async_trait::async_trait;
use invoicing_storage::Store;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::keys::{KeyRotation, KeyState, SigningAlgorithm, SigningKeyRecord};
use invoicing_storage::suite::fixtures::{LATER, NOW};
use zeroize::Zeroizing;

use super::operations::{Operation, event, events, name};

fn key(kid: String, state: KeyState) -> SigningKeyRecord {
    SigningKeyRecord {
        kid,
        algorithm: SigningAlgorithm::EdDsa,
        pkcs8: Zeroizing::new(b"key".to_vec()),
        state,
        changed_at: NOW,
    }
}

pub(super) struct RotateSigningKeys;

#[async_trait]
impl Operation for RotateSigningKeys {
    fn name(&self) -> &'static str {
        "rotate_signing_keys"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        for state in [KeyState::Current, KeyState::Next] {
            let key = key(format!("{} {state:?}", name(cell)), state);
            store.add_signing_key(&key).await.unwrap();
        }
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let keys = store.signing_keys().await.unwrap();
        let current = keys.into_iter().find(|key| key.state == KeyState::Current);
        let rotation = KeyRotation {
            current: current.unwrap().kid,
            next: key(name(cell), KeyState::Next),
            retired_before: LATER,
        };
        let event = event(AuditEventKind::KeysRotated, cell);
        let rotated = store.rotate_signing_keys(&[rotation], NOW, &event).await;
        format!("{rotated:?}")
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let keys = store.signing_keys().await.unwrap();
        let states: Vec<_> = [KeyState::Next, KeyState::Current]
            .iter()
            .map(|state| keys.iter().filter(|key| key.state == *state).count())
            .collect();
        let next = keys
            .iter()
            .any(|key| key.kid == name(cell) && key.state == KeyState::Next);
        format!("{states:?} {next}, events {}", events(store, cell).await)
    }
}

pub(super) struct ReplaceSigningKey;

#[async_trait]
impl Operation for ReplaceSigningKey {
    fn name(&self) -> &'static str {
        "replace_signing_key"
    }

    /// All cells replace the previous key, one after the other.
    async fn prepare(&self, store: &dyn Store, _cell: u64) {
        let key = key("previous".to_owned(), KeyState::Previous);
        store.add_signing_key(&key).await.unwrap();
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let keys = store.signing_keys().await.unwrap();
        let previous = keys.into_iter().find(|key| key.kid == "previous").unwrap();
        let event = event(AuditEventKind::EncryptionRotated, cell);
        let (stored, name) = (previous.pkcs8, name(cell));
        let replaced = store.replace_signing_key("previous", &stored, name.as_bytes(), &event);
        format!("{:?}", replaced.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        let keys = store.signing_keys().await.unwrap();
        let is_own = |key: &SigningKeyRecord| key.pkcs8.as_slice() == name(cell).as_bytes();
        let replaced = keys.iter().any(is_own);
        format!("{replaced}, events {}", events(store, cell).await)
    }
}
