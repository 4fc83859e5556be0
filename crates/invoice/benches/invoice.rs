//! Benchmarks of reading, writing, checking, explaining and rendering invoices of 10 to 10,000 lines.
//!
//! `cargo xtask bench invoice` runs them and compares the figures with their limits and the stored ones. They measure CPU time of
//! all threads of the process, which varies less with the load of the machine than wall-clock
//! time.

#[path = "../tests/it/fixtures/documents.rs"]
mod documents;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use cpu_time::ProcessTime;
use documents::swedish;
use invoice::xml::Limits;
use invoice::{Document, check_document, explain, ubl};
use jiff::civil::date;
use quick_xml::events::Event;

const SIZES: [u32; 4] = [10, 100, 1_000, 10_000];

/// How long a figure is measured before it counts.
const WARM_UP: Duration = Duration::from_millis(300);
/// How long the samples of a figure take together, about.
const MEASURED: Duration = Duration::from_secs(1);
const SAMPLES: u32 = 20;

/// By name: nanoseconds of CPU time, or ratios in thousandths.
type Figures = BTreeMap<String, u128>;

/// A valid invoice with this many lines of 90.00.
fn document(lines: u32) -> Document {
    let mut document = swedish();
    let line = document.content.lines.remove(0);
    document.content.lines = (1..=lines)
        .map(|id| {
            let mut line = line.clone();
            line.id = id.to_string();
            line
        })
        .collect();
    let net = 90 * u64::from(lines);
    let taxable = net + 10;
    document.figures.line_nets = vec!["90.00".into(); lines as usize];
    let row = &mut document.figures.tax_breakdown[0];
    row.taxable = format!("{taxable}.00");
    row.tax = format!("{}.{:02}", taxable / 4, taxable % 4 * 25);
    let gross = taxable * 125;
    let totals = &mut document.figures.totals;
    totals.lines = format!("{net}.00");
    totals.net.clone_from(&row.taxable);
    totals.tax.clone_from(&row.tax);
    totals.gross = format!("{}.{:02}", gross / 100, gross % 100);
    totals.payable.clone_from(&totals.gross);
    document
}

/// The lower bound of reading: parses the bytes without processing the events.
fn pull(bytes: &[u8]) -> usize {
    let mut reader = quick_xml::Reader::from_reader(bytes);
    let mut buffer = Vec::new();
    let mut events = 0;
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer).expect("it is XML");
        if matches!(event, Event::Eof) {
            return events;
        }
        black_box(&event);
        events += 1;
    }
}

/// Benchmarks of rendering, with the fonts loaded once (`fonts`):
///
/// - `blank`: an empty Typst document, without font, text, metadata and embedded file.
/// - `empty`: the template without invoice content: page, header and footer, fonts, metadata, PDF/A-3b and embedded
///   file. It is the reference for an invoice of one page.
/// - `page`: an invoice of one page.
/// - `page-again`: the same invoice with another number, directly after it.
/// - `lines-1000`: an invoice of 1,000 lines.
///
/// Typst caches layouts and reuses them for equal content, so repeated rendering of one document would measure the cache.
/// The cache is therefore evicted before each iteration, and after each rendering;
/// `page-again` includes that eviction, as the product does.
#[cfg(feature = "pdf")]
fn paper(figures: &mut Figures) {
    use invoice::pdf::Typesetter;
    use typst::comemo::evict;

    let typesetter = Typesetter::new();
    let layout = layout();
    let mut keep = |name: &str, time: u128| figures.insert(format!("pdf/{name}"), time);
    keep("fonts", time(Typesetter::new));
    let blank = |()| typesetter.blank(&layout);
    keep("blank", time_prepared(|| evict(0), blank));
    for (name, document) in [
        ("empty", Document::default()),
        ("page", swedish()),
        ("lines-1000", document(1_000)),
    ] {
        let file = ubl::write(&document).expect("UBL");
        let print = |()| typesetter.render(black_box(&document), file.as_bytes(), &layout);
        keep(name, time_prepared(|| evict(0), print));
    }
    // Evicts the thousand lines, which a lookup would search.
    evict(0);
    let file = ubl::write(&swedish()).expect("UBL");
    let mut number = 0_u64;
    let next = || {
        number += 1;
        let mut document = swedish();
        document.number = number.to_string();
        document
    };
    let print = |document: Document| typesetter.render(&document, file.as_bytes(), &layout);
    keep("page-again", time_prepared(next, print));
}

/// English, on A4.
#[cfg(feature = "pdf")]
fn layout() -> invoice::pdf::Layout {
    use invoice::pdf::{Digits, Languages, Layout, Paper};

    Layout {
        paper: Paper::A4,
        languages: Languages::English,
        digits: Digits::Latin,
        created: date(2026, 11, 21).at(9, 0, 0, 0),
        is_draft: false,
    }
}

/// The ratio of an invoice of one page to the empty template: see [`paper`].
#[cfg(feature = "pdf")]
fn page_of_empty() -> u128 {
    use typst::comemo::evict;

    let typesetter = invoice::pdf::Typesetter::new();
    let layout = layout();
    // Several renderings of a kind in sequence, because the first one after another kind has cold CPU caches.
    let print = |document: &Document| {
        let file = ubl::write(document).expect("UBL");
        let one = |_| {
            evict(0);
            repeat(1, || {
                typesetter.render(black_box(document), file.as_bytes(), &layout)
            })
        };
        (0..8).map(one).sum()
    };
    let (page, empty) = (swedish(), Document::default());
    ratio(|| print(&page), || print(&empty))
}

#[cfg(not(feature = "pdf"))]
fn paper(_: &mut Figures) {}

fn content(figures: &mut Figures) {
    for size in SIZES {
        let document = document(size);
        let today = date(2026, 11, 21);
        let checked = check_document(&document, today);
        assert_eq!(checked.violations, [], "what is measured is right");
        let written = ubl::write(&document).expect("UBL");
        let bytes = written.as_bytes();
        let mut keep = |name: &str, time: u128| figures.insert(format!("{name}/{size}"), time);
        keep("ubl/pull", time(|| pull(black_box(bytes))));
        let read = || ubl::read(black_box(bytes), Limits::default());
        keep("ubl/read", time(read));
        keep("ubl/write", time(|| ubl::write(black_box(&document))));
        let check = || check_document(black_box(&document), today);
        keep("rules/check", time(check));
        let explained = || explain(black_box(&document.content), &checked);
        keep("rules/explain", time(explained));
    }
}

/// Ratios with limits, in thousandths. Both sides are measured alternately, because the speed of the machine varies.
/// They are measured first, because rendering fragments the memory.
fn pairs(figures: &mut Figures) {
    let mut keep = |name: &str, ratio: u128| figures.insert(name.to_owned(), ratio);
    for size in SIZES {
        let written = ubl::write(&document(size)).expect("UBL");
        let bytes = written.as_bytes();
        let times = (20_000 / size).clamp(1, 500);
        let ratio = ratio(
            || repeat(times, || ubl::read(black_box(bytes), Limits::default())),
            || repeat(times, || pull(black_box(bytes))),
        );
        keep(&format!("ubl/read-of-pull-permille/{size}"), ratio);
    }
    let today = date(2026, 11, 21);
    let (large, small) = (document(10_000), document(100));
    let ratio_of_check = ratio(
        || repeat(1, || check_document(black_box(&large), today)),
        || repeat(100, || check_document(black_box(&small), today)),
    );
    keep("rules/check-10000-of-100-permille", ratio_of_check);
    #[cfg(feature = "pdf")]
    keep("pdf/page-of-empty-permille", page_of_empty());
}

/// The CPU time of a run in nanoseconds.
fn time<Output>(mut what: impl FnMut() -> Output) -> u128 {
    sampled(|times| repeat(times, &mut what))
}

/// The same, without what `prepare` takes before each run.
#[cfg(feature = "pdf")]
fn time_prepared<Input, Output>(
    mut prepare: impl FnMut() -> Input,
    mut what: impl FnMut(Input) -> Output,
) -> u128 {
    sampled(|times| {
        let one = |_| {
            let mut input = Some(prepare());
            repeat(1, || input.take().map(&mut what))
        };
        (0..times).map(one).sum()
    })
}

/// The median of samples. `sample` tells the CPU time of this many runs.
fn sampled(mut sample: impl FnMut(u32) -> Duration) -> u128 {
    let (mut warm_up, mut runs) = (Duration::ZERO, 0_u128);
    while warm_up < WARM_UP {
        warm_up += sample(1);
        runs += 1;
    }
    let runs_of_all = runs * MEASURED.as_nanos() / warm_up.as_nanos();
    let times = u32::try_from(runs_of_all / u128::from(SAMPLES)).unwrap_or(u32::MAX);
    let times = times.max(1);
    let one = |_| sample(times).as_nanos() / u128::from(times);
    median((0..SAMPLES).map(one).collect())
}

/// The CPU time of this many repetitions.
fn repeat<Output>(times: u32, mut what: impl FnMut() -> Output) -> Duration {
    let start = ProcessTime::now();
    for _ in 0..times {
        black_box(what());
    }
    start.elapsed()
}

/// The ratio of two CPU times in thousandths: the median of many pairs.
fn ratio(mut one: impl FnMut() -> Duration, mut other: impl FnMut() -> Duration) -> u128 {
    let pair = |_| one().as_nanos() * 1_000 / other().as_nanos().max(1);
    median((0..41).map(pair).collect())
}

fn median(mut values: Vec<u128>) -> u128 {
    values.sort_unstable();
    values[values.len() / 2]
}

fn main() {
    // Only `cargo bench` measures.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let mut figures = Figures::new();
    pairs(&mut figures);
    content(&mut figures);
    paper(&mut figures);
    let lines: Vec<_> = figures
        .iter()
        .map(|(name, value)| format!("  \"{name}\": {value}"))
        .collect();
    let report = format!("{{\n{}\n}}\n", lines.join(",\n"));
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-invoice.json");
    std::fs::write(file, report).expect("a file can be written");
}
