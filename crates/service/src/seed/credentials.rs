//! Passwords and client secrets of the demo seed: of this installation only, so that no other program or person knows them.

use aws_lc_rs::hmac;
use invoicing_storage::{Rng, StorageError, Store};

/// The setting with the key. The passwords themselves are in no file.
const SETTING: &str = "demo_key";
/// Lower-case letters and digits, without those that look alike: 32 characters, five bits each.
const ALPHABET: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";

/// Derives the credentials from a random key that the database keeps.
pub(super) struct DemoCredentials(hmac::Key);

impl DemoCredentials {
    /// Reads the key, and generates it when the database has none.
    pub(super) async fn load(store: &dyn Store, rng: &dyn Rng) -> Result<Self, StorageError> {
        let mut key = [0; 32];
        rng.fill(&mut key);
        let key = store.setting_or(SETTING, &text(&key)).await?;
        Ok(Self(hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes())))
    }

    /// The password of a user: 60 bits in three groups, short enough to type.
    pub(super) fn password(&self, username: &str) -> String {
        let derived = self.derive("password", username);
        let [first, second, third] = [0, 4, 8].map(|at| &derived[at..at + 4]);
        format!("{first}-{second}-{third}")
    }

    /// The secret of a confidential application: 160 bits.
    pub(super) fn client_secret(&self, client_id: &str) -> String {
        self.derive("client-secret", client_id)
    }

    fn derive(&self, purpose: &str, name: &str) -> String {
        text(hmac::sign(&self.0, format!("{purpose}:{name}").as_bytes()).as_ref())
    }
}

/// One character of [`ALPHABET`] for each of the 32 bytes.
fn text(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect()
}

#[cfg(test)]
mod tests {
    use invoicing_storage::SystemRng;
    use invoicing_storage_sqlite::Sqlite;

    use super::*;

    async fn store(folder: &tempfile::TempDir) -> Sqlite {
        let path = folder.path().join("invoicing.db");
        Sqlite::open(&format!("sqlite:{}", path.display()))
            .await
            .expect("the database opens")
    }

    #[tokio::test]
    async fn credentials_differ_between_installations_and_stay_after_a_restart() {
        let (one, other) = (
            tempfile::tempdir().expect("a folder"),
            tempfile::tempdir().expect("a folder"),
        );
        let first = DemoCredentials::load(&store(&one).await, &SystemRng)
            .await
            .expect("a key");
        let again = DemoCredentials::load(&store(&one).await, &SystemRng)
            .await
            .expect("a key");
        let elsewhere = DemoCredentials::load(&store(&other).await, &SystemRng)
            .await
            .expect("a key");
        assert_eq!(first.password("noura"), again.password("noura"));
        assert_ne!(first.password("noura"), elsewhere.password("noura"));
        assert_ne!(first.password("noura"), first.password("salem"));
        assert_ne!(first.password("web"), first.client_secret("web"));
        assert_eq!(first.client_secret("web").len(), 32);
        assert_eq!(first.password("noura").len(), 14);
    }
}
