//! Why the gateway does not start.

use invoicing_storage::StorageError;

/// Why the gateway does not start.
#[derive(Debug, thiserror::Error)]
pub enum GatewayStartError {
    /// Storage failed.
    #[error("while reading and writing what the service begins with: {0}")]
    Storage(#[from] StorageError),
    /// The HTTP client for tax authorities cannot be set up.
    #[error("tax authorities cannot be asked: {0}")]
    Authority(#[source] reqwest::Error),
}
