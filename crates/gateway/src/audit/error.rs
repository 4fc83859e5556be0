//! Errors of reading the audit, and the Status of each.

use invoicing_contract::{FieldViolation, Status};
use invoicing_storage::StorageError;

use crate::rpc_response::OperationError;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AuditError {
    /// Fields of the request are invalid.
    #[error("{} fields of the request are wrong", .0.len())]
    Invalid(Vec<FieldViolation>),
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl OperationError for AuditError {
    fn storage_error(&self) -> Option<&StorageError> {
        match self {
            Self::Storage(error) => Some(error),
            Self::Invalid(_) => None,
        }
    }
}

impl From<AuditError> for Status {
    fn from(error: AuditError) -> Self {
        let message = error.to_string();
        match error {
            AuditError::Invalid(violations) => {
                Self::invalid("INVALID_REQUEST", message, violations)
            }
            AuditError::Storage(error) => Self::from(&error),
        }
    }
}
