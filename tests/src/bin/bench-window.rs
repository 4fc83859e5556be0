//! Measures the real window over a long list: how long until the first rows, the last, and those that are searched for.
//!
//! `bench-window INVOICES` prints a report. `cargo xtask bench window` runs it.

#![expect(clippy::disallowed_methods, reason = "it measures time as it passes")]
#![expect(clippy::print_stdout, reason = "it prints what it measures")]

use std::time::{Duration, Instant};

use end_to_end::browser::Browser;
use end_to_end::window::{Desk, NOURA, PASSWORD, SCHEME, WindowOptions};
use thirtyfour::prelude::*;

/// Filling a million takes minutes.
const FILLED: Duration = Duration::from_secs(1200);

/// A list that nobody calls long: the peer in the same run.
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

/// Opens a window over so many invoices and does what a clerk does first.
async fn measure(list: &str, invoices: u32) -> Vec<(String, u128)> {
    let mut desk = Desk::prepare(WindowOptions {
        invoices: Some(invoices),
        ..WindowOptions::default()
    });
    let start = Instant::now();
    desk.open().await;
    desk.press("Continue in your browser").await;
    let address = desk.opened_address_within(FILLED).await;
    let filled = start.elapsed();

    let browser = Browser::start(desk.session()).await;
    browser.submit(&address, NOURA, PASSWORD).await;
    let callback = browser.callback(SCHEME).await;
    let start = Instant::now();
    desk.deep_link(&callback);
    desk.see_rows().await;
    let first_rows = start.elapsed();
    browser.close().await;

    desk.press_first_row().await;
    let start = Instant::now();
    desk.press_key(Key::End).await;
    desk.see_row(invoices).await;
    let last_row = start.elapsed();
    desk.press_key(Key::Home).await;
    desk.see_row(1).await;

    let start = Instant::now();
    desk.type_into("Search invoices by buyer or number", "Rimal")
        .await;
    desk.see_chosen_fewer_than(invoices).await;
    let searched = start.elapsed();

    let figure = |name: &str, time: Duration| (format!("{list}/{name}-ms"), time.as_millis());
    vec![
        figure("ready-to-sign-in", filled),
        figure("first-rows", first_rows),
        figure("last-row", last_row),
        figure("searched", searched),
        (format!("{list}/memory-kib"), u128::from(desk.memory_kib())),
    ]
}
