//! The deep link: registers the URI scheme `com.invoicedesk.desktop` and passes its addresses to the core.

use std::sync::Arc;

use invoicing_client::Desktop;
use tauri::AppHandle;
use tauri_plugin_deep_link::DeepLinkExt as _;
use url::Url;

/// The application's own scheme, as in tauri.conf.json.
pub(crate) const SCHEME: &str = "com.invoicedesk.desktop";

/// Registers the scheme for this user, unless an installer has done so. On macOS only the bundle can register it.
pub(crate) fn register(app: &AppHandle) {
    if cfg!(target_os = "macos") || is_registered(app) {
        return;
    }
    if let Err(error) = app.deep_link().register_all() {
        // Sign-in falls back to a loopback redirect URI.
        tracing::warn!(%error, "the scheme could not be registered");
    }
}

/// Whether the system passes addresses with the scheme to this application.
pub(crate) fn is_registered(app: &AppHandle) -> bool {
    app.deep_link().is_registered(SCHEME).unwrap_or(false)
}

/// Passes addresses to the core, which verifies them. They contain authorization codes, so they are not logged.
pub(crate) fn deliver(desktop: &Arc<Desktop>, addresses: &[Url]) {
    for address in addresses {
        desktop.follow(address.as_str());
    }
}
