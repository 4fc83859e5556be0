//! Measures the real window with a long list and a long document: the time to the first rows, to the last row and to search results,
//! the start of a window whose user is signed in beside that of an empty one, the frames of a scroll from end to end beside those of
//! an empty page, and keys in a document of 500 lines.
//!
//! `bench-window PROGRAM EMPTY-WINDOW INVOICES` prints a report. `cargo xtask bench desk` runs it.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
#![expect(clippy::print_stdout, reason = "the report goes to stdout")]

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use end_to_end::browser::Browser;
use end_to_end::screen::Screen;
use end_to_end::window::{AppWindow, NOURA, SCHEME, WindowOptions};
use invoicing_client::views::{InvoiceQuery, LineContent, LocalizedText};
use serde_json::{Value, json};
use thirtyfour::prelude::*;

/// The limit for seeding the invoices; a million takes minutes.
const SEED_TIMEOUT: Duration = Duration::from_secs(1200);
/// The limit for a script in the page: a scroll takes as many frames as it has steps.
const SCRIPT_TIMEOUT: Duration = Duration::from_secs(120);

/// The limit for a start of the window.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// How often the screen is looked at.
const POLL: Duration = Duration::from_millis(2);
/// Starts of each program, in turns.
const STARTS: usize = 7;
/// The length of the short list that the long one is compared with.
const SHORT: u32 = 400;
/// Parts of names of buyers. Each is asked for once: nothing keeps its answer.
const BUYERS: [&str; 10] = [
    "Ofoq", "Rim", "Yasmin", "Bay", "Luluah", "Huda", "Qimmah", "Sal", "Suhool", "Madar",
];
/// Lines of the long document.
const LINES: u32 = 500;
/// The buyer of the long document.
const BUYER: &str = "Long Invoices";
/// Keys that are pressed in each field.
const KEYS: usize = 40;
/// A frame that takes longer is told, in milliseconds.
const FRAME: u64 = 50;

/// Scrolls the list, or an empty page of its height, from end to end. Gives the times between frames, in milliseconds.
const SCROLL: &str = include_str!("scroll.js");
/// Asks for lists that are filtered by buyer. Gives the time of each answer, in milliseconds.
const SEARCH: &str = include_str!("search.js");
/// Stores a draft with many lines.
const LONG_DRAFT: &str = include_str!("long_draft.js");
/// Begins to observe keys.
const OBSERVE_KEYS: &str = include_str!("observe_keys.js");
/// Waits until the last key is painted. Gives the time since it was pressed, in milliseconds.
const KEY_PAINTED: &str = "window.keyPainted().then(arguments[arguments.length - 1]);";

type NamedFigures = Vec<(String, u64)>;

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().map(PathBuf::from);
    let empty = arguments.next().map(PathBuf::from);
    let invoices = arguments.next().and_then(|count| count.parse().ok());
    let (Some(program), Some(empty), Some(invoices)) = (program, empty, invoices) else {
        panic!("Usage: bench-window PROGRAM EMPTY-WINDOW INVOICES");
    };
    let (mut window, mut figures) = measure("short", SHORT, program.clone()).await;
    figures.extend(measure_start(&mut window, &empty).await);
    drop(window);
    let (window, long) = measure("long", invoices, program).await;
    figures.extend(long);
    figures.push(("long/invoices".to_owned(), u64::from(invoices)));
    figures.extend(measure_search(&window).await);
    figures.extend(measure_scroll(&window).await);
    figures.extend(measure_keys(&window).await);
    let lines: Vec<_> = figures
        .iter()
        .map(|(name, value)| format!("  \"{name}\": {value}"))
        .collect();
    println!("{{\n{}\n}}", lines.join(",\n"));
}

/// Opens a window with this many invoices, signs in, goes to the last row and searches. Returns the window with the whole list.
async fn measure(list: &str, invoices: u32, program: PathBuf) -> (AppWindow, NamedFigures) {
    let mut window = AppWindow::prepare(WindowOptions {
        invoices: Some(invoices),
        program: Some(program),
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

    let figure = |name: &str, time: Duration| {
        let time = u64::try_from(time.as_millis()).expect("it took less than an age");
        (format!("{list}/{name}-ms"), time)
    };
    let figures = vec![
        figure("ready-to-sign-in", seeded),
        figure("first-rows", first_rows),
        figure("last-row", last_row),
        figure("searched", searched),
        (format!("{list}/memory-kib"), window.memory_kib()),
    ];
    let limit = TimeoutConfiguration::new(Some(SCRIPT_TIMEOUT), None, None);
    let page = window.page();
    page.update_timeouts(limit).await.expect("it has timeouts");
    (window, figures)
}

/// Starts of a window whose user is signed in, to the painted rows of the list, beside starts of an empty window in the same session.
async fn measure_start(window: &mut AppWindow, empty: &Path) -> NamedFigures {
    let empty = empty.display().to_string();
    let screen = Screen::open(window.session());
    let painted = async |has_text: bool| {
        let start = Instant::now();
        while screen.has_text() != has_text {
            assert!(start.elapsed() < START_TIMEOUT, "nothing was painted");
            tokio::time::sleep(POLL).await;
        }
        start.elapsed()
    };
    let mut starts = [const { Vec::new() }; 2];
    let [of_desk, of_empty] = &mut starts;
    window.kill().await;
    for _ in 0..STARTS {
        painted(false).await;
        window.launch_without_driver(&[]);
        of_desk.push(painted(true).await.as_millis());
        window.kill().await;
        painted(false).await;
        let mut command = window.session().command(&empty);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the empty window starts");
        of_empty.push(painted(true).await.as_millis());
        child.kill().expect("it runs");
        child.wait().expect("it can be waited for");
    }
    let median = |times: &mut Vec<u128>| {
        times.sort_unstable();
        let median = times.get(STARTS / 2).copied().unwrap_or_default();
        u64::try_from(median).expect("it took less than an age")
    };
    vec![
        ("start/signed-in-ms".to_owned(), median(of_desk)),
        ("start/signed-in-empty-ms".to_owned(), median(of_empty)),
    ]
}

/// Lists that are filtered by buyer, as the window asks for them.
async fn measure_search(window: &AppWindow) -> NamedFigures {
    let queries = BUYERS.map(|buyer| InvoiceQuery {
        buyer: buyer.to_owned(),
        page_size: 50,
        ..InvoiceQuery::default()
    });
    let times = run(window, SEARCH, vec![json!(queries)]).await;
    figures_of("search/answer", &times)
}

/// The list scrolled from end to end, beside an empty page of the same height.
async fn measure_scroll(window: &AppWindow) -> NamedFigures {
    window.page().refresh().await.expect("it can be read again");
    window.wait_for_rows().await;
    let mut figures = Vec::new();
    for scrolled in ["blank", "list"] {
        let times = run(window, SCROLL, vec![json!(scrolled == "blank")]).await;
        let slow = times.iter().filter(|time| **time > FRAME).count();
        figures.extend(figures_of(&format!("scroll/{scrolled}"), &times));
        figures.push((
            format!("scroll/{scrolled}-frames"),
            u64::try_from(times.len()).expect("it fits"),
        ));
        figures.push((
            format!("scroll/{scrolled}-frames-over-{FRAME}-ms"),
            u64::try_from(slow).expect("it fits"),
        ));
    }
    figures
}

/// Keys in the middle of a document of many lines.
async fn measure_keys(window: &AppWindow) -> NamedFigures {
    let lines: Vec<_> = (1..=LINES).map(line).collect();
    run(window, LONG_DRAFT, vec![json!(BUYER), json!(lines)]).await;
    window.page().refresh().await.expect("it can be read again");
    window.press_button("Unsent drafts").await;
    let draft = format!("//main//li//button[contains(., '{BUYER}')]");
    let draft = window.page().query(By::XPath(draft)).first().await;
    let draft = draft.expect("the draft is in the list");
    draft.focus().await.expect("it can be focused");
    window.press_key(Key::Enter).await;
    let mut figures = Vec::new();
    for (name, cell) in [("description", "description.en"), ("quantity", "quantity")] {
        let field = format!("[data-row='{}'] [data-cell='{cell}']", LINES / 2);
        let field = window.page().query(By::Css(field)).first().await;
        let field = field.expect("the form has the line");
        field.focus().await.expect("it can be focused");
        run(window, OBSERVE_KEYS, vec![]).await;
        let mut times = Vec::new();
        for key in 0..KEYS {
            // A quantity of few digits, again and again.
            let key = match (name, key % 6) {
                ("quantity", 5) => Key::Backspace + "",
                ("quantity", _) => "1".into(),
                (_, letter) => "abcdef"[letter..=letter].into(),
            };
            window.press_key(key).await;
            times.extend(run(window, KEY_PAINTED, vec![]).await);
        }
        figures.extend(figures_of(&format!("key/{name}"), &times));
    }
    figures
}

/// A line of the long document.
fn line(number: u32) -> LineContent {
    LineContent {
        description: LocalizedText {
            en: format!("Item {number}"),
            ..LocalizedText::default()
        },
        quantity: "2".to_owned(),
        unit: "C62".to_owned(),
        unit_price: "10.50".to_owned(),
        tax_category: "S".to_owned(),
        tax_rate: "15".to_owned(),
        ..LineContent::default()
    }
}

/// Median, 95 % and the worst of times in milliseconds.
fn figures_of(name: &str, times: &[u64]) -> NamedFigures {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = |permille: usize| {
        let index = (sorted.len() * permille / 1_000).min(sorted.len().saturating_sub(1));
        sorted.get(index).copied().unwrap_or_default()
    };
    vec![
        (format!("{name}-median-ms"), at(500)),
        (format!("{name}-p95-ms"), at(950)),
        (format!("{name}-worst-ms"), at(1_000)),
    ]
}

/// The whole numbers that a script gives to its callback: one, several, or none.
async fn run(window: &AppWindow, script: &str, arguments: Vec<Value>) -> Vec<u64> {
    let answer = window.page().execute_async(script, arguments).await;
    let answer = answer.expect("the script ends").json().clone();
    match answer {
        Value::Array(values) => values.iter().filter_map(Value::as_u64).collect(),
        Value::Number(value) => value.as_u64().into_iter().collect(),
        Value::Null => Vec::new(),
        failed @ (Value::Bool(_) | Value::String(_) | Value::Object(_)) => {
            panic!("the script failed: {failed}")
        }
    }
}
