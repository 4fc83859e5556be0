//! `cargo xtask bench …`: runs measurements, holds them against their limits and against the last kept ones.

mod client;
mod desk;
mod gateway;
mod identity;
mod invoice;
#[cfg(test)]
mod kept_reports;
mod storage;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::steps::{StepError, root, run_step, target_folder};

pub(crate) use client::client;
pub(crate) use desk::desk;
pub(crate) use gateway::gateway;
pub(crate) use identity::identity;
pub(crate) use invoice::invoice;
pub(crate) use storage::storage;

/// Whole numbers by name; the unit is in the name, or is nanoseconds.
type Figures = BTreeMap<String, u64>;

/// What was measured, and what it depends on: the machine, versions, settings.
#[derive(Debug, Default, PartialEq, Eq)]
struct Report {
    about: BTreeMap<String, String>,
    figures: Figures,
}

impl Report {
    /// Reads a report.
    fn read(file: &Path) -> Result<Self, StepError> {
        let text = fs::read_to_string(file)
            .map_err(|error| StepError(format!("{}: {error}", file.display())))?;
        Self::parse(&text).ok_or_else(|| StepError(format!("{} is no report", file.display())))
    }

    /// Reads the report that was kept. An empty one if none was.
    fn kept(file: &Path) -> Result<Self, StepError> {
        if file.exists() {
            Self::read(file)
        } else {
            Ok(Self::default())
        }
    }

    /// One entry on each line, as [`Self::json`] writes it: a number is a figure, a string is about them.
    fn parse(text: &str) -> Option<Self> {
        let mut report = Self::default();
        for line in text.lines() {
            let Some((name, value)) = line.split_once("\": ") else {
                continue;
            };
            let name = name.trim().strip_prefix('"')?.to_owned();
            let value = value.trim_end_matches(',');
            if let Some(text) = value.strip_prefix('"') {
                report
                    .about
                    .insert(name, text.strip_suffix('"')?.to_owned());
            } else {
                report.figures.insert(name, value.parse().ok()?);
            }
        }
        Some(report)
    }

    /// One entry on each line, so that a change reads well.
    fn json(&self) -> String {
        let about = self
            .about
            .iter()
            .map(|(name, value)| format!("  \"{name}\": \"{value}\""));
        let figures = self
            .figures
            .iter()
            .map(|(name, value)| format!("  \"{name}\": {value}"));
        let lines: Vec<_> = about.chain(figures).collect();
        format!("{{\n{}\n}}\n", lines.join(",\n"))
    }

    /// Prints every figure beside the one kept before, and what else is different.
    fn compare(&self, kept: &Self) {
        for (name, value) in &self.about {
            match kept.about.get(name) {
                Some(before) if before != value => println!("{name:<28} {value}  (kept: {before})"),
                Some(_) | None => println!("{name:<28} {value}"),
            }
        }
        for (name, value) in &self.figures {
            let before = kept.figures.get(name).filter(|before| **before > 0);
            let change = before.map_or_else(
                || "new".to_owned(),
                |before| format!("{} % of the last kept", value * 100 / before),
            );
            println!("{name:<44} {value:>12}  {change}");
        }
    }
}

/// Runs the benchmark `name` and reads the report that it writes.
fn measure(name: &str, bench: &mut Command) -> Result<Report, StepError> {
    let file = target_folder().join(format!("tmp/bench-{name}.json"));
    // The report of a former run must not be taken for this one's.
    if file.exists() {
        fs::remove_file(&file)?;
    }
    run_step(&format!("bench {name}"), bench)?;
    Report::read(&file)
}

/// A benchmark with limits.
struct Benchmark {
    /// The file of the report that was kept, from the folder of the workspace.
    report: &'static str,
    /// The limits that figures break.
    broken: fn(&Figures) -> Vec<String>,
}

/// Compares `measured` with the kept report, keeps it instead if `keep` says so, and fails if a limit is broken.
fn conclude(measured: &Report, benchmark: &Benchmark, keep: bool) -> Result<(), StepError> {
    let file = root().join(benchmark.report);
    measured.compare(&Report::kept(&file)?);
    if keep {
        fs::write(&file, measured.json())?;
    }
    let broken = (benchmark.broken)(&measured.figures);
    if broken.is_empty() {
        return Ok(());
    }
    Err(StepError(broken.join("\n")))
}

/// Collects the limits that do not hold.
#[derive(Default)]
struct Limits(Vec<String>);

impl Limits {
    /// `fits` is whether the limit holds, or the name of a figure that is missing.
    fn hold(&mut self, limit: &str, fits: Result<bool, String>) {
        match fits {
            Ok(true) => {}
            Ok(false) => self.0.push(format!("broken: {limit}")),
            Err(name) => self.0.push(format!("there is no figure {name}")),
        }
    }
}

/// A figure, or its name if there is none.
fn figure(figures: &Figures, name: &str) -> Result<u64, String> {
    figures.get(name).copied().ok_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_reads_back_as_it_was_written() {
        let report = Report {
            about: BTreeMap::from([("machine/kernel".to_owned(), "6.1, amd64".to_owned())]),
            figures: Figures::from([("ubl/read/10".to_owned(), 7), ("x/errors".to_owned(), 0)]),
        };
        assert_eq!(Report::parse(&report.json()), Some(report));
        assert_eq!(Report::parse("{\n  \"a\": b\n}"), None, "no number");
    }

    #[test]
    fn report_that_was_not_written_is_an_error_and_one_that_was_not_kept_is_empty() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("report.json");
        let error = Report::read(&file).expect_err("there is none").to_string();
        assert!(error.contains("report.json"), "{error}");
        assert_eq!(Report::kept(&file).expect("none"), Report::default());
    }
}
