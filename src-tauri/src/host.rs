//! The Tauri application as the host of the core.

use invoicing_client::{BrowserNotOpened, Host};
use tauri::AppHandle;
use tauri_plugin_opener::OpenerExt as _;
use url::Url;

use crate::{deep_link, window};

/// The running Tauri application.
pub(crate) struct Shell {
    app: AppHandle,
}

impl Shell {
    pub(crate) const fn new(app: AppHandle) -> Self {
        Self { app }
    }
}

impl Host for Shell {
    fn open_browser(&self, address: &Url) -> Result<(), BrowserNotOpened> {
        self.app
            .opener()
            .open_url(address.as_str(), None::<&str>)
            .map_err(|error| BrowserNotOpened(error.into()))
    }

    fn scheme_registered(&self) -> bool {
        deep_link::is_registered(&self.app)
    }

    fn bring_to_front(&self) {
        window::bring_to_front(&self.app);
    }
}
