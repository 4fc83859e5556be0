//! Why the provider cannot be loaded.

use invoicing_storage::StorageError;

/// Why the provider cannot be loaded, or its keys not be rotated.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// Storage failed.
    #[error("while reading and writing what the service begins with: {0}")]
    Storage(#[from] StorageError),
    /// The stored signing keys do not read back, or no key can be made.
    #[error("the signing keys cannot be used: {0}")]
    SigningKeys(String),
}

impl ProviderError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Storage(_) => 74,
            Self::SigningKeys(_) => 65,
        }
    }
}
