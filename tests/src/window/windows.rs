//! Several windows of the application: which of them the other methods act on, their titles, and quitting.

use std::time::Duration;

use thirtyfour::WindowHandle;

use super::AppWindow;
use super::system_windows::PRODUCT;
use crate::driver::wait_until;

/// The limit for a window to open, or to get its title.
const OPEN_TIMEOUT: Duration = Duration::from_secs(20);

impl AppWindow {
    /// The window that the other methods act on.
    pub async fn current_window(&self) -> WindowHandle {
        let current = self.page().window().await;
        current.expect("a window is open")
    }

    /// Makes a window the one that the other methods act on.
    pub async fn go_to_window(&self, window: &WindowHandle) {
        let switched = self.page().switch_to_window(window.clone()).await;
        switched.expect("the window is open");
    }

    /// Waits for a window that is none of `known`, and makes it the one that the other methods act on.
    pub async fn go_to_new_window(&self, known: &[&WindowHandle]) -> WindowHandle {
        let opened = wait_until("another window opens", OPEN_TIMEOUT, async || {
            let windows = self.page().windows().await.ok()?;
            windows.into_iter().find(|window| !known.contains(&window))
        })
        .await;
        self.go_to_window(&opened).await;
        opened
    }

    /// Waits until the system lists windows of these organizations and no others, by their titles, in any order.
    pub async fn wait_for_windows_of(&self, organizations: &[&str]) {
        let mut expected = organizations.to_vec();
        expected.sort_unstable();
        let what = format!("the windows are of {expected:?}");
        wait_until(&what, OPEN_TIMEOUT, async || {
            let titles = self.titles();
            let mut shown: Vec<_> = titles
                .iter()
                .filter_map(|title| title.split(" – ").next())
                .collect();
            shown.sort_unstable();
            (shown == expected).then_some(())
        })
        .await;
    }

    /// The titles of the windows, as the system lists them.
    fn titles(&self) -> Vec<String> {
        let listed = self
            .session
            .command("xdotool")
            .args(["search", "--onlyvisible", "--name", PRODUCT])
            .args(["getwindowname", "%@"])
            .output();
        let listed = listed.expect("xdotool lists windows");
        let names = String::from_utf8_lossy(&listed.stdout);
        names.lines().map(str::to_owned).collect()
    }

    /// Quits with Ctrl+Q and waits until the application is gone.
    pub async fn quit(&mut self) {
        // The WebDriver session ends with the application, so its answer to the keys may be an error.
        drop(self.try_send_keys("q", true).await);
        self.wait_until_ended().await;
    }
}
