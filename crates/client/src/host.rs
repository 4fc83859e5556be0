//! What the core needs from the program around it: a browser, the URI scheme, a window, the embedded service.

use std::error::Error;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;

use invoicing_contract::ready::Ready;
use thiserror::Error;
use url::Url;

use crate::views::{ApplicationMenu, CommandError, LocalEnvironmentProblem, Notice, Zoom};
use crate::{LogTimeline, WindowKey};

/// A boxed future, for traits that are used as objects.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The program around the core: the Tauri shell, `ui-host` or a test.
pub trait Host: Send + Sync {
    /// Opens `address` in the system browser. The core built and checked the address.
    ///
    /// # Errors
    /// The system has no browser, or did not start it.
    fn open_browser(&self, address: &Url) -> Result<(), BrowserNotOpened>;

    /// Whether the system passes addresses with the application's own URI scheme to this application.
    fn scheme_registered(&self) -> bool;

    /// Brings the window that had the focus last to the front, after the browser returned the authorization response.
    fn bring_to_front(&self);

    /// The window that [`bring_to_front`](Self::bring_to_front) brings there. `None`: this program does not know it.
    fn front_window(&self) -> Option<WindowKey> {
        None
    }

    /// Opens a window, which the core has registered.
    ///
    /// # Errors
    /// The system did not open it, or this program has one window only.
    fn open_window(&self, window: &WindowKey) -> Result<(), WindowNotOpened> {
        let _ = window;
        Err(WindowNotOpened("this program has one window".into()))
    }

    /// Brings a window to the front.
    fn show_window(&self, window: &WindowKey) {
        let _ = window;
        self.bring_to_front();
    }

    /// Shows everything in the windows in this size. A program whose pages are shown by a browser leaves that to the browser.
    fn set_zoom(&self, zoom: Zoom) {
        let _ = zoom;
    }

    /// Shows the menu bar, if the window has the focus. Returns whether the system has one.
    fn show_menu(&self, window: &WindowKey, menu: &ApplicationMenu) -> bool {
        let _ = (window, menu);
        false
    }

    /// Ends the program with all its windows.
    fn quit(&self) {}

    /// Whether a window has the focus of the system.
    fn has_focus(&self, window: &WindowKey) -> bool {
        let _ = window;
        false
    }

    /// Shows a notification of the system.
    fn notify(&self, notice: &Notice) {
        let _ = notice;
    }

    /// The end of the log, for support packets. `None` if this program keeps none.
    fn log(&self) -> Option<LogTimeline> {
        None
    }

    /// Asks the user of a window for a file to save to, with `name` as the suggestion. `None` if the user cancelled, or the
    /// program has no such dialog.
    fn choose_file(&self, window: &WindowKey, name: &str) -> BoxFuture<'_, Option<PathBuf>> {
        let _ = (window, name);
        Box::pin(std::future::ready(None))
    }

    /// Asks the user of a window for a folder to save files to, which is there then. `what` says what is saved, in every language.
    /// `None` as for [`choose_file`](Self::choose_file).
    fn choose_folder(&self, window: &WindowKey, what: &str) -> BoxFuture<'_, Option<PathBuf>> {
        let _ = (window, what);
        Box::pin(std::future::ready(None))
    }
}

/// The system did not open a browser.
#[derive(Debug, Error)]
#[error("the system did not open a browser")]
pub struct BrowserNotOpened(#[source] pub Box<dyn Error + Send + Sync>);

/// The system did not open a window.
#[derive(Debug, Error)]
#[error("the window was not opened")]
pub struct WindowNotOpened(#[source] pub Box<dyn Error + Send + Sync>);

/// The service that is embedded in the application, for practice.
pub trait LocalEnvironment: Send + Sync {
    /// Starts the service once and returns its addresses. Later calls return the same.
    fn start(&self) -> BoxFuture<'_, Result<Ready, LocalEnvironmentError>>;
}

/// Why the embedded service did not start.
#[derive(Debug, Error)]
pub enum LocalEnvironmentError {
    /// Another program listens on the port.
    #[error("port {port} is in use")]
    PortInUse {
        /// The port.
        port: u16,
    },
    /// The database cannot be read.
    #[error("the database in {} cannot be read", folder.display())]
    CorruptDatabase {
        /// The folder of the database.
        folder: PathBuf,
        /// What the database driver reported.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// The disk is full.
    #[error("there is no space left in {}", folder.display())]
    NoSpace {
        /// The folder of the database.
        folder: PathBuf,
    },
    /// Anything else.
    #[error("the embedded service did not start")]
    Other(#[source] Box<dyn Error + Send + Sync>),
}

impl From<LocalEnvironmentError> for CommandError {
    fn from(error: LocalEnvironmentError) -> Self {
        tracing::warn!(
            error = &error as &dyn Error,
            "the embedded service did not start"
        );
        let (reason, what) = match error {
            LocalEnvironmentError::PortInUse { port } => {
                (LocalEnvironmentProblem::PortInUse, port.to_string())
            }
            LocalEnvironmentError::CorruptDatabase { folder, .. } => (
                LocalEnvironmentProblem::CorruptDatabase,
                folder.display().to_string(),
            ),
            LocalEnvironmentError::NoSpace { folder } => (
                LocalEnvironmentProblem::NoSpace,
                folder.display().to_string(),
            ),
            LocalEnvironmentError::Other(source) => {
                (LocalEnvironmentProblem::Other, source.to_string())
            }
        };
        Self::LocalEnvironment { reason, what }
    }
}
