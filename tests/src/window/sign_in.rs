//! Sign-in through the window, the page in the browser and the deep link.

use super::{AppWindow, SCHEME};
use crate::browser::Browser;

/// An accountant of the demo seed with roles in four organizations.
pub const NOURA: &str = "noura@alkhair.example";
/// The password of [`NOURA`], which the sign-in page of the demo shows.
pub const PASSWORD: &str = "saffron-ledger-7";

impl AppWindow {
    /// Signs in as [`NOURA`] in a window in English and waits until the session is online.
    pub async fn sign_in(&self) {
        self.click("Continue in your browser").await;
        let address = self.opened_address().await;
        let browser = Browser::start(self.session()).await;
        browser.submit(&address, NOURA, PASSWORD).await;
        self.deep_link(&browser.callback(SCHEME).await);
        browser.close().await;
        self.wait_for("Online").await;
    }
}
