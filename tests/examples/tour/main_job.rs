//! The main workflow: sign in, list, create, issue, freeze, the rest of the day, switch the organization, sign out.

use end_to_end::browser::Browser;
use end_to_end::window::{AppWindow, NOURA, SCHEME, WindowOptions};
use serde_json::json;

use super::{Organization, ScreenshotSet, Tour};

/// Runs the main workflow in a new session.
pub(super) async fn run(options: WindowOptions, screenshots: &mut ScreenshotSet) {
    let language = options.language;
    let window = AppWindow::start_with(options).await;
    let mut tour = Tour::new(window, language, screenshots);
    tour.sign_in().await;
    tour.list().await;
    tour.create().await;
    tour.issue_and_freeze().await;
    tour.day().await;
    tour.link_of_another_organization().await;
    tour.switch().await;
    tour.sign_out().await;
}

impl Tour<'_> {
    async fn sign_in(&mut self) {
        self.wait_for("sign-in-title").await;
        self.screenshot("sign-in").await;
        self.click("continue-in-browser").await;
        self.window.opened_address().await;
        self.wait_for("waiting-title").await;
        self.screenshot("waiting-for-the-browser").await;
        self.click("cancel").await;

        self.click("continue-in-browser").await;
        let address = self.window.opened_address().await;
        let password = self.window.password(NOURA).await;
        self.window.deep_link(&format!(
            "{SCHEME}:/oauth/local?code=none&state=of-another-attempt"
        ));
        self.wait_for("error-callback-otherAttempt").await;
        self.screenshot("an-answer-to-another-attempt").await;

        let browser = Browser::start(self.window.session()).await;
        browser
            .page()
            .goto(&address)
            .await
            .expect("the sign-in page opens");
        self.browser_screenshot(&browser, "the-sign-in-page").await;
        browser.submit_here(NOURA, "not the password").await;
        browser.wait_for("[role=alert]").await;
        self.browser_screenshot(&browser, "a-wrong-password").await;
        browser.submit_here(NOURA, &password).await;
        let callback = browser.callback(SCHEME).await;
        // The browser now has a session at the provider, so it shows the account selection.
        for (page, name) in [
            (address.clone(), "choosing-an-account"),
            (self.password_page(&address), "choosing-a-new-password"),
        ] {
            browser.page().goto(&page).await.expect("the page opens");
            self.browser_screenshot(&browser, name).await;
        }
        self.window.deep_link(&callback);
        browser.close().await;
    }

    /// The address of the page for changing the password, at the provider of `address`.
    fn password_page(&self, address: &str) -> String {
        let provider = url::Url::parse(address).expect("it is an address");
        let page = format!("/account/password?ui_locales={}", self.language);
        provider
            .join(&page)
            .expect("a path joins every address")
            .to_string()
    }

    async fn list(&mut self) {
        self.window.wait_for_rows().await;
        self.screenshot("invoices").await;
        self.window.click_first_row().await;
        self.wait_for("payable").await;
        self.screenshot("an-invoice").await;
        self.window.send_keys("/", true).await;
        self.wait_for("shortcuts").await;
        self.screenshot("shortcuts").await;
        self.click("close").await;
    }

    async fn create(&mut self) {
        self.click("new-invoice").await;
        self.wait_for("field-issue-date").await;
        self.screenshot("a-new-invoice").await;
        self.save(Organization::Home).await;
        self.wait_for("act-goToFirst").await;
        self.screenshot("what-is-wrong-with-it").await;
        self.window
            .fill_field("buyer.name.en", "Riyadh Contracting Co.")
            .await;
        self.window
            .fill_field("buyer.name.ar", "شركة الرياض للمقاولات")
            .await;
        self.fill_description().await;
        self.window.fill_field("lines[0].quantity", "12").await;
        self.window
            .fill_field("lines[0].unitPrice", "1091.50")
            .await;
        self.window.wait_for_text("15,062.70").await;
        self.screenshot("an-invoice-being-written").await;
        self.move_draft().await;
        self.save(Organization::Home).await;
        self.wait_for("issue").await;
        self.screenshot("the-draft").await;
    }

    /// Asks where the draft that is open is to be moved.
    async fn move_draft(&mut self) {
        let palette = self.messages.text("palette");
        let command = self.messages.text("draft-move");
        self.window.send_keys("k", true).await;
        self.window.fill_label(&palette, &command).await;
        self.window.click(&command).await;
        self.wait_for("draft-move-from").await;
        self.screenshot("moving-a-draft").await;
        self.click("cancel").await;
        self.wait_until_gone("draft-move").await;
    }

    async fn issue_and_freeze(&mut self) {
        self.click("issue").await;
        self.wait_for("issue-title").await;
        self.screenshot("issuing").await;
        let confirm = self.messages.text("issue-confirm");
        self.window.click_in_dialog(&confirm).await;
        self.click("freeze").await;
        self.wait_for("freeze-title").await;
        self.screenshot("freezing").await;
        let confirm = self.messages.text("freeze-confirm");
        self.window.click_in_dialog(&confirm).await;
        self.click("credit-note").await;
        self.wait_for("credit-hint").await;
        self.screenshot("what-to-credit").await;
        let one = self.messages.counted("credit-continue", 1);
        self.window.click_in_dialog(&one).await;
        self.wait_for("editor-new-creditNote").await;
        self.screenshot("a-credit-note").await;
        self.click("drafts").await;
        self.screenshot("drafts").await;
    }

    /// Pastes a link to a document of another organization, which opens nothing here.
    async fn link_of_another_organization(&mut self) {
        const PASTE: &str = "const clipboardData = new DataTransfer();
            clipboardData.setData('text/plain', arguments[0]);
            const paste = { clipboardData, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new ClipboardEvent('paste', paste));";
        let document = "274893003/018bcfeb-7e98-7b60-82b3-4143bc980000";
        let link = json!(format!("{SCHEME}:/documents/{document}"));
        let pasted = self.window.page().execute(PASTE, vec![link]).await;
        pasted.expect("the window runs the script");
        self.wait_for("link-title-otherOrganization").await;
        self.screenshot("a-link-of-another-organization").await;
        self.click("cancel").await;
        self.wait_until_gone("link-title-otherOrganization").await;
    }

    async fn switch(&mut self) {
        self.open_switcher().await;
        self.screenshot("the-organizations").await;
        self.click("pin").await;
        self.wait_for("unpin").await;
        self.screenshot("a-pinned-organization").await;
        self.window.click(self.name(Organization::ReadOnly)).await;
        self.window.wait_for_text("KWD").await;
        self.screenshot("another-organization").await;
        self.open_switcher().await;
        let name = self.name(Organization::WithoutTenant);
        self.window.click(name).await;
        let unavailable = self
            .messages
            .format("error-organization", &[("organization", name)]);
        self.window.wait_for_text(&unavailable).await;
        self.screenshot("an-organization-that-is-not-available")
            .await;
        self.click("details").await;
        self.wait_for("detail-correlation").await;
        self.screenshot("details-for-support").await;
    }

    async fn sign_out(&mut self) {
        let menu = self
            .messages
            .format("account-menu", &[("name", "Noura Al-Harbi")]);
        self.window.click(&menu).await;
        self.wait_for("sign-out").await;
        self.screenshot("the-account-menu").await;
        self.click("sign-out").await;
        self.wait_for("sign-in-title").await;
        self.screenshot("signed-out").await;
    }
}
