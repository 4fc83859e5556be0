//! `cargo xtask bench invoice`: reading, checking, writing and printing invoices of several sizes.

use super::{Benchmark, Figures, Limits, conclude, figure, measure};
use crate::steps::{StepError, program};

/// Lines of the invoices that are measured.
const SIZES: [u64; 4] = [10, 100, 1_000, 10_000];
/// What a page of an invoice may take of an empty page, in thousandths.
const PAGE: u64 = 3_000;
/// What reading may take of a bare pull, in thousandths: at least 0.35 of its speed.
const READ: u64 = 1_000_000 / 350;
/// What a hundred times the lines may take to check, in thousandths of a hundred times as long.
const CHECK: u64 = 1_500;

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
    let mut measured = measure("invoice", &mut bench)?;
    of_blank(&mut measured.figures);
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

/// What a page takes of one without any furniture.
fn of_blank(figures: &mut Figures) {
    let of = |name: &str| figures.get(name).copied();
    if let Some((page, blank)) = of("pdf/page").zip(of("pdf/blank")) {
        let ratio = page * 1_000 / blank.max(1);
        figures.insert("pdf/page-of-blank-permille".to_owned(), ratio);
    }
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
}
