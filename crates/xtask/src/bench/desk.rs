//! `cargo xtask bench desk`: the real window of a release build beside an empty Tauri window and beside Chromium with the same UI, and
//! over a million invoices beside a few hundred.

use std::fs::{self, File};
use std::process::Command;

use super::{Benchmark, Figures, Limits, Report, conclude, figure};
use crate::steps::{StepError, program, run_step, target_folder};
use crate::{requirements, ui};

/// What the window may take of an empty one, in thousandths: cold start to painted content, and memory.
const RATIOS: [(&str, &str, &str, u64); 3] = [
    ("cold start", "start/desk-ms", "start/empty-ms", 1_400),
    (
        "start of a user who is signed in",
        "start/signed-in-ms",
        "start/signed-in-empty-ms",
        1_400,
    ),
    ("memory", "memory/desk-kib", "memory/empty-kib", 1_200),
];
/// What a long list may take of a short one's time, in thousandths. Most of each time is the window's, not the list's.
const RATIOS_OF_LISTS: [(&str, u64); 3] = [
    ("first-rows-ms", 2_000),
    ("last-row-ms", 3_000),
    ("searched-ms", 3_000),
];
/// Times that a clerk waits for, in milliseconds at most.
const TIMES: [(&str, &str, u64); 3] = [
    (
        "95 % of keys in a description",
        "key/description-p95-ms",
        50,
    ),
    ("95 % of keys in a quantity", "key/quantity-p95-ms", 50),
    (
        "a list that is filtered by buyer",
        "search/answer-median-ms",
        50,
    ),
];
/// What an idle window may take of one core, in thousandths.
const IDLE: u64 = 5;

/// The kept report, and what it is held against.
pub(super) const BENCHMARK: Benchmark = Benchmark {
    report: "tests/bench-desk.json",
    broken,
};

/// Measures the window, the last part over `invoices` invoices. `keep` makes the report the one to compare with.
///
/// # Errors
/// If a measurement does not run, or breaks a limit.
pub(crate) fn desk(invoices: u64, keep: bool) -> Result<(), StepError> {
    requirements::for_test()?;
    ui::build()?;
    ui::check_size()?;
    // By name: each further program would take minutes to link.
    let mut build = program(
        "cargo",
        &["build", "--release", "--package", "invoice-desk"],
    );
    build.args(["--package", "end-to-end"]);
    for name in ["invoice-desk", "ui-host"] {
        build.args(["--bin", name]);
    }
    for name in ["bench-desk", "empty-window"] {
        build.args(["--example", name]);
    }
    run_step("build", &mut build)?;
    // It only waits for the window.
    run_step(
        "build of the driver",
        &mut program(
            "cargo",
            &[
                "build",
                "--package",
                "end-to-end",
                "--example",
                "bench-window",
            ],
        ),
    )?;
    fs::create_dir_all(target_folder().join("tmp"))?;
    let programs = target_folder().join("release");
    let programs_of_release = programs.display().to_string();
    let start = programs.join("examples/bench-desk").display().to_string();
    let mut measured = report("bench-desk", &mut program(&start, &[&programs_of_release]))?;
    let work = target_folder()
        .join("debug/examples/bench-window")
        .display()
        .to_string();
    let desk = programs.join("invoice-desk").display().to_string();
    let empty = programs.join("examples/empty-window").display().to_string();
    let mut work = program(&work, &[&desk, &empty, &invoices.to_string()]);
    let work = report("bench-window", &mut work)?;
    measured.figures.extend(work.figures);
    conclude(&measured, &BENCHMARK, keep)
}

/// The report that a program prints.
fn report(name: &str, program: &mut Command) -> Result<Report, StepError> {
    let file = target_folder().join(format!("tmp/{name}.json"));
    run_step(name, program.stdout(File::create(&file)?))?;
    Report::read(&file)
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
    for (name, most) in RATIOS_OF_LISTS {
        let ratio = figure(figures, &format!("long/{name}")).and_then(|long| {
            figure(figures, &format!("short/{name}")).map(|short| long * 1_000 / short.max(1))
        });
        limits.hold(
            &format!("{name} of the long list takes at most {most} \u{2030} of the short one's"),
            ratio.map(|ratio| ratio <= most),
        );
    }
    for (what, name, most) in TIMES {
        limits.hold(
            &format!("{what} takes at most {most} ms"),
            figure(figures, name).map(|time| time <= most),
        );
    }
    let slow_frames = figure(figures, "scroll/list-frames-over-50-ms").and_then(|list| {
        figure(figures, "scroll/blank-frames-over-50-ms").map(|blank| list <= blank)
    });
    limits.hold(
        "a scroll of the list has no frame over 50 ms that a scroll of an empty page has not",
        slow_frames,
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
            ("start/signed-in-empty-ms", 200),
            ("start/signed-in-ms", 280),
            ("memory/empty-kib", 1_000),
            ("memory/desk-kib", 1_200),
            ("idle/desk-permille-of-a-core", 5),
            ("short/first-rows-ms", 1_000),
            ("long/first-rows-ms", 1_400),
            ("short/last-row-ms", 300),
            ("long/last-row-ms", 900),
            ("short/searched-ms", 900),
            ("long/searched-ms", 1_000),
            ("key/description-p95-ms", 50),
            ("key/quantity-p95-ms", 50),
            ("search/answer-median-ms", 50),
            ("scroll/blank-frames-over-50-ms", 1),
            ("scroll/list-frames-over-50-ms", 1),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        assert_eq!(broken(&figures), [""; 0]);
        for (name, breaking) in [
            ("start/empty-ms", 199),
            ("start/chromium-ms", 280),
            ("start/signed-in-ms", 281),
            ("memory/desk-kib", 1_202),
            ("idle/desk-permille-of-a-core", 6),
            ("long/first-rows-ms", 2_001),
            ("long/last-row-ms", 901),
            ("long/searched-ms", 2_701),
            ("key/description-p95-ms", 51),
            ("key/quantity-p95-ms", 51),
            ("search/answer-median-ms", 51),
            ("scroll/list-frames-over-50-ms", 2),
        ] {
            let kept = figures.insert(name.to_owned(), breaking);
            assert_eq!(broken(&figures).len(), 1, "{name}");
            figures.extend(kept.map(|kept| (name.to_owned(), kept)));
        }
        assert_eq!(broken(&Figures::new()).len(), 12, "nothing was measured");
    }
}
