//! Errors of the settings of tax authorities, and the Status of each.

use invoicing_contract::{Code, FieldViolation, Status};
use invoicing_storage::StorageError;

use crate::rpc_response::OperationError;

/// Why an operation was not done. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AuthorityError {
    /// Fields of the request are invalid.
    #[error("{} fields of the request are wrong", .0.len())]
    Invalid(Vec<FieldViolation>),
    /// The organization is no tenant.
    #[error("there is no such tenant")]
    NoTenant,
    /// The tenant has no tax authority.
    #[error("the tenant has no tax authority")]
    NotFound,
    /// The tenant has a tax authority.
    #[error("the tenant has a tax authority")]
    Exists,
    /// The settings were written since the stamp was read.
    #[error("the tax authority has changed since it was read")]
    StampMismatch,
    /// Credentials cannot be stored without a key, or not be read without theirs.
    #[error("the service has no key for these credentials: name a key file")]
    NoEncryptionKey,
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl OperationError for AuthorityError {
    fn storage_error(&self) -> Option<&StorageError> {
        match self {
            Self::Storage(error) => Some(error),
            Self::Invalid(_)
            | Self::NoTenant
            | Self::NotFound
            | Self::Exists
            | Self::StampMismatch
            | Self::NoEncryptionKey => None,
        }
    }
}

impl From<FieldViolation> for AuthorityError {
    fn from(violation: FieldViolation) -> Self {
        Self::Invalid(vec![violation])
    }
}

impl From<AuthorityError> for Status {
    fn from(error: AuthorityError) -> Self {
        let message = error.to_string();
        match error {
            AuthorityError::Invalid(violations) => {
                Self::invalid("INVALID_REQUEST", message, violations)
            }
            AuthorityError::NoTenant => Self::new(Code::NotFound, "TENANT_NOT_FOUND", message),
            AuthorityError::NotFound => Self::new(Code::NotFound, "AUTHORITY_NOT_FOUND", message),
            AuthorityError::Exists => Self::new(Code::AlreadyExists, "AUTHORITY_EXISTS", message),
            AuthorityError::StampMismatch => Self::new(Code::Aborted, "STAMP_MISMATCH", message),
            AuthorityError::NoEncryptionKey => {
                Self::new(Code::FailedPrecondition, "ENCRYPTION_KEY_MISSING", message)
            }
            AuthorityError::Storage(error) => Self::from(&error),
        }
    }
}
