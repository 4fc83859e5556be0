//! The deep link: who opens `com.invoicedesk.desktop:` addresses, and what happens when one arrives.

use invoicing_client::Desktop;
use tauri::AppHandle;
use tauri_plugin_deep_link::DeepLinkExt as _;
use url::Url;

/// The application's own scheme, as in tauri.conf.json.
pub(crate) const SCHEME: &str = "com.invoicedesk.desktop";

/// Registers the scheme for this user where an installer has not done so. On macOS only the bundle can.
pub(crate) fn register(app: &AppHandle) {
    if cfg!(target_os = "macos") || is_registered(app) {
        return;
    }
    if let Err(error) = app.deep_link().register_all() {
        // Signing in goes on through a loopback address.
        tracing::warn!(%error, "the scheme could not be registered");
    }
}

/// Whether the system will bring a callback to this application.
pub(crate) fn is_registered(app: &AppHandle) -> bool {
    app.deep_link().is_registered(SCHEME).unwrap_or(false)
}

/// Hands addresses to the core, which judges them. They hold codes, so they are not logged.
pub(crate) fn deliver(desktop: &Desktop, addresses: &[Url]) {
    for address in addresses {
        desktop.callback(address.as_str());
    }
}
