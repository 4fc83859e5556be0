//! Windows and keys of the system: they reach its dialogs, and an application that no driver controls.

use std::process::Stdio;
use std::time::Duration;

use super::AppWindow;
use crate::driver::{wait_for_some, wait_until};

/// The limit for a window to open or close. The pages are rendered before the system asks how to print them.
const WINDOW_TIMEOUT: Duration = Duration::from_secs(60);

/// The title of the dialog that asks where to save a PDF file: the name that it proposes.
pub const SAVE_DIALOG: &str = r".*\.pdf";
/// The title of the dialog that asks how to print.
pub const PRINT_DIALOG: &str = "Print";

/// The end of the title of a window of the application, in either language.
pub(super) const PRODUCT: &str = "(Invoice Desk|مكتب الفواتير)$";

impl AppWindow {
    /// Waits for the window with this title (a regular expression), and gives it the focus of the system.
    pub async fn wait_for_system_window(&self, title: &str) {
        let found = wait_for_some(WINDOW_TIMEOUT, async || {
            let window = self.system_window(title)?;
            let focused = self
                .session
                .command("xdotool")
                .args(["windowactivate", "--sync", &window])
                .stderr(Stdio::null())
                .status();
            focused.is_ok_and(|status| status.success()).then_some(())
        });
        assert!(
            found.await.is_some(),
            "the system shows no window {title:?}"
        );
    }

    /// Waits until no window has this title.
    pub async fn wait_until_system_window_closed(&self, title: &str) {
        let what = format!("the window {title:?} is closed");
        wait_until(&what, WINDOW_TIMEOUT, async || {
            self.system_window(title).is_none().then_some(())
        })
        .await;
    }

    /// Gives the window of the application a size, in pixels of the screen.
    pub fn resize(&self, (width, height): (u32, u32)) {
        let (width, height) = (width.to_string(), height.to_string());
        self.xdotool(&["windowsize", &self.application_window(), &width, &height]);
    }

    /// The id of the window of the application; of several, that of the last one.
    pub(super) fn application_window(&self) -> String {
        let found = self
            .session
            .command("xdotool")
            .args(["search", "--onlyvisible", "--name", PRODUCT])
            .output();
        let found = found.expect("xdotool finds windows");
        String::from_utf8_lossy(&found.stdout)
            .lines()
            .last()
            .map(str::to_owned)
            .expect("the window is open")
    }

    /// Presses keys of the system, as `Escape` or `ctrl+a`.
    pub fn press_system_key(&self, keys: &str) {
        self.xdotool(&["key", "--clearmodifiers", keys]);
    }

    /// Types a text with keys of the system.
    pub fn type_system_keys(&self, text: &str) {
        self.xdotool(&["type", "--clearmodifiers", text]);
    }

    fn xdotool(&self, arguments: &[&str]) {
        let status = self.session.command("xdotool").args(arguments).status();
        let done = status.is_ok_and(|status| status.success());
        assert!(done, "xdotool failed: {arguments:?}");
    }

    fn system_window(&self, title: &str) -> Option<String> {
        let found = self
            .session
            .command("xdotool")
            .args(["search", "--onlyvisible", "--name", &format!("^{title}$")])
            .stderr(Stdio::null())
            .output();
        let found = String::from_utf8(found.ok()?.stdout).ok()?;
        found.lines().last().map(str::to_owned)
    }
}
