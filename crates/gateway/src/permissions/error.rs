//! Errors of permissions, and the Status of each.

use invoicing_contract::Status;
use invoicing_storage::StorageError;

use crate::rpc_response::OperationError;

/// Why the permissions are not known.
#[derive(Debug, thiserror::Error)]
pub(super) enum PermissionsError {
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl OperationError for PermissionsError {
    fn storage_error(&self) -> Option<&StorageError> {
        let Self::Storage(error) = self;
        Some(error)
    }
}

impl From<PermissionsError> for Status {
    fn from(PermissionsError::Storage(error): PermissionsError) -> Self {
        Self::from(&error)
    }
}
