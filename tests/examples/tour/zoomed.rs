//! Screens in a window of 1280 x 1024 pixels at 400 %, which leaves them 320 x 256 (WCAG 2.2, 1.4.10).

use std::time::Duration;

use end_to_end::driver::wait_until;
use end_to_end::window::{AppWindow, NOURA, WindowOptions};
use thirtyfour::Key;

use super::{ScreenshotSet, Tour};

/// The window at its largest zoom, 200 %.
const WINDOW: (u32, u32) = (640, 512);
/// What is left of its width, in pixels of CSS.
const WIDTH: u64 = 320;

/// Goes through the screens by keys, in a new session.
pub(super) async fn run(options: WindowOptions, screenshots: &mut ScreenshotSet) {
    let language = options.language;
    let window = AppWindow::start_with(options).await;
    let mut tour = Tour::new(window, language, screenshots);
    tour.sign_in_as(NOURA).await;
    tour.window.wait_for_rows().await;
    tour.window.focus_first_row().await;
    tour.zoom_in().await;
    tour.screens_at_400_percent().await;
}

impl Tour<'_> {
    async fn zoom_in(&self) {
        self.window.resize(WINDOW);
        let what = format!("the page is {WIDTH} pixels wide");
        wait_until(&what, Duration::from_secs(20), async || {
            // At the largest zoom another press changes nothing.
            self.window.press_key(Key::Control + "=").await;
            let page = self.window.page();
            let width = page.execute("return window.innerWidth", Vec::new()).await;
            (width.ok()?.json().as_u64()? == WIDTH).then_some(())
        })
        .await;
    }

    async fn screens_at_400_percent(&mut self) {
        self.window.wait_for_rows().await;
        self.screenshot("invoices-at-400-percent").await;
        self.window.focus_first_row().await;
        self.window.press_key(Key::Enter).await;
        self.wait_for("payable").await;
        self.screenshot("an-invoice-at-400-percent").await;
        for screen in ["today", "clients", "insights"] {
            let name = self.messages.text(screen);
            self.window.press_button(&name).await;
            self.wait_until_read().await;
            self.screenshot(&format!("{screen}-at-400-percent")).await;
        }
        self.window.press_key(Key::Control + "n").await;
        self.wait_for("field-issue-date").await;
        self.screenshot("a-new-invoice-at-400-percent").await;
        self.window.press_key(Key::Control + ",").await;
        self.wait_for_label("settings-sections").await;
        self.screenshot("settings-at-400-percent").await;
        self.window.press_key(Key::Control + "k").await;
        self.wait_for_label("palette").await;
        self.screenshot("the-command-palette-at-400-percent").await;
    }
}
