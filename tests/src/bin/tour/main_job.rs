//! The main job: sign in, look, write, issue, freeze, switch, sign out.

use end_to_end::browser::Browser;
use end_to_end::window::{Desk, NOURA, PASSWORD, SCHEME, WindowOptions};

use super::{ScreenshotSet, Tour};

/// Walks it on a fresh machine.
pub(super) async fn walk(machine: WindowOptions, screenshots: &mut ScreenshotSet) {
    let language = machine.language;
    let desk = Desk::start_on(machine).await;
    let mut tour = Tour::new(desk, language, screenshots);
    tour.sign_in().await;
    tour.list().await;
    tour.create().await;
    tour.issue_and_freeze().await;
    tour.switch().await;
    tour.sign_out().await;
}

impl Tour<'_> {
    async fn sign_in(&mut self) {
        self.see("sign-in-title").await;
        self.picture("sign-in").await;
        self.press("continue-in-browser").await;
        self.desk.opened_address().await;
        self.see("waiting-title").await;
        self.picture("waiting-for-the-browser").await;
        self.press("cancel").await;

        self.press("continue-in-browser").await;
        let address = self.desk.opened_address().await;
        self.desk.deep_link(&format!(
            "{SCHEME}:/oauth/local?code=none&state=of-another-attempt"
        ));
        self.see("error-callback-otherAttempt").await;
        self.picture("an-answer-to-another-attempt").await;

        let browser = Browser::start(self.desk.session()).await;
        browser
            .page()
            .goto(&address)
            .await
            .expect("the sign-in page opens");
        self.browser_picture(&browser, "the-sign-in-page").await;
        browser.submit_here(NOURA, "not the password").await;
        browser.see("[role=alert]").await;
        self.browser_picture(&browser, "a-wrong-password").await;
        browser.submit_here(NOURA, PASSWORD).await;
        let callback = browser.callback(SCHEME).await;
        // The same browser, asked again: now it knows somebody.
        for (page, name) in [
            (address.clone(), "choosing-an-account"),
            (self.password_page(&address), "choosing-a-new-password"),
        ] {
            browser.page().goto(&page).await.expect("the page opens");
            self.browser_picture(&browser, name).await;
        }
        self.desk.deep_link(&callback);
        browser.close().await;
    }

    /// Where people change their passwords, at the provider that `address` is of.
    fn password_page(&self, address: &str) -> String {
        let provider = url::Url::parse(address).expect("it is an address");
        let page = format!("/account/password?ui_locales={}", self.language);
        provider
            .join(&page)
            .expect("a path joins every address")
            .to_string()
    }

    async fn list(&mut self) {
        self.desk.see_rows().await;
        self.picture("invoices").await;
        self.desk.press_first_row().await;
        self.see("payable").await;
        self.picture("an-invoice").await;
        self.desk.keys("/", true).await;
        self.see("shortcuts").await;
        self.picture("shortcuts").await;
        self.press("close").await;
    }

    async fn create(&mut self) {
        self.press("new-invoice").await;
        self.see("field-issue-date").await;
        self.picture("a-new-invoice").await;
        let save = self
            .words
            .format("save-to", &[("organization", "Al-Khair Trading")]);
        self.desk.press(&save).await;
        self.see("act-goToFirst").await;
        self.picture("what-is-wrong-with-it").await;
        self.desk
            .type_at("buyer.name.en", "Riyadh Contracting Co.")
            .await;
        self.desk
            .type_at("buyer.name.ar", "شركة الرياض للمقاولات")
            .await;
        self.describe().await;
        self.desk.type_at("lines[0].quantity", "12").await;
        self.desk.type_at("lines[0].unitPrice", "1091.50").await;
        self.desk.see_part("15,062.70").await;
        self.picture("an-invoice-being-written").await;
        self.desk.press(&save).await;
        self.see("issue").await;
        self.picture("the-draft").await;
    }

    async fn issue_and_freeze(&mut self) {
        self.press("issue").await;
        self.see("issue-title").await;
        self.picture("issuing").await;
        let confirm = self.words.text("issue-confirm");
        self.desk.press_in_dialog(&confirm).await;
        self.press("freeze").await;
        self.see("freeze-title").await;
        self.picture("freezing").await;
        let confirm = self.words.text("freeze-confirm");
        self.desk.press_in_dialog(&confirm).await;
        self.press("credit-note").await;
        self.see("editor-new-creditNote").await;
        self.picture("a-credit-note").await;
        self.press("drafts").await;
        self.picture("drafts").await;
    }

    async fn switch(&mut self) {
        self.desk.keys("o", true).await;
        self.see("switcher-title").await;
        self.picture("the-organizations").await;
        self.desk.press("kuwaithorizon.example").await;
        self.desk.see_part("KWD").await;
        self.picture("another-organization").await;
        self.desk.keys("o", true).await;
        self.see("switcher-title").await;
        self.desk.press("dhowlogistics.example").await;
        let unavailable = self.words.format(
            "error-organization",
            &[("organization", "dhowlogistics.example")],
        );
        self.desk.see_part(&unavailable).await;
        self.picture("an-organization-that-is-not-available").await;
        self.press("details").await;
        self.see("detail-correlation").await;
        self.picture("details-for-support").await;
    }

    async fn sign_out(&mut self) {
        let menu = self
            .words
            .format("account-menu", &[("name", "Noura Al-Harbi")]);
        self.desk.press(&menu).await;
        self.see("sign-out").await;
        self.picture("the-account-menu").await;
        self.press("sign-out").await;
        self.see("sign-in-title").await;
        self.picture("signed-out").await;
    }
}
