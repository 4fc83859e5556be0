//! Storage of the keys that sign id_tokens.

use async_trait::async_trait;

use super::StorageError;
use super::audit::Entry;

/// What id_tokens are signed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SigningAlgorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256: what every relying party can verify.
    Rs256,
    /// Ed25519.
    EdDsa,
}

impl SigningAlgorithm {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Rs256, Self::EdDsa];

    /// The name in a JOSE header.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::EdDsa => "EdDSA",
        }
    }

    /// The algorithm with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == name)
    }
}

/// How far a signing key is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// Published, so that everybody knows it before it signs.
    Next,
    /// Signs.
    Current,
    /// No longer signs; still verifies.
    Previous,
}

impl KeyState {
    /// As it is stored and shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Current => "current",
            Self::Previous => "previous",
        }
    }

    /// The state with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Next, Self::Current, Self::Previous]
            .into_iter()
            .find(|state| state.name() == name)
    }
}

/// A key that signs id_tokens.
#[derive(Clone)]
pub struct SigningKeyRecord {
    /// Key id.
    pub kid: String,
    /// What it signs with.
    pub algorithm: SigningAlgorithm,
    /// The private key, PKCS #8 DER.
    pub pkcs8: zeroize::Zeroizing<Vec<u8>>,
    /// How far it is in its life.
    pub state: KeyState,
    /// When it came into this state.
    pub changed_at: i64,
}

/// One algorithm's step: the current key becomes previous, the next one current, and there is a new next one.
#[derive(Clone)]
pub struct KeyRotation {
    /// The key that signs until now. The step is taken only if it still does.
    pub current: String,
    /// The new next key.
    pub next: SigningKeyRecord,
    /// Previous keys that became so before this are removed.
    pub retired_before: i64,
}

/// What is kept of signing keys.
#[async_trait]
pub trait KeyStore: Send + Sync {
    /// All signing keys.
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError>;
    /// Adds a key, unless its algorithm has one in its state. Says whether it did.
    async fn add_signing_key(&self, key: &SigningKeyRecord) -> Result<bool, StorageError>;
    /// Lets the next keys sign: all of these algorithms or none. False when somebody else did it meanwhile.
    async fn rotate_signing_keys(
        &self,
        rotations: &[KeyRotation],
        now: i64,
        entry: &Entry,
    ) -> Result<bool, StorageError>;
}
