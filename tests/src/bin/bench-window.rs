//! Measures the real window over a long list: how long until the first rows, the last, and those that are searched for.
//!
//! `bench-window INVOICES` prints a line of JSON. `cargo xtask bench window` runs it.

#![expect(clippy::disallowed_methods, reason = "it measures time as it passes")]
#![expect(clippy::print_stdout, reason = "it prints what it measures")]

use std::time::{Duration, Instant};

use end_to_end::browser::Browser;
use end_to_end::window::{Desk, Machine, NOURA, PASSWORD, SCHEME};
use serde_json::json;
use thirtyfour::prelude::*;

/// Filling a million takes minutes.
const FILLED: Duration = Duration::from_secs(1200);

#[tokio::main]
async fn main() {
    let invoices = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .expect("Usage: bench-window INVOICES");
    let desk = Desk::prepare(Machine {
        invoices: Some(invoices),
        ..Machine::default()
    });
    let mut desk = desk;
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
    let start = Instant::now();
    desk.press_key(Key::Home).await;
    desk.see_row(1).await;
    let first_again = start.elapsed();

    let start = Instant::now();
    desk.type_into("Search invoices by buyer or number", "Rimal")
        .await;
    desk.see_chosen_fewer_than(invoices).await;
    let searched = start.elapsed();

    let milliseconds = |time: Duration| time.as_millis().to_string();
    println!(
        "{}",
        json!({
            "invoices": invoices,
            "filled_ms": milliseconds(filled),
            "first_rows_ms": milliseconds(first_rows),
            "last_row_ms": milliseconds(last_row),
            "first_again_ms": milliseconds(first_again),
            "searched_ms": milliseconds(searched),
            "memory_kib": desk.memory_kib(),
        })
    );
}
