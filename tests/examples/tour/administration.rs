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

/// The form of a section: the button that opens it, a text that it has, and the name of its
/// screenshot.
fn form_of(section: &str) -> Option<[&'static str; 3]> {
    match section {
        "machines" => Some(["machines-add", "machines-name-hint", "a-new-machine-user"]),
        "ownTenant" => Some([
            "own-tenant-change",
            "own-tenant-edit-title",
            "changing-the-company-details",
        ]),
        "tenants" => Some(["tenants-add", "tenant-time-zone", "a-new-tenant"]),
        "plans" => Some(["plans-add", "limit-hint", "a-new-plan"]),
        _ => None,
    }
}

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
            if let Some(form) = form_of(section) {
                tour.open_form(form).await;
            }
            if *section == "tenants" {
                tour.tax_authority_of_a_tenant().await;
            }
        }
        if sections.contains(&"people") {
            tour.act_as_a_clerk().await;
        }
    }
}

impl Tour<'_> {
    async fn open_form(&mut self, [open, text, name]: [&str; 3]) {
        self.click(open).await;
        self.wait_for(text).await;
        self.screenshot(name).await;
        self.click("cancel").await;
        self.wait_until_gone("cancel").await;
    }

    async fn tax_authority_of_a_tenant(&mut self) {
        let tenant = match self.language {
            "ar" => "الأندلس للمنسوجات",
            _ => "Andalus Textiles",
        };
        let menu = self.messages.format("tenants-menu", &[("name", tenant)]);
        self.window.click(&menu).await;
        let form = ["authority-open", "authority-endpoint", "a-tax-authority"];
        self.open_form(form).await;
    }

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
