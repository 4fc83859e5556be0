//! What is kept, behind traits, so that another database can take SQLite's place.

pub mod applications;
pub mod audit;
pub mod directory;
pub mod documents;
pub mod keys;
pub mod pats;
pub mod provisioning;
pub mod sqlite;
pub mod subjects;
pub mod tokens;

pub use applications::ApplicationStore;
pub use audit::AuditStore;
pub use directory::DirectoryStore;
pub use documents::DocumentStore;
pub use keys::KeyStore;
pub use pats::PatStore;
pub use provisioning::ProvisioningStore;
pub use subjects::SubjectStore;
pub use tokens::TokenStore;

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
