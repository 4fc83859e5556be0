//! Keys that sign id_tokens.

use async_trait::async_trait;
use invoicing_contract::Timestamp;

use super::StorageError;
use super::audit::AuditEvent;

/// A signature algorithm of id_tokens (RFC 7518, RFC 8037).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SigningAlgorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256, which every relying party supports.
    Rs256,
    /// Ed25519.
    EdDsa,
}

impl SigningAlgorithm {
    /// Every algorithm.
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

/// The state of a signing key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// Published in the JWKS before it signs, so that relying parties have cached it.
    Next,
    /// Signs.
    Current,
    /// No longer signs; still verifies.
    Previous,
}

impl KeyState {
    /// The stored name.
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
    /// Its algorithm.
    pub algorithm: SigningAlgorithm,
    /// The private key as it is stored: PKCS #8 DER, or that encrypted (decision 0160).
    pub pkcs8: zeroize::Zeroizing<Vec<u8>>,
    /// Its state.
    pub state: KeyState,
    /// When it entered this state.
    pub changed_at: Timestamp,
}

/// The rotation of one algorithm: the current key becomes previous, the next key current, and a new next key is added.
#[derive(Clone)]
pub struct KeyRotation {
    /// Id of the current key. The rotation fails if another key is current.
    pub current: String,
    /// The new next key.
    pub next: SigningKeyRecord,
    /// Previous keys that entered their state before this time are removed.
    pub retired_before: Timestamp,
}

/// Signing keys.
#[async_trait]
pub trait KeyStore: Send + Sync {
    /// All signing keys, oldest first, and those of the same time by id.
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError>;
    /// Adds a key, unless its algorithm has one in the same state. Returns whether it did.
    async fn add_signing_key(&self, key: &SigningKeyRecord) -> Result<bool, StorageError>;
    /// Rotates the keys of all given algorithms or of none. False when another caller has rotated them.
    async fn rotate_signing_keys(
        &self,
        rotations: &[KeyRotation],
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// Replaces the stored private part of a key, and records `event`, unless it is no longer `stored`. Returns whether it did.
    async fn replace_signing_key(
        &self,
        kid: &str,
        stored: &[u8],
        replacement: &[u8],
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
}
