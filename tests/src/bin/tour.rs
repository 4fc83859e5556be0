//! Walks the main job in the real window and writes numbered pictures to target/tour/, in both languages and both themes.

use std::fs;
use std::path::{Path, PathBuf};

use end_to_end::browser::Browser;
use end_to_end::window::{Desk, Machine, NOURA, PASSWORD, SCHEME};
use end_to_end::words::Words;

#[tokio::main]
async fn main() {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tour");
    if target.exists() {
        fs::remove_dir_all(&target).expect("the pictures of the last tour can be removed");
    }
    for language in ["en", "ar"] {
        for theme in ["light", "dark"] {
            let folder = target.join(format!("{language}-{theme}"));
            fs::create_dir_all(&folder).expect("the folder of the pictures can be made");
            let desk = Desk::start_on(Machine {
                width: 1360,
                height: 850,
                language,
                theme,
                ..Machine::default()
            })
            .await;
            Tour {
                desk,
                words: Words::of(language),
                language,
                folder,
                taken: 0,
            }
            .walk()
            .await;
        }
    }
}

struct Tour {
    desk: Desk,
    words: Words,
    language: &'static str,
    folder: PathBuf,
    taken: u32,
}

impl Tour {
    async fn walk(&mut self) {
        self.sign_in().await;
        self.list().await;
        self.create().await;
        self.issue_and_freeze().await;
        self.switch().await;
        self.sign_out().await;
    }

    async fn sign_in(&mut self) {
        self.see("sign-in-title").await;
        self.picture("sign-in");
        self.press("continue-in-browser").await;
        self.desk.opened_address().await;
        self.see("waiting-title").await;
        self.picture("waiting-for-the-browser");
        self.press("cancel").await;

        self.press("continue-in-browser").await;
        let address = self.desk.opened_address().await;
        self.desk.deep_link(&format!(
            "{SCHEME}:/oauth/local?code=none&state=of-another-attempt"
        ));
        self.see("error-callback-otherAttempt").await;
        self.picture("an-answer-to-another-attempt");

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
        self.desk.deep_link(&browser.callback(SCHEME).await);
        browser.close().await;
    }

    async fn list(&mut self) {
        self.desk.see_rows().await;
        self.picture("invoices");
        self.desk.press_first_row().await;
        self.see("payable").await;
        self.picture("an-invoice");
        self.desk.keys("/", true).await;
        self.see("shortcuts").await;
        self.picture("shortcuts");
        self.press("close").await;
    }

    async fn create(&mut self) {
        self.press("new-invoice").await;
        self.see("field-issue-date").await;
        self.picture("a-new-invoice");
        let save = self
            .words
            .say_with("save-to", &[("organization", "Al-Khair Trading")]);
        self.desk.press(&save).await;
        self.see("act-goToFirst").await;
        self.picture("what-is-wrong-with-it");
        self.desk
            .type_at("buyer.name.en", "Riyadh Contracting Co.")
            .await;
        self.desk
            .type_at("buyer.name.ar", "شركة الرياض للمقاولات")
            .await;
        let (description, text) = match self.language {
            "ar" => ("lines[0].description.ar", "عوارض فولاذية"),
            _ => ("lines[0].description.en", "Steel beams"),
        };
        self.desk.type_at(description, text).await;
        self.desk.type_at("lines[0].quantity", "12").await;
        self.desk.type_at("lines[0].unitPrice", "1091.50").await;
        self.desk.see_part("15,062.70").await;
        self.picture("an-invoice-being-written");
        self.desk.press(&save).await;
        self.see("issue").await;
        self.picture("the-draft");
    }

    async fn issue_and_freeze(&mut self) {
        self.press("issue").await;
        self.see("issue-title").await;
        self.picture("issuing");
        let confirm = self.words.say("issue-confirm");
        self.desk.press_in_dialog(&confirm).await;
        self.press("freeze").await;
        self.see("freeze-title").await;
        self.picture("freezing");
        let confirm = self.words.say("freeze-confirm");
        self.desk.press_in_dialog(&confirm).await;
        self.press("credit-note").await;
        self.see("editor-new-creditNote").await;
        self.picture("a-credit-note");
        self.press("drafts").await;
        self.picture("drafts");
    }

    async fn switch(&mut self) {
        self.desk.keys("o", true).await;
        self.see("switcher-title").await;
        self.picture("the-organizations");
        self.desk.press("kuwaithorizon.example").await;
        self.desk.see_part("KWD").await;
        self.picture("another-organization");
        self.desk.keys("o", true).await;
        self.see("switcher-title").await;
        self.desk.press("dhowlogistics.example").await;
        let unavailable = self.words.say_with(
            "error-organization",
            &[("organization", "dhowlogistics.example")],
        );
        self.desk.see_part(&unavailable).await;
        self.picture("an-organization-that-is-not-available");
        self.press("details").await;
        self.see("detail-correlation").await;
        self.picture("details-for-support");
    }

    async fn sign_out(&mut self) {
        let menu = self
            .words
            .say_with("account-menu", &[("name", "Noura Al-Harbi")]);
        self.desk.press(&menu).await;
        self.see("sign-out").await;
        self.picture("the-account-menu");
        self.press("sign-out").await;
        self.see("sign-in-title").await;
        self.picture("signed-out");
    }

    async fn see(&self, id: &str) {
        self.desk.see_part(&self.words.say(id)).await;
    }

    async fn press(&self, id: &str) {
        self.desk.press(&self.words.say(id)).await;
    }

    fn next(&mut self, name: &str) -> PathBuf {
        self.taken += 1;
        self.folder.join(format!("{:02}-{name}.png", self.taken))
    }

    fn picture(&mut self, name: &str) {
        let file = self.next(name);
        self.desk.picture(&file);
    }

    async fn browser_picture(&mut self, browser: &Browser, name: &str) {
        let file = self.next(name);
        browser
            .page()
            .screenshot(&file)
            .await
            .expect("the page can be photographed");
    }
}
