//! Records and store traits of the service. No SQL, no HTTP, no OAuth: an engine implements the traits, and identity and
//! gateway take them as `Arc<dyn Store>`.

pub mod access;
pub mod applications;
pub mod audit;
pub mod directory;
pub mod documents;
#[cfg(feature = "engine-errors")]
mod engine_errors;
pub mod keys;
pub mod pats;
pub mod provisioning;
pub mod secret;
pub mod subjects;
pub mod tokens;
pub mod world;

pub use applications::ApplicationStore;
pub use audit::AuditStore;
pub use directory::DirectoryStore;
pub use documents::DocumentStore;
pub use keys::KeyStore;
pub use pats::PatStore;
pub use provisioning::ProvisioningStore;
pub use subjects::SubjectStore;
pub use tokens::TokenStore;
pub use world::World;

use invoicing_contract::{Code, Status};

/// Everything that the service keeps.
pub trait Store:
    ApplicationStore
    + AuditStore
    + DirectoryStore
    + DocumentStore
    + KeyStore
    + PatStore
    + ProvisioningStore
    + SubjectStore
    + TokenStore
{
}

impl<All> Store for All where
    All: ApplicationStore
        + AuditStore
        + DirectoryStore
        + DocumentStore
        + KeyStore
        + PatStore
        + ProvisioningStore
        + SubjectStore
        + TokenStore
{
}

/// Why the store did not answer. Nothing was written.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StorageError {
    /// Another connection held the database for longer than we wait. Trying again is right.
    #[error("the database is busy")]
    Busy,
    /// No room is left on the disk.
    #[error("no space is left for the database")]
    NoSpace,
    /// What is stored does not read back.
    #[error("the database is damaged: {0}")]
    Corrupt(String),
    /// Anything else, for the log.
    #[error("the database failed: {0}")]
    Unexpected(String),
}

impl From<&StorageError> for Status {
    /// Says whether a retry is right, and nothing about how the service is built.
    fn from(error: &StorageError) -> Self {
        match error {
            StorageError::Busy | StorageError::NoSpace => Self::new(
                Code::Unavailable,
                "STORAGE_BUSY",
                "storage is busy; nothing was written",
            ),
            StorageError::Corrupt(_) | StorageError::Unexpected(_) => Self::new(
                Code::Internal,
                "INTERNAL",
                "something went wrong; the log has it under the correlation id",
            ),
        }
    }
}
