//! The deep link: registers the URI scheme `com.invoicedesk.desktop` and passes its addresses to the core.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use invoicing_client::Desktop;
use tauri::{AppHandle, Manager as _};
use tauri_plugin_deep_link::DeepLinkExt as _;
use url::Url;

use crate::opened_files;

/// The application's own scheme, as in tauri.conf.json.
pub(crate) const SCHEME: &str = "com.invoicedesk.desktop";

/// The registration of the scheme. It is done once, and who needs it waits for it: on Linux it starts some forty programs, which
/// would delay the first window by a tenth of a second.
#[derive(Default)]
pub(crate) struct Registration(OnceLock<()>);

/// By this time after its page is loaded, a window usually has its first rows.
const FIRST_ROWS: Duration = Duration::from_secs(2);

/// Registers the scheme on another thread, when the first window has its rows. Who signs in before does not wait for that.
pub(crate) fn register_in_background(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(FIRST_ROWS).await;
        tauri::async_runtime::spawn_blocking(move || register_once(&app));
    });
}

/// Whether the system passes addresses with the scheme to this application.
pub(crate) fn is_registered(app: &AppHandle) -> bool {
    register_once(app);
    passes_addresses(app)
}

/// Registers the scheme for this user, unless an installer has done so. On macOS only the bundle can register it.
fn register_once(app: &AppHandle) {
    app.state::<Registration>().0.get_or_init(|| {
        if cfg!(target_os = "macos") || passes_addresses(app) {
            return;
        }
        if let Err(error) = app.deep_link().register_all() {
            // Sign-in falls back to a loopback redirect URI.
            tracing::warn!(%error, "the scheme could not be registered");
        }
    });
}

fn passes_addresses(app: &AppHandle) -> bool {
    app.deep_link().is_registered(SCHEME).unwrap_or(false)
}

/// Passes addresses to the core, which verifies them. They contain authorization codes, so they are not logged. On macOS files that
/// are opened with this program arrive among them.
pub(crate) fn deliver(desktop: &Arc<Desktop>, addresses: &[Url]) {
    for address in addresses {
        if address.scheme() == "file" {
            opened_files::deliver_address(desktop, address);
        } else {
            desktop.follow(address.as_str());
        }
    }
}
