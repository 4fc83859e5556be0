//! Sign-in through the window, the page in the browser and the deep link.

use super::{AppWindow, SCHEME, WindowOptions};
use crate::browser::Browser;
use crate::service::Service;
use crate::xpath::string_literal;

/// An accountant of the demo seed with roles in four organizations.
pub const NOURA: &str = "noura@alkhair.example";

impl AppWindow {
    /// Starts the application in the environment "staging" of `service`, which other programs can use too, and signs in.
    pub async fn start_in_staging(service: &Service) -> Self {
        let mut window = Self::prepare(WindowOptions::default());
        window.add_staging(service);
        window.launch().await;
        window.click("staging").await;
        window.sign_in_with(&service.password(NOURA)).await;
        window
    }

    /// Signs in as [`NOURA`] in a window in English and waits until the session is online.
    pub async fn sign_in(&self) {
        let address = self.begin_sign_in().await;
        let password = self.password(NOURA).await;
        self.submit(&address, &password).await;
    }

    /// The same in an environment whose passwords the window does not know.
    pub async fn sign_in_with(&self, password: &str) {
        let address = self.begin_sign_in().await;
        self.submit(&address, password).await;
    }

    /// The same in a session that has ended.
    pub async fn continue_with(&self, password: &str) {
        self.click("Sign in to continue").await;
        let address = self.opened_address().await;
        self.submit(&address, password).await;
    }

    async fn begin_sign_in(&self) -> String {
        self.click("Continue in your browser").await;
        self.opened_address().await
    }

    async fn submit(&self, address: &str, password: &str) {
        let browser = Browser::start(self.session()).await;
        browser.submit(address, NOURA, password).await;
        self.deep_link(&browser.callback(SCHEME).await);
        browser.close().await;
        self.wait_for("Online").await;
    }

    /// The password of an account of the local environment, which the window shows while it waits for the browser.
    pub async fn password(&self, username: &str) -> String {
        let path = format!("//*[@data-password={}]", string_literal(username));
        let shown = self.find_visible(&path, "the password").await;
        // WebDriver's own text is empty where a text may be truncated.
        let text = shown.prop("textContent").await;
        text.ok().flatten().expect("the window shows a text")
    }
}
