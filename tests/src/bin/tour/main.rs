//! Walks the main job, and what can go wrong with it, in the real window and writes numbered pictures to target/tour/, in
//! both languages and both themes.

mod main_job;
mod troubles;

use std::fs;
use std::path::{Path, PathBuf};

use end_to_end::browser::Browser;
use end_to_end::ui_messages::UiMessages;
use end_to_end::window::{Desk, WindowOptions};

#[tokio::main]
async fn main() {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tour");
    if target.exists() {
        fs::remove_dir_all(&target).expect("the pictures of the last tour can be removed");
    }
    for language in ["en", "ar"] {
        for theme in ["light", "dark"] {
            let machine = WindowOptions {
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
                .expect("the folder of the pictures can be made");
            main_job::walk(machine.clone(), &mut screenshots).await;
            troubles::walk(machine, &mut screenshots).await;
        }
    }
}

/// Where the pictures of one language and theme go, numbered.
struct ScreenshotSet {
    folder: PathBuf,
    taken: u32,
}

impl ScreenshotSet {
    fn next(&mut self, name: &str) -> PathBuf {
        self.taken += 1;
        self.folder.join(format!("{:02}-{name}.png", self.taken))
    }
}

/// A window that is being walked through.
struct Tour<'screenshots> {
    desk: Desk,
    words: UiMessages,
    language: &'static str,
    screenshots: &'screenshots mut ScreenshotSet,
}

impl<'screenshots> Tour<'screenshots> {
    fn new(
        desk: Desk,
        language: &'static str,
        screenshots: &'screenshots mut ScreenshotSet,
    ) -> Self {
        Self {
            desk,
            words: UiMessages::load(language),
            language,
            screenshots,
        }
    }

    /// Waits for words with something filled in.
    async fn see_with(&self, id: &str, data: &[(&'static str, &str)]) {
        self.desk.see_part(&self.words.format(id, data)).await;
    }

    /// Types what the first line is about, in the language of the window.
    async fn describe(&self) {
        let (description, text) = match self.language {
            "ar" => ("lines[0].description.ar", "عوارض فولاذية"),
            _ => ("lines[0].description.en", "Steel beams"),
        };
        self.desk.type_at(description, text).await;
    }

    async fn see(&self, id: &str) {
        self.desk.see_part(&self.words.text(id)).await;
    }

    async fn press(&self, id: &str) {
        self.desk.press(&self.words.text(id)).await;
    }

    async fn picture(&mut self, name: &str) {
        let file = self.screenshots.next(name);
        self.desk.screenshot(&file).await;
    }

    async fn browser_picture(&mut self, browser: &Browser, name: &str) {
        let file = self.screenshots.next(name);
        browser
            .page()
            .screenshot(&file)
            .await
            .expect("the page can be photographed");
    }
}
