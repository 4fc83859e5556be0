//! `cargo xtask bench window`: the real window over a million invoices, beside the same window over a few hundred.

use std::fs::{self, File};

use super::{Figures, Limits, Report, conclude, figure};
use crate::steps::{StepError, program, root, run_step};
use crate::{requirements, ui};

/// What a long list may take of a short one's time, in thousandths. Most of each time is the window's, not the list's.
const RATIOS: [(&str, u64); 3] = [
    ("first-rows-ms", 2_000),
    ("last-row-ms", 3_000),
    ("searched-ms", 3_000),
];

/// Measures the window over `invoices` invoices. `keep` makes the report the one to compare with.
///
/// # Errors
/// If a measurement does not run, or breaks a limit.
pub(crate) fn window(invoices: u64, keep: bool) -> Result<(), StepError> {
    requirements::for_test()?;
    ui::build()?;
    run_step(
        "build",
        &mut program(
            "cargo",
            &[
                "build",
                "--package",
                "invoice-desk",
                "--package",
                "end-to-end",
                "--bins",
            ],
        ),
    )?;
    fs::create_dir_all(root().join("target/tmp"))?;
    let file = root().join("target/tmp/bench-window.json");
    let bench = root().join("target/debug/bench-window");
    run_step(
        "bench window",
        program(&bench.display().to_string(), &[])
            .arg(invoices.to_string())
            .stdout(File::create(&file)?),
    )?;
    let measured = Report::read(&file)?;
    let kept = root().join("tests/bench-window.json");
    conclude(&measured, &broken(&measured.figures), &kept, keep)
}

/// The limits that the figures break.
fn broken(figures: &Figures) -> Vec<String> {
    let mut limits = Limits::default();
    for (name, most) in RATIOS {
        let ratio = figure(figures, &format!("long/{name}")).and_then(|long| {
            figure(figures, &format!("short/{name}")).map(|short| long * 1000 / short.max(1))
        });
        limits.hold(
            &format!("{name} of the long list takes at most {most} \u{2030} of the short one's"),
            ratio.map(|ratio| ratio <= most),
        );
    }
    limits.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(last_row: u64) -> Figures {
        let figure = |name: &str, value| (name.to_owned(), value);
        Figures::from([
            figure("short/first-rows-ms", 1000),
            figure("long/first-rows-ms", 1400),
            figure("short/last-row-ms", 300),
            figure("long/last-row-ms", last_row),
            figure("short/searched-ms", 900),
            figure("long/searched-ms", 1000),
        ])
    }

    #[test]
    fn a_long_list_may_take_a_little_longer_and_no_more() {
        assert!(broken(&figures(900)).is_empty());
        assert_eq!(broken(&figures(901)).len(), 1);
    }
}
