//! Windows: shown in the colour of the page before it is loaded, so that nothing flashes; restored on a visible screen; brought to the
//! front.

use std::sync::{Mutex, PoisonError};

use tauri::utils::config::Color;
use tauri::webview::PageLoadEvent;
use tauri::{
    AppHandle, Manager as _, Runtime, Theme, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
};
use tauri_plugin_window_state::StateFlags;
use url::Url;

use crate::deep_link;

/// The label of the first window.
pub(crate) const MAIN: &str = "main";
/// The labels of the others.
pub(crate) const OTHERS: &str = "window-*";
/// `--paper` of the two themes.
const PAPER: Color = Color(0xfb, 0xfa, 0xf8, 0xff);
const PAPER_NIGHT: Color = Color(0x15, 0x17, 0x1a, 0xff);

/// Opens a window under its label: the windows that were open when the program ended, or a new one. The page names the
/// organization and the environment in the title.
pub(crate) fn open(app: &AppHandle, label: &str) -> tauri::Result<WebviewWindow> {
    let window = WebviewWindowBuilder::new(app, label, WebviewUrl::default())
        .title("Invoice Desk")
        .on_document_title_changed(|window, title| {
            if let Err(error) = window.set_title(&title) {
                tracing::warn!(%error, "the title of a window could not be set");
            }
        })
        .inner_size(1280.0, 800.0)
        .min_inner_size(480.0, 360.0)
        .center()
        // Until it has its place of the last time, and its colour.
        .visible(false)
        // The page takes dropped files itself: it gets their content and never a path (decision 0141).
        .disable_drag_drop_handler()
        .on_navigation(|address| is_application_origin(address, cfg!(windows)))
        .on_page_load(|window, payload| {
            if let PageLoadEvent::Finished = payload.event() {
                deep_link::register_in_background(window.app_handle());
            }
        })
        .build()?;
    let paper = if window.theme().is_ok_and(|theme| theme == Theme::Dark) {
        PAPER_NIGHT
    } else {
        PAPER
    };
    window.set_background_color(Some(paper))?;
    window.show()?;
    Ok(window)
}

/// Whether `address` is of the application itself: the exact origin, because another port is another program. WebView2 knows
/// no scheme of our own (decision 0057).
fn is_application_origin(address: &Url, webview2: bool) -> bool {
    let (scheme, host) = if webview2 {
        ("http", "tauri.localhost")
    } else {
        ("tauri", "localhost")
    };
    address.scheme() == scheme
        && address.host_str() == Some(host)
        && address.port().is_none()
        && address.username().is_empty()
        && address.password().is_none()
}

/// The label of the window that had the focus last.
#[derive(Default)]
pub(crate) struct LastFocused(Mutex<Option<String>>);

impl LastFocused {
    pub(crate) fn set(&self, label: &str) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(label.to_owned());
    }

    pub(crate) fn get(&self) -> Option<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Shows the window that had the focus last above the others, after an authorization response or a second start.
pub(crate) fn bring_to_front(app: &AppHandle) {
    let last = app.state::<LastFocused>().get();
    let last = last.and_then(|label| app.get_webview_window(&label));
    let any = || app.webview_windows().into_values().next();
    if let Some(window) = last.or_else(any) {
        bring_window_to_front(&window);
    }
}

/// Shows a window above the others.
pub(crate) fn bring_window_to_front(window: &WebviewWindow) {
    for step in [window.unminimize(), window.show(), window.set_focus()] {
        if let Err(error) = step {
            tracing::debug!(%error, "the window could not be brought to the front");
        }
    }
}

/// Saves size and position between starts, but not visibility: [`open`] controls it.
pub(crate) fn state_plugin<R: Runtime>() -> tauri::plugin::TauriPlugin<R> {
    tauri_plugin_window_state::Builder::default()
        .with_state_flags(StateFlags::all() - StateFlags::VISIBLE)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_navigates_to_the_exact_origin_of_the_application_only() {
        for (address, own, webview2) in [
            ("tauri://localhost", true, false),
            ("tauri://localhost/index.html?a#b", true, false),
            ("http://tauri.localhost/", true, true),
            ("http://tauri.localhost:80/index.html", true, true),
            // The origin of the other platforms.
            ("http://tauri.localhost/", false, false),
            ("tauri://localhost/", false, true),
            ("tauri://localhost:4711/", false, false),
            ("tauri://evil.example/", false, false),
            ("tauri://user@localhost/", false, false),
            ("http://tauri.localhost:4711/", false, true),
            ("https://tauri.localhost/", false, true),
            ("ftp://tauri.localhost/", false, true),
            ("http://user:word@tauri.localhost/", false, true),
            ("http://tauri.localhost.evil.example/", false, true),
            ("http://localhost/", false, true),
            ("https://example.com/", false, false),
            ("about:blank", false, false),
            ("data:text/html,x", false, false),
            ("file:///etc/hosts", false, false),
        ] {
            let address: Url = address.parse().unwrap();
            assert_eq!(
                is_application_origin(&address, webview2),
                own,
                "{address} webview2: {webview2}"
            );
        }
    }

    #[test]
    fn content_security_policy_allows_nothing_by_default_and_no_base_form_or_frame() {
        let configuration: serde_json::Value =
            serde_json::from_str(include_str!("../tauri.conf.json")).unwrap();
        let policy = configuration["app"]["security"]["csp"].as_str().unwrap();
        let directives: Vec<_> = policy.split(';').map(str::trim).collect();
        for directive in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(directives.contains(&directive), "no {directive}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
    }
}
