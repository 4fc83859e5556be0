//! Why particulars make no environment.

use thiserror::Error;

/// Why particulars make no environment.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EnvironmentError {
    /// The name is not 1 to 32 lower-case letters, digits and hyphens.
    #[error("the name must be 1 to 32 lower-case letters, digits and hyphens")]
    Name,
    /// Not an address without path, query, user or fragment.
    #[error("{field} is not the address of a server")]
    Address {
        /// Which.
        field: &'static str,
    },
    /// Not https, and not a loopback literal.
    #[error("{field} must be https")]
    NotHttps {
        /// Which.
        field: &'static str,
    },
    /// Empty, or with a character that a scope cannot hold.
    #[error("{field} is empty or holds a space or colon")]
    Identifier {
        /// Which.
        field: &'static str,
    },
    /// The embedded service has no application that people can sign in with.
    #[error("there is no public application")]
    NoPublicApplication,
}
