//! `cargo xtask bench desk`: the real window of a release build beside an empty Tauri window and beside Chromium with the same UI.

use std::fs::{self, File};

use super::{Figures, Limits, Report, conclude, figure};
use crate::steps::{StepError, program, root, run_step};
use crate::{requirements, ui};

/// What the window may take of an empty one, in thousandths: cold start to painted content, and memory.
const RATIOS: [(&str, &str, &str, u64); 2] = [
    ("cold start", "start/desk-ms", "start/empty-ms", 1_400),
    ("memory", "memory/desk-kib", "memory/empty-kib", 1_200),
];
/// What an idle window may take of one core, in thousandths.
const IDLE: u64 = 5;

/// Measures the window. `keep` makes the report the one to compare with.
///
/// # Errors
/// If a measurement does not run, or breaks a limit.
pub(crate) fn desk(keep: bool) -> Result<(), StepError> {
    requirements::for_test()?;
    ui::build()?;
    ui::check_size()?;
    // By name: each further program would take minutes to link.
    let mut build = program(
        "cargo",
        &["build", "--release", "--package", "invoice-desk"],
    );
    build.args(["--package", "end-to-end", "--example", "empty-window"]);
    for name in ["invoice-desk", "bench-desk", "ui-host"] {
        build.args(["--bin", name]);
    }
    run_step("build", &mut build)?;
    fs::create_dir_all(root().join("target/tmp"))?;
    let file = root().join("target/tmp/bench-desk.json");
    let programs = root().join("target/release");
    run_step(
        "bench desk",
        program(&programs.join("bench-desk").display().to_string(), &[])
            .arg(&programs)
            .stdout(File::create(&file)?),
    )?;
    let measured = Report::read(&file)?;
    let kept = root().join("tests/bench-desk.json");
    conclude(&measured, &broken(&measured.figures), &kept, keep)
}

/// The limits that the figures break.
fn broken(figures: &Figures) -> Vec<String> {
    let mut limits = Limits::default();
    for (name, ours, peer, most) in RATIOS {
        let ratio = figure(figures, ours)
            .and_then(|ours| figure(figures, peer).map(|peer| ours * 1_000 / peer.max(1)));
        limits.hold(
            &format!("{name} takes at most {most} \u{2030} of an empty window's"),
            ratio.map(|ratio| ratio <= most),
        );
    }
    let faster = figure(figures, "start/desk-ms")
        .and_then(|desk| figure(figures, "start/chromium-ms").map(|chromium| desk < chromium));
    limits.hold("the cold start is faster than Chromium's", faster);
    limits.hold(
        &format!("an idle window takes at most {IDLE} \u{2030} of a core"),
        figure(figures, "idle/desk-permille-of-a-core").map(|permille| permille <= IDLE),
    );
    limits.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_of_the_window_is_told_when_it_breaks() {
        let mut figures: Figures = [
            ("start/empty-ms", 200),
            ("start/desk-ms", 280),
            ("start/chromium-ms", 281),
            ("memory/empty-kib", 1_000),
            ("memory/desk-kib", 1_200),
            ("idle/desk-permille-of-a-core", 5),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        assert_eq!(broken(&figures), [""; 0]);
        for (name, breaking) in [
            ("start/empty-ms", 199),
            ("start/chromium-ms", 280),
            ("memory/desk-kib", 1_202),
            ("idle/desk-permille-of-a-core", 6),
        ] {
            let kept = figures.insert(name.to_owned(), breaking);
            assert_eq!(broken(&figures).len(), 1, "{name}");
            figures.extend(kept.map(|kept| (name.to_owned(), kept)));
        }
        assert_eq!(broken(&Figures::new()).len(), 4, "nothing was measured");
    }
}
