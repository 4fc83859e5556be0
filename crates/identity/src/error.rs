//! Errors of loading the provider and of its signing keys.

use aws_lc_rs::error::{KeyRejected, Unspecified};
use invoicing_storage::StorageError;
use invoicing_storage::kept_secrets::{KeptSecretError, UnreadableSecret};
use invoicing_storage::keys::SigningAlgorithm;

/// Why the provider cannot be loaded or its keys cannot be rotated.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// Storage failed.
    #[error("while reading and writing what the service begins with: {0}")]
    Storage(#[from] StorageError),
    /// A stored signing key is invalid, or a key cannot be generated.
    #[error("the signing keys cannot be used: {0}")]
    SigningKeys(#[from] SigningKeyError),
    /// A secret is stored encrypted, and cannot be decrypted. Nothing was made in its place.
    #[error(transparent)]
    Unreadable(#[from] UnreadableSecret),
}

impl From<KeptSecretError> for ProviderError {
    fn from(error: KeptSecretError) -> Self {
        match error {
            KeptSecretError::Storage(error) => Self::Storage(error),
            KeptSecretError::Unreadable(error) => Self::Unreadable(error),
        }
    }
}

/// Why a signing key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SigningKeyError {
    /// The stored PKCS #8 document is not a key of its algorithm.
    #[error(transparent)]
    Rejected(#[from] KeyRejected),
    /// The key cannot be converted to a JWK.
    #[error(transparent)]
    Jwk(#[from] jsonwebtoken::errors::Error),
    /// The random source or the key generation failed.
    #[error("no {} key could be made", .algorithm.name())]
    Generation {
        /// The algorithm of the key.
        algorithm: SigningAlgorithm,
        /// The error of the cryptographic library.
        #[source]
        source: Unspecified,
    },
}

impl ProviderError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Storage(error) => error.exit_code(),
            Self::SigningKeys(_) | Self::Unreadable(_) => 65,
        }
    }
}
