//! Why the gateway does not start.

use invoicing_storage::StorageError;

use crate::rest::RouteError;

/// Why the gateway does not start.
#[derive(Debug, thiserror::Error)]
pub enum GatewayStartError {
    /// Storage failed.
    #[error("storage does not give the key of page tokens")]
    Storage(#[from] StorageError),
    /// An operation of the contract cannot be served over REST.
    #[error("an operation cannot be served over REST")]
    Route(#[from] RouteError),
}
