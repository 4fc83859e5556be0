//! Windows: created hidden and shown once painted, so that nothing flashes; restored on a visible screen; brought to the front.

use tauri::utils::config::Color;
use tauri::webview::PageLoadEvent;
use tauri::{
    AppHandle, Manager as _, Runtime, Theme, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
};
use tauri_plugin_window_state::StateFlags;

pub(crate) const MAIN: &str = "main";
/// `--paper` of the two themes.
const PAPER: Color = Color(0xfb, 0xfa, 0xf8, 0xff);
const PAPER_NIGHT: Color = Color(0x15, 0x17, 0x1a, 0xff);

/// Opens the main window.
pub(crate) fn open_main(app: &AppHandle) -> tauri::Result<WebviewWindow> {
    let window = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::default())
        .title("Invoice Desk")
        .inner_size(1280.0, 800.0)
        .min_inner_size(480.0, 360.0)
        .center()
        .visible(false)
        .on_navigation(|address| {
            matches!(address.scheme(), "tauri") || address.host_str() == Some("tauri.localhost")
        })
        .on_page_load(|window, payload| {
            if let PageLoadEvent::Finished = payload.event()
                && let Err(error) = window.show()
            {
                tracing::error!(%error, "the window could not be shown");
            }
        })
        .build()?;
    let paper = if window.theme().is_ok_and(|theme| theme == Theme::Dark) {
        PAPER_NIGHT
    } else {
        PAPER
    };
    window.set_background_color(Some(paper))?;
    Ok(window)
}

/// Shows the main window above the others, after an authorization response or a second start.
pub(crate) fn bring_to_front(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else {
        return;
    };
    for step in [window.unminimize(), window.show(), window.set_focus()] {
        if let Err(error) = step {
            tracing::debug!(%error, "the window could not be brought to the front");
        }
    }
}

/// Saves size and position between starts, but not visibility: [`open_main`] controls it.
pub(crate) fn state_plugin<R: Runtime>() -> tauri::plugin::TauriPlugin<R> {
    tauri_plugin_window_state::Builder::default()
        .with_state_flags(StateFlags::all() - StateFlags::VISIBLE)
        .build()
}
