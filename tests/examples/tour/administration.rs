//! The administration, as those see it who have it: the administrator of an organization, and an operator of the platform.

use end_to_end::browser::Browser;
use end_to_end::window::{AppWindow, SCHEME, WindowOptions};

use super::{ScreenshotSet, Tour};

/// Who administers what, and the sections that they find.
const SECTIONS: [(&str, &[&str]); 2] = [
    (
        "khalid@alkhair.example",
        &["people", "machines", "plan", "audit", "ownTenant"],
    ),
    (
        "hessa@diwan.example",
        &["tenants", "plans", "rules", "platformAudit"],
    ),
];

/// Goes through the administration, each person in a new session.
pub(super) async fn run(options: WindowOptions, screenshots: &mut ScreenshotSet) {
    for (username, sections) in SECTIONS {
        let language = options.language;
        let window = AppWindow::start_with(options.clone()).await;
        let mut tour = Tour::new(window, language, screenshots);
        tour.sign_in_as(username).await;
        tour.click("administration").await;
        for section in sections {
            tour.click(&format!("administration-{section}")).await;
            tour.wait_until_read().await;
            tour.screenshot(&format!("administration-{section}")).await;
        }
        if sections.contains(&"people") {
            tour.act_as_a_clerk().await;
        }
    }
}

impl Tour<'_> {
    async fn act_as_a_clerk(&mut self) {
        self.click("administration-people").await;
        self.wait_until_read().await;
        let menu = [("name", "Salem Al-Otaibi")];
        let menu = self.messages.format("people-menu", &menu);
        self.window.click(&menu).await;
        self.click("impersonate-open").await;
        self.wait_for("impersonate").await;
        self.screenshot("before-acting-as-somebody-else").await;
        let confirm = self.messages.text("impersonate");
        self.window.click_in_dialog(&confirm).await;
        self.wait_for("impersonation-end").await;
        self.wait_until_read().await;
        self.screenshot("acting-as-somebody-else").await;
    }

    pub(super) async fn sign_in_as(&self, username: &str) {
        self.click("continue-in-browser").await;
        let address = self.window.opened_address().await;
        let password = self.window.password(username).await;
        let browser = Browser::start(self.window.session()).await;
        browser.submit(&address, username, &password).await;
        self.window.deep_link(&browser.callback(SCHEME).await);
        browser.close().await;
    }
}
