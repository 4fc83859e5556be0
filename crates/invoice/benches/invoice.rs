//! Benchmarks of reading, writing, checking, explaining and rendering invoices of 10 to 10,000 lines.
//!
//! `cargo xtask bench invoice` runs them and compares the figures with their limits and the stored ones. They measure CPU time of
//! all threads of the process, which varies less with the load of the machine than wall-clock
//! time.

#[path = "../tests/it/fixtures/documents.rs"]
mod documents;

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ProcessTime;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use documents::swedish;
use invoice::xml::Limits;
use invoice::{Document, check_document, explain, ubl};
use jiff::civil::date;
use quick_xml::events::Event;

const SIZES: [u32; 4] = [10, 100, 1_000, 10_000];

/// Measures CPU time.
struct Processor(WallTime);

impl Measurement for Processor {
    type Intermediate = ProcessTime;
    type Value = Duration;

    fn start(&self) -> ProcessTime {
        ProcessTime::now()
    }

    fn end(&self, start: ProcessTime) -> Duration {
        start.elapsed()
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        self.0.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self.0.formatter()
    }
}

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
fn paper(criterion: &mut Criterion<Processor>) {
    use criterion::BatchSize::PerIteration;
    use invoice::pdf::Typesetter;
    use typst::comemo::evict;

    let typesetter = Typesetter::new();
    let layout = layout();
    let mut group = criterion.benchmark_group("pdf");
    group.bench_function("fonts", |bencher| bencher.iter(Typesetter::new));
    group.bench_function("blank", |bencher| {
        bencher.iter_batched(|| evict(0), |()| typesetter.blank(&layout), PerIteration);
    });
    for (name, document) in [
        ("empty", Document::default()),
        ("page", swedish()),
        ("lines-1000", document(1_000)),
    ] {
        let file = ubl::write(&document).expect("UBL");
        let print = |()| typesetter.render(black_box(&document), file.as_bytes(), &layout);
        group.bench_function(name, |bencher| {
            bencher.iter_batched(|| evict(0), print, PerIteration);
        });
    }
    // Evicts the thousand lines, which a lookup would search.
    evict(0);
    let file = ubl::write(&swedish()).expect("UBL");
    let mut number = 0_u64;
    let mut next = || {
        number += 1;
        let mut document = swedish();
        document.number = number.to_string();
        document
    };
    let print = |document| typesetter.render(&document, file.as_bytes(), &layout);
    group.bench_function("page-again", |bencher| {
        bencher.iter_batched(&mut next, print, PerIteration);
    });
    group.finish();
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
fn paper(_: &mut Criterion<Processor>) {}

fn all(criterion: &mut Criterion<Processor>) {
    for size in SIZES {
        let document = document(size);
        let today = date(2026, 11, 21);
        let checked = check_document(&document, today);
        assert_eq!(checked.violations, [], "what is measured is right");
        let written = ubl::write(&document).expect("UBL");
        let bytes = written.as_bytes();
        let mut group = criterion.benchmark_group("ubl");
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(BenchmarkId::new("pull", size), |bencher| {
            bencher.iter(|| pull(black_box(bytes)));
        });
        group.bench_function(BenchmarkId::new("read", size), |bencher| {
            bencher.iter(|| ubl::read(black_box(bytes), Limits::default()));
        });
        group.bench_function(BenchmarkId::new("write", size), |bencher| {
            bencher.iter(|| ubl::write(black_box(&document)));
        });
        group.finish();
        let mut group = criterion.benchmark_group("rules");
        group.bench_function(BenchmarkId::new("check", size), |bencher| {
            bencher.iter(|| check_document(black_box(&document), today));
        });
        group.bench_function(BenchmarkId::new("explain", size), |bencher| {
            bencher.iter(|| explain(black_box(&document.content), &checked));
        });
        group.finish();
    }
    paper(criterion);
}

/// Ratios with limits, in thousandths. Both sides are measured alternately, because the speed of the machine varies.
/// They are measured first, because rendering fragments the memory. The median of each is written to `pairs.json`, beside
/// the results of Criterion.
fn pairs(_: &mut Criterion<Processor>) {
    // Skipped if the benchmark is only listed or tested.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let mut lines = Vec::new();
    let mut keep = |name: &str, ratio: u128| lines.push(format!("  \"{name}\": {ratio}"));
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
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/criterion");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let file = format!("{{\n{}\n}}\n", lines.join(",\n"));
    std::fs::write(folder.join("pairs.json"), file).expect("a file can be written");
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
    let mut ratios: Vec<u128> = (0..41).map(pair).collect();
    ratios.sort_unstable();
    ratios[ratios.len() / 2]
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .with_measurement(Processor(WallTime))
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = pairs, all
}
criterion_main!(benches);
