//! Goes through every screen in the real window, the main workflow first, then the administration and the failures, and writes
//! numbered screenshots to target/tour/, in both languages and every theme.

mod administration;
mod conflict;
mod day;
mod failures;
mod main_job;
mod zoomed;

use std::fs;
use std::path::{Path, PathBuf};

use end_to_end::browser::Browser;
use end_to_end::ui_messages::UiMessages;
use end_to_end::window::{AppWindow, WindowOptions};

/// The theme whose failures and zoomed screens are not shown.
const HIGH_CONTRAST: &str = "highContrast";

#[tokio::main]
async fn main() {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tour");
    if target.exists() {
        fs::remove_dir_all(&target).expect("the screenshots of the last tour can be removed");
    }
    for language in ["en", "ar"] {
        for theme in ["light", "dark", HIGH_CONTRAST] {
            let options = WindowOptions {
                width: 1360,
                height: 850,
                language,
                theme,
                ..WindowOptions::default()
            };
            let mut screenshots = ScreenshotSet {
                folder: target.join(format!("{language}-{theme}")),
                taken: 0,
            };
            fs::create_dir_all(&screenshots.folder)
                .expect("the folder of the screenshots can be made");
            main_job::run(options.clone(), &mut screenshots).await;
            administration::run(options.clone(), &mut screenshots).await;
            // A theme is colours alone, and what was shown has all of them.
            if theme == HIGH_CONTRAST {
                continue;
            }
            zoomed::run(options.clone(), &mut screenshots).await;
            failures::run(options, &mut screenshots).await;
        }
    }
}

/// The folder and the counter for the screenshots of one language and theme.
struct ScreenshotSet {
    folder: PathBuf,
    taken: u32,
}

impl ScreenshotSet {
    fn next(&mut self, name: &str) -> PathBuf {
        self.taken += 1;
        self.folder.join(format!("{:03}-{name}.png", self.taken))
    }
}

/// An organization of Noura's, as its tenant is.
#[derive(Clone, Copy)]
enum Organization {
    /// Her own.
    Home,
    /// She has the role of a viewer.
    ReadOnly,
    /// It is no tenant, so that no request in it is served.
    WithoutTenant,
}

/// A window with the UI messages of its language and the screenshots taken of it.
struct Tour<'screenshots> {
    window: AppWindow,
    messages: UiMessages,
    language: &'static str,
    screenshots: &'screenshots mut ScreenshotSet,
}

impl<'screenshots> Tour<'screenshots> {
    fn new(
        window: AppWindow,
        language: &'static str,
        screenshots: &'screenshots mut ScreenshotSet,
    ) -> Self {
        Self {
            window,
            messages: UiMessages::load(language),
            language,
            screenshots,
        }
    }

    /// What the window calls an organization, in its language.
    fn name(&self, organization: Organization) -> &'static str {
        match (organization, self.language) {
            (Organization::Home, "ar") => "الخير للتجارة",
            (Organization::Home, _) => "Al-Khair Trading",
            (Organization::ReadOnly, "ar") => "أفق الكويت الطبية",
            (Organization::ReadOnly, _) => "Kuwait Horizon Medical",
            (Organization::WithoutTenant, "ar") => "داو للخدمات اللوجستية",
            (Organization::WithoutTenant, _) => "Dhow Logistics",
        }
    }

    /// Saves the document that is edited.
    async fn save(&self, organization: Organization) {
        let organization = [("organization", self.name(organization))];
        let save = self.messages.format("save-to", &organization);
        self.window.click(&save).await;
    }

    /// Waits for the text of a UI message with arguments.
    async fn wait_for_formatted(&self, id: &str, data: &[(&'static str, &str)]) {
        self.window
            .wait_for_text(&self.messages.format(id, data))
            .await;
    }

    /// Fills in the description of the first line, in the language of the window.
    async fn fill_description(&self) {
        let text = match self.language {
            "ar" => "عوارض فولاذية",
            _ => "Steel beams",
        };
        self.window.fill_field(self.first_description(), text).await;
    }

    /// The field of the description of the first line, in the language of the window.
    fn first_description(&self) -> &'static str {
        match self.language {
            "ar" => "lines[0].description.ar",
            _ => "lines[0].description.en",
        }
    }

    /// Opens the list of organizations.
    async fn open_switcher(&self) {
        self.window.send_keys("o", true).await;
        self.wait_for("switcher-title").await;
    }

    /// Waits for the text of a UI message.
    async fn wait_for(&self, id: &str) {
        self.window.wait_for_text(&self.messages.text(id)).await;
    }

    /// Waits for the text of a UI message, and scrolls to it.
    async fn scroll_to(&self, id: &str) {
        let shown = self.window.wait_for_text(&self.messages.text(id)).await;
        let scrolled = shown.scroll_into_view().await;
        scrolled.expect("it can be scrolled to");
    }

    /// Waits for an element whose text or accessible label is a UI message.
    async fn wait_for_label(&self, id: &str) {
        self.window.wait_for(&self.messages.text(id)).await;
    }

    /// Waits until no element has the text of a UI message.
    async fn wait_until_gone(&self, id: &str) {
        self.window.wait_until_gone(&self.messages.text(id)).await;
    }

    /// Waits until nothing on the screen says that it is read.
    async fn wait_until_read(&self) {
        self.wait_until_gone("loading").await;
    }

    /// Clicks the button with the text of a UI message.
    async fn click(&self, id: &str) {
        self.window.click(&self.messages.text(id)).await;
    }

    /// Writes a screenshot of the window.
    async fn screenshot(&mut self, name: &str) {
        let file = self.screenshots.next(name);
        self.window.screenshot(&file).await;
    }

    /// Writes a screenshot of the page in the browser.
    async fn browser_screenshot(&mut self, browser: &Browser, name: &str) {
        let file = self.screenshots.next(name);
        browser
            .page()
            .screenshot(&file)
            .await
            .expect("the screenshot can be written");
    }
}
