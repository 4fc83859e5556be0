//! The Tauri application as the host of the core.

use std::path::PathBuf;

use invoicing_client::views::{ApplicationMenu, Notice, Zoom};
use invoicing_client::{
    BoxFuture, BrowserNotOpened, Host, LogTimeline, WindowKey, WindowNotOpened,
};
use tauri::{AppHandle, Manager as _, Wry};
use tauri_plugin_dialog::{DialogExt as _, FileDialogBuilder, FilePath};
use tauri_plugin_opener::OpenerExt as _;
use tokio::sync::oneshot;
use url::Url;

use crate::{deep_link, menu, notification, window};

/// The running Tauri application.
pub(crate) struct Shell {
    app: AppHandle,
    log: LogTimeline,
}

impl Shell {
    pub(crate) const fn new(app: AppHandle, log: LogTimeline) -> Self {
        Self { app, log }
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

    fn front_window(&self) -> Option<WindowKey> {
        let last = self.app.state::<window::LastFocused>().get();
        last.map(WindowKey::from)
    }

    fn open_window(&self, window: &WindowKey) -> Result<(), WindowNotOpened> {
        let opened = window::open(&self.app, window.as_str());
        opened
            .map(drop)
            .map_err(|error| WindowNotOpened(error.into()))
    }

    fn show_window(&self, window: &WindowKey) {
        if let Some(window) = self.app.get_webview_window(window.as_str()) {
            window::bring_window_to_front(&window);
        }
    }

    fn set_zoom(&self, zoom: Zoom) {
        #[expect(
            clippy::float_arithmetic,
            reason = "the web view takes its zoom as a float; it is no amount"
        )]
        let factor = f64::from(zoom.percent()) / 100.0;
        for window in self.app.webview_windows().values() {
            if let Err(error) = window.set_zoom(factor) {
                tracing::warn!(%error, "the size of a window could not be set");
            }
        }
    }

    fn show_menu(&self, window: &WindowKey, menu: &ApplicationMenu) -> bool {
        if menu::HAS_MENU_BAR
            && self.has_focus(window)
            && let Err(error) = menu::show(&self.app, menu)
        {
            tracing::warn!(%error, "the menu bar could not be shown");
        }
        menu::HAS_MENU_BAR
    }

    fn quit(&self) {
        self.app.exit(0);
    }

    fn has_focus(&self, window: &WindowKey) -> bool {
        let window = self.app.get_webview_window(window.as_str());
        window.is_some_and(|window| window.is_focused().unwrap_or(false))
    }

    fn notify(&self, notice: &Notice) {
        notification::show(&self.app, notice);
    }

    fn log(&self) -> Option<LogTimeline> {
        Some(self.log.clone())
    }

    fn choose_file(&self, window: &WindowKey, name: &str) -> BoxFuture<'_, Option<PathBuf>> {
        let (chosen, choice) = oneshot::channel();
        let dialog = self.file_dialog(window, name).set_file_name(name);
        dialog.save_file(move |path| {
            // The receiver is gone if the program ends.
            let _ = chosen.send(path);
        });
        Box::pin(chosen_path(choice))
    }

    fn choose_folder(&self, window: &WindowKey, what: &str) -> BoxFuture<'_, Option<PathBuf>> {
        let (chosen, choice) = oneshot::channel();
        self.file_dialog(window, what).pick_folder(move |path| {
            let _ = chosen.send(path);
        });
        Box::pin(chosen_path(choice))
    }
}

impl Shell {
    /// A dialog for a file or a folder in front of a window.
    fn file_dialog(&self, window: &WindowKey, title: &str) -> FileDialogBuilder<Wry> {
        let mut dialog = self.app.dialog().file();
        // GTK's dialog has a title in English if it is given none. Those of the other systems have one in their language.
        if cfg!(target_os = "linux") {
            dialog = dialog.set_title(title);
        }
        // The dialog stays in front of the window that it belongs to. GTK has no parent for it.
        if let Some(window) = self.app.get_webview_window(window.as_str()) {
            dialog = dialog.set_parent(&window);
        }
        dialog
    }
}

async fn chosen_path(choice: oneshot::Receiver<Option<FilePath>>) -> Option<PathBuf> {
    choice.await.ok()??.into_path().ok()
}
