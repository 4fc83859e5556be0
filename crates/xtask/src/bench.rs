//! `cargo xtask bench invoice`: runs the measurements, holds them against their limits and against the last kept ones.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::steps::{self, Failed, program, root};

/// Lines of the invoices that are measured.
const SIZES: [u64; 4] = [10, 100, 1_000, 10_000];

/// Nanoseconds by name: `ubl/read/100`.
type Figures = BTreeMap<String, u64>;

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
    let figures = measured()?;
    let kept = kept()?;
    for (name, nanoseconds) in &figures {
        let before = kept.get(name).filter(|before| **before > 0);
        let change = before.map_or_else(
            || "new".to_owned(),
            |before| format!("{} % of the last kept", nanoseconds * 100 / before),
        );
        println!("{name:<22} {nanoseconds:>12} ns  {change}");
    }
    let broken = broken(&figures);
    if keep {
        fs::write(kept_file(), json(&figures))?;
    }
    if broken.is_empty() {
        return Ok(());
    }
    Err(Failed(broken.join("\n")))
}

/// The limits that the figures break.
fn broken(figures: &Figures) -> Vec<String> {
    let mut broken = Vec::new();
    let of = |what: &str, size: u64| {
        let name = format!("{what}/{size}");
        figures.get(&name).copied().ok_or(name)
    };
    let mut hold = |limit: &str, fits: Result<bool, String>| match fits {
        Ok(true) => {}
        Ok(false) => broken.push(format!("broken: {limit}")),
        Err(name) => broken.push(format!("there is no figure {name}")),
    };
    let pair = |left: &str, right: &str, size| Ok((of(left, size)?, of(right, size)?));
    for size in SIZES {
        hold(
            &format!("reading {size} lines has at least 0.35 of the speed of a bare pull"),
            pair("ubl/read", "ubl/pull", size).map(|(read, pull)| read * 35 <= pull * 100),
        );
        hold(
            &format!("checking {size} lines is cheaper than reading them"),
            pair("rules/check", "ubl/read", size).map(|(check, read)| check < read),
        );
    }
    hold(
        "a hundred times the lines take at most 150 times as long to check",
        of("rules/check", 10_000)
            .and_then(|large| Ok(large <= of("rules/check", 100)?.saturating_mul(150))),
    );
    broken
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

fn kept_file() -> PathBuf {
    root().join("crates/invoice/benches/figures.json")
}

/// The figures to compare with. None if there are none yet.
fn kept() -> Result<Figures, Failed> {
    let Ok(text) = fs::read_to_string(kept_file()) else {
        return Ok(Figures::new());
    };
    let entries = text.lines().filter_map(|line| line.split_once("\": "));
    let parsed = entries.map(|(name, number)| {
        let name = name.trim().trim_start_matches('"').to_owned();
        let number = number.trim_end_matches(',').parse();
        number
            .map(|number| (name, number))
            .map_err(|_| Failed(format!("{}: {text}", kept_file().display())))
    });
    parsed.collect()
}

/// One figure on each line, so that a change reads well.
fn json(figures: &Figures) -> String {
    let lines: Vec<_> = figures
        .iter()
        .map(|(name, nanoseconds)| format!("  \"{name}\": {nanoseconds}"))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
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
