//! `cargo xtask bench invoice`: reading, checking and writing invoices of several sizes.

use std::fs;

use super::{Figures, Limits, Report, conclude, figure};
use crate::steps::{self, Failed, program, root};

/// Lines of the invoices that are measured.
const SIZES: [u64; 4] = [10, 100, 1_000, 10_000];

/// Measures the invoice library. `keep` makes the figures the ones to compare with.
///
/// # Errors
/// If a measurement does not run, or breaks a limit.
pub(crate) fn invoice(keep: bool) -> Result<(), Failed> {
    let mut bench = program(
        "cargo",
        &["bench", "--package", "invoice", "--bench", "invoice"],
    );
    steps::step("bench invoice", &mut bench)?;
    let measured = Report {
        figures: measured()?,
        ..Report::default()
    };
    let kept = root().join("crates/invoice/benches/figures.json");
    conclude(&measured, &broken(&measured.figures), &kept, keep)
}

/// The limits that the figures break.
fn broken(figures: &Figures) -> Vec<String> {
    let mut limits = Limits::default();
    let of = |what: &str, size: u64| figure(figures, &format!("{what}/{size}"));
    let pair = |left: &str, right: &str, size| Ok((of(left, size)?, of(right, size)?));
    for size in SIZES {
        limits.hold(
            &format!("reading {size} lines has at least 0.35 of the speed of a bare pull"),
            pair("ubl/read", "ubl/pull", size).map(|(read, pull)| read * 35 <= pull * 100),
        );
        limits.hold(
            &format!("checking {size} lines is cheaper than reading them"),
            pair("rules/check", "ubl/read", size).map(|(check, read)| check < read),
        );
    }
    limits.hold(
        "a hundred times the lines take at most 150 times as long to check",
        of("rules/check", 10_000)
            .and_then(|large| Ok(large <= of("rules/check", 100)?.saturating_mul(150))),
    );
    limits.0
}

/// What the last run of the benchmark measured.
fn measured() -> Result<Figures, Failed> {
    let folder = root().join("target/criterion");
    let mut figures = Figures::new();
    for (group, names) in [
        ("ubl", &["pull", "read", "write"][..]),
        ("rules", &["check", "explain"]),
    ] {
        for (name, size) in names
            .iter()
            .flat_map(|name| SIZES.map(|size| (*name, size)))
        {
            let file = folder.join(format!("{group}/{name}/{size}/new/estimates.json"));
            let text = fs::read_to_string(&file)
                .map_err(|error| Failed(format!("{}: {error}", file.display())))?;
            let nanoseconds = median(&text)
                .ok_or_else(|| Failed(format!("{}: there is no median", file.display())))?;
            figures.insert(format!("{group}/{name}/{size}"), nanoseconds);
        }
    }
    Ok(figures)
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

    fn figures(read: u64, check: u64) -> Figures {
        let mut figures = Figures::new();
        for size in SIZES {
            figures.insert(format!("ubl/pull/{size}"), 40 * size);
            figures.insert(format!("ubl/read/{size}"), read * size);
            figures.insert(format!("rules/check/{size}"), check * size);
        }
        figures
    }

    #[test]
    fn figures_within_their_limits_break_nothing() {
        assert_eq!(broken(&figures(100, 50)), [""; 0]);
    }

    #[test]
    fn a_slow_reader_and_an_expensive_check_are_told_for_each_size() {
        assert_eq!(
            broken(&figures(200, 50)).len(),
            4,
            "read is a fifth of pull"
        );
        assert_eq!(
            broken(&figures(100, 101)).len(),
            4,
            "check is dearer than read"
        );
        assert_eq!(broken(&Figures::new()).len(), 9, "nothing was measured");
    }

    #[test]
    fn the_median_of_an_estimate_is_found() {
        let text = r#"{"mean":{"point_estimate":1.0},"median":{"confidence_interval":{"upper_bound":9.0},"point_estimate":1234.56,"standard_error":0.1}}"#;
        assert_eq!(median(text), Some(1234));
        assert_eq!(median("{}"), None);
    }
}
