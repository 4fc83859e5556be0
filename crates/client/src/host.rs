//! What the core asks of the program around it: a browser, a scheme, a window, an embedded service.

use std::future::Future;
use std::pin::Pin;

use invoicing_contract::ready::Ready;
use thiserror::Error;
use url::Url;

use crate::views::CommandError;

/// A future behind a pointer, for traits that are used as objects.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The program around the core.
pub trait Host: Send + Sync {
    /// Opens the system browser. The address is one that the core made and checked.
    ///
    /// # Errors
    /// The system has no browser, or did not start it.
    fn open_browser(&self, address: &Url) -> Result<(), BrowserNotOpened>;

    /// Whether the system hands the application's own scheme to this application.
    fn scheme_registered(&self) -> bool;

    /// Shows the window again, after the browser came back.
    fn bring_to_front(&self);
}

/// No browser was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the system did not open a browser")]
pub struct BrowserNotOpened;

/// The service that is embedded in the application, for practice.
pub trait LocalEnvironment: Send + Sync {
    /// Starts it once, and says how to reach it. Later calls give the same answer.
    fn start(&self) -> BoxFuture<'_, Result<Ready, LocalEnvironmentError>>;
}

/// Why the embedded service did not start. `what` is a port or a folder, to be shown.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LocalEnvironmentError {
    /// Another program listens there.
    #[error("{what} is in use")]
    PortInUse {
        /// The port.
        what: String,
    },
    /// Its database cannot be read.
    #[error("the database in {what} cannot be read")]
    CorruptDatabase {
        /// The folder.
        what: String,
    },
    /// The disk is full.
    #[error("there is no space left for {what}")]
    NoSpace {
        /// The folder.
        what: String,
    },
    /// Anything else.
    #[error("the embedded service did not start: {reason}")]
    Other {
        /// What the system says.
        reason: String,
    },
}

impl From<LocalEnvironmentError> for CommandError {
    fn from(error: LocalEnvironmentError) -> Self {
        let (reason, what) = match error {
            LocalEnvironmentError::PortInUse { what } => ("portInUse", what),
            LocalEnvironmentError::CorruptDatabase { what } => ("corruptDatabase", what),
            LocalEnvironmentError::NoSpace { what } => ("noSpace", what),
            LocalEnvironmentError::Other { reason } => ("other", reason),
        };
        Self::LocalEnvironment {
            reason: reason.to_owned(),
            what,
        }
    }
}
