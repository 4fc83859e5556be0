//! `cargo xtask bench invoice`: reading, checking, writing and printing invoices of several sizes.

use std::fs;

use super::{Benchmark, Figures, Limits, Report, conclude, figure};
use crate::steps::{self, StepError, program, root};

/// Lines of the invoices that are measured.
const SIZES: [u64; 4] = [10, 100, 1_000, 10_000];
/// What is printed: see `paper` of the benchmark.
const PRINTED: [&str; 6] = [
    "fonts",
    "blank",
    "empty",
    "page",
    "page-again",
    "lines-1000",
];
/// What a page of an invoice may take of an empty page, in thousandths.
const PAGE: u64 = 3_000;
/// What reading may take of a bare pull, in thousandths: at least 0.35 of its speed.
const READ: u64 = 1_000_000 / 350;
/// What a hundred times the lines may take to check, in thousandths of a hundred times as long.
const CHECK: u64 = 1_500;

/// The folder of what is measured.
const CRITERION: &str = "target/criterion";

/// The kept report, and what it is held against.
pub(super) const BENCHMARK: Benchmark = Benchmark {
    report: "crates/invoice/benches/figures.json",
    broken,
};

/// Measures the invoice library. `keep` makes the figures the ones to compare with.
///
/// # Errors
/// If a measurement does not run, or breaks a limit.
pub(crate) fn invoice(keep: bool) -> Result<(), StepError> {
    let mut bench = program(
        "cargo",
        &[
            "bench",
            "--package",
            "invoice",
            "--bench",
            "invoice",
            "--features",
            "pdf",
        ],
    );
    // Where `pairs.json` is, too.
    bench.env("CRITERION_HOME", root().join(CRITERION));
    steps::run_step("bench invoice", &mut bench)?;
    let measured = Report {
        figures: measured()?,
        ..Report::default()
    };
    conclude(&measured, &BENCHMARK, keep)
}

/// The limits that the figures break.
fn broken(figures: &Figures) -> Vec<String> {
    let mut limits = Limits::default();
    let of = |what: &str, size: u64| figure(figures, &format!("{what}/{size}"));
    let pair = |left: &str, right: &str, size| Ok((of(left, size)?, of(right, size)?));
    for size in SIZES {
        limits.hold(
            &format!("reading {size} lines has at least 0.35 of the speed of a bare pull"),
            of("ubl/read-of-pull-permille", size).map(|ratio| ratio <= READ),
        );
        limits.hold(
            &format!("checking {size} lines is cheaper than reading them"),
            pair("rules/check", "ubl/read", size).map(|(check, read)| check < read),
        );
    }
    limits.hold(
        "an invoice of one page takes at most 3 times an empty page",
        figure(figures, "pdf/page-of-empty-permille").map(|ratio| ratio <= PAGE),
    );
    limits.hold(
        "a hundred times the lines take at most 150 times as long to check",
        figure(figures, "rules/check-10000-of-100-permille").map(|ratio| ratio <= CHECK),
    );
    limits.0
}

/// What the last run of the benchmark measured.
fn measured() -> Result<Figures, StepError> {
    let folder = root().join(CRITERION);
    let groups = [
        ("ubl", &["pull", "read", "write"][..]),
        ("rules", &["check", "explain"]),
    ];
    let sized = groups.into_iter().flat_map(|(group, names)| {
        names
            .iter()
            .flat_map(move |name| SIZES.map(|size| format!("{group}/{name}/{size}")))
    });
    let printed = PRINTED.map(|name| format!("pdf/{name}"));
    let mut figures = Figures::new();
    for name in sized.chain(printed) {
        let file = folder.join(&name).join("new/estimates.json");
        let text = fs::read_to_string(&file)
            .map_err(|error| StepError(format!("{}: {error}", file.display())))?;
        let nanoseconds = median(&text)
            .ok_or_else(|| StepError(format!("{}: there is no median", file.display())))?;
        figures.insert(name, nanoseconds);
    }
    figures.extend(Report::read(&folder.join("pairs.json"))?.figures);
    of_blank(&mut figures);
    Ok(figures)
}

/// What a page takes of one without any furniture.
fn of_blank(figures: &mut Figures) {
    let of = |name: &str| figures.get(name).copied();
    if let Some((page, blank)) = of("pdf/page").zip(of("pdf/blank")) {
        let ratio = page * 1_000 / blank.max(1);
        figures.insert("pdf/page-of-blank-permille".to_owned(), ratio);
    }
}

/// The whole nanoseconds of `"median":{…"point_estimate":1234.5…}`.
fn median(text: &str) -> Option<u64> {
    let (_, after) = text.split_once("\"median\":")?;
    let (_, number) = after.split_once("\"point_estimate\":")?;
    let end = number.find(|letter: char| !letter.is_ascii_digit())?;
    number[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reading of a thousand takes so much of a pull, and checking so much of that.
    fn figures(read: u64, check: u64) -> Figures {
        let mut figures = Figures::new();
        for size in SIZES {
            figures.insert(format!("ubl/read-of-pull-permille/{size}"), read);
            figures.insert(format!("ubl/read/{size}"), read * size);
            figures.insert(format!("rules/check/{size}"), check * size);
        }
        figures.insert("rules/check-10000-of-100-permille".to_owned(), CHECK);
        figures.insert("pdf/page-of-empty-permille".to_owned(), PAGE);
        figures
    }

    #[test]
    fn figures_within_their_limits_break_nothing() {
        assert_eq!(broken(&figures(READ, READ - 1)), [""; 0]);
    }

    #[test]
    fn a_slow_reader_and_an_expensive_check_are_told_for_each_size() {
        let slow = broken(&figures(READ + 1, 50));
        assert_eq!(slow.len(), 4, "{slow:?}");
        let dear = broken(&figures(100, 101));
        assert_eq!(dear.len(), 4, "check is dearer than read: {dear:?}");
        assert_eq!(broken(&Figures::new()).len(), 10, "nothing was measured");
    }

    #[test]
    fn a_page_is_held_against_an_empty_one_and_shown_beside_a_blank_one() {
        let mut figures = figures(100, 50);
        for (name, value) in [
            ("page", 301),
            ("blank", 10),
            ("page-of-empty-permille", 3_010),
        ] {
            figures.insert(format!("pdf/{name}"), value);
        }
        of_blank(&mut figures);
        assert_eq!(figures["pdf/page-of-blank-permille"], 30_100);
        assert_eq!(broken(&figures).len(), 1);
        figures.insert("rules/check-10000-of-100-permille".to_owned(), CHECK + 1);
        assert_eq!(broken(&figures).len(), 2, "it is not linear");
    }

    #[test]
    fn the_median_of_an_estimate_is_found() {
        let text = r#"{"mean":{"point_estimate":1.0},"median":{"confidence_interval":{"upper_bound":9.0},"point_estimate":1234.56,"standard_error":0.1}}"#;
        assert_eq!(median(text), Some(1234));
        assert_eq!(median("{}"), None);
    }
}
