//! The [`Host`] for a page in a browser: what it opens, shows and saves.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use invoicing_client::views::{ApplicationMenu, Notice};
use invoicing_client::{BoxFuture, BrowserNotOpened, Host, WindowKey, WindowNotOpened};
use serde::Serialize;
use url::Url;

/// The [`Host`] for a page in a browser. It has no URL scheme, so callbacks use the loopback redirect URI. Files are saved in the
/// folder `saved` of the data, a single one under its suggested name.
pub(super) struct PageHost {
    opened: Mutex<Option<Url>>,
    windows: Mutex<Windows>,
    saved: PathBuf,
}

/// Labels of windows, in the order of the calls, and what they have asked of the system.
#[derive(Clone, Default, Serialize)]
pub(super) struct Windows {
    opened: Vec<String>,
    shown: Vec<String>,
    /// Notifications of the system.
    notices: Vec<Notice>,
    /// The menu bar that a page has described last: this program has none to show.
    menu: Option<ApplicationMenu>,
}

impl PageHost {
    /// A host of the core whose files are in the folder `data`.
    pub(super) fn new(data: &Path) -> Self {
        Self {
            opened: Mutex::default(),
            windows: Mutex::default(),
            saved: data.join("saved"),
        }
    }

    /// The last address that the core asked to open in the system browser.
    pub(super) fn opened(&self) -> MutexGuard<'_, Option<Url>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the windows have asked for until now.
    pub(super) fn windows(&self) -> MutexGuard<'_, Windows> {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for PageHost {
    fn open_browser(&self, address: &Url) -> Result<(), BrowserNotOpened> {
        *self.opened() = Some(address.clone());
        Ok(())
    }

    fn scheme_registered(&self) -> bool {
        false
    }

    fn bring_to_front(&self) {}

    fn open_window(&self, window: &WindowKey) -> Result<(), WindowNotOpened> {
        self.windows().opened.push(window.as_str().to_owned());
        Ok(())
    }

    fn show_window(&self, window: &WindowKey) {
        self.windows().shown.push(window.as_str().to_owned());
    }

    fn show_menu(&self, _window: &WindowKey, menu: &ApplicationMenu) -> bool {
        self.windows().menu = Some(menu.clone());
        true
    }

    fn notify(&self, notice: &Notice) {
        self.windows().notices.push(notice.clone());
    }

    fn choose_file(&self, _window: &WindowKey, name: &str) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(std::future::ready(Some(self.saved.join(name))))
    }

    fn choose_folder(&self, _window: &WindowKey, _what: &str) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(std::future::ready(Some(self.saved.clone())))
    }
}
