//! Signing in as a person does: the window, the browser's page, and back through the deep link.

use super::{Desk, SCHEME};
use crate::browser::Browser;

/// An accountant of the demo, with roles in four organizations.
pub const NOURA: &str = "noura@alkhair.example";
/// Her password; the sign-in page shows it.
pub const PASSWORD: &str = "saffron-ledger-7";

impl Desk {
    /// Signs in as the accountant, in a window that speaks English, and waits for the work to begin.
    pub async fn sign_in(&self) {
        self.press("Continue in your browser").await;
        let address = self.opened_address().await;
        let browser = Browser::start(self.session()).await;
        browser.submit(&address, NOURA, PASSWORD).await;
        self.deep_link(&browser.callback(SCHEME).await);
        browser.close().await;
        self.see("Online").await;
    }
}
