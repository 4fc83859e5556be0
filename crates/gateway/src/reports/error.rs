//! Errors of reports, and the Status of each.

use invoicing_contract::{FieldViolation, Status};
use invoicing_storage::StorageError;

use crate::rpc_response::OperationError;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReportError {
    /// Fields of the request are invalid.
    #[error("{} fields of the request are wrong", .0.len())]
    InvalidRequest(Vec<FieldViolation>),
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl OperationError for ReportError {
    fn storage_error(&self) -> Option<&StorageError> {
        match self {
            Self::Storage(error) => Some(error),
            Self::InvalidRequest(_) => None,
        }
    }
}

impl From<FieldViolation> for ReportError {
    fn from(violation: FieldViolation) -> Self {
        Self::InvalidRequest(vec![violation])
    }
}

impl From<ReportError> for Status {
    fn from(error: ReportError) -> Self {
        let message = error.to_string();
        match error {
            ReportError::InvalidRequest(violations) => {
                Self::invalid("INVALID_REQUEST", message, violations)
            }
            ReportError::Storage(error) => Self::from(&error),
        }
    }
}
