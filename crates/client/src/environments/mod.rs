//! Environments: the services that the user can sign in to.

mod environment;
mod error;
mod fields;
mod network;
mod removed;
mod store;
#[cfg(test)]
mod tests;

pub use crate::views::EnvironmentConfig;
pub use environment::Environment;
pub use error::EnvironmentError;
pub(crate) use network::{CaFileError, Proxy};
pub(crate) use store::Environments;

/// The application's own URI scheme (RFC 8252, section 7.1). The path after it names the environment.
pub const SCHEME: &str = "com.invoicedesk.desktop";

/// The name of the embedded environment.
pub const LOCAL: &str = "local";
