//! Measures the real window with a long list: the time to the first rows, to the last row and to search results.
//!
//! `bench-window INVOICES` prints a report. `cargo xtask bench window` runs it.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
#![expect(clippy::print_stdout, reason = "the report goes to stdout")]

use std::time::{Duration, Instant};

use end_to_end::browser::Browser;
use end_to_end::window::{AppWindow, NOURA, SCHEME, WindowOptions};
use thirtyfour::prelude::*;

/// The limit for seeding the invoices; a million takes minutes.
const SEED_TIMEOUT: Duration = Duration::from_secs(1200);

/// The length of the short list that the long one is compared with.
const SHORT: u32 = 400;

#[tokio::main]
async fn main() {
    let invoices = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .expect("Usage: bench-window INVOICES");
    let mut figures = measure("short", SHORT).await;
    figures.extend(measure("long", invoices).await);
    figures.push(("long/invoices".to_owned(), u128::from(invoices)));
    let lines: Vec<_> = figures
        .iter()
        .map(|(name, value)| format!("  \"{name}\": {value}"))
        .collect();
    println!("{{\n{}\n}}", lines.join(",\n"));
}

/// Opens a window with this many invoices, signs in, goes to the last row and searches. Returns names and values.
async fn measure(list: &str, invoices: u32) -> Vec<(String, u128)> {
    let mut window = AppWindow::prepare(WindowOptions {
        invoices: Some(invoices),
        ..WindowOptions::default()
    });
    let start = Instant::now();
    window.launch().await;
    window.click("Continue in your browser").await;
    let address = window.opened_address_within(SEED_TIMEOUT).await;
    let password = window.password(NOURA).await;
    let seeded = start.elapsed();

    let browser = Browser::start(window.session()).await;
    browser.submit(&address, NOURA, &password).await;
    let callback = browser.callback(SCHEME).await;
    let start = Instant::now();
    window.deep_link(&callback);
    window.wait_for_rows().await;
    let first_rows = start.elapsed();
    browser.close().await;

    window.click_first_row().await;
    let start = Instant::now();
    window.press_key(Key::End).await;
    window.wait_for_row(invoices).await;
    let last_row = start.elapsed();
    window.press_key(Key::Home).await;
    window.wait_for_row(1).await;

    let start = Instant::now();
    window
        .fill_label("Search invoices by buyer, number or amount", "Rimal")
        .await;
    window.wait_for_fewer_rows_than(invoices).await;
    let searched = start.elapsed();

    let figure = |name: &str, time: Duration| (format!("{list}/{name}-ms"), time.as_millis());
    vec![
        figure("ready-to-sign-in", seeded),
        figure("first-rows", first_rows),
        figure("last-row", last_row),
        figure("searched", searched),
        (
            format!("{list}/memory-kib"),
            u128::from(window.memory_kib()),
        ),
    ]
}
