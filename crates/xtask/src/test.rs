//! `cargo xtask test`: every check and test there is, counted in the last line.

use crate::steps::{Count, Failed, check, program, root, step, tests};
use crate::{browser, requirements, ui};

/// Runs everything; `filter` narrows the Rust tests to names that contain it.
pub(crate) fn test(filter: Option<&str>) -> Result<(), Failed> {
    requirements::for_test()?;
    let folder = root().join("ui");
    let npm = |script: &str| {
        let mut command = program("npm", &["run", "--silent", script]);
        command.current_dir(&folder);
        command
    };
    let mut count = Count::default();
    count += check(
        "format",
        &mut program("cargo", &["fmt", "--all", "--check"]),
    );
    // The window holds the built UI, so nothing below compiles without it.
    ui::build()?;
    count += check("UI: types, lints, format, words", &mut npm("check"));
    count += tests("UI: unit tests", &mut npm("test"));
    count += check(
        "clippy",
        &mut program(
            "cargo",
            &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--all-features",
                "--",
                "--deny",
                "warnings",
            ],
        ),
    );
    // The end-to-end tests start the real binaries.
    step(
        "build",
        &mut program(
            "cargo",
            &["build", "--workspace", "--all-targets", "--all-features"],
        ),
    )?;
    let mut nextest = program(
        "cargo",
        &[
            "nextest",
            "run",
            "--workspace",
            "--all-features",
            "--no-fail-fast",
        ],
    );
    // Many tests wait for a disk, a clock or a window most of their time.
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    nextest.args(["--test-threads", &(cores + 1).to_string()]);
    nextest.args(filter);
    count += tests("Rust: unit, integration and end-to-end tests", &mut nextest);
    if filter.is_none() {
        count += browser::test()?;
    }
    count += check(
        "documentation examples",
        &mut program("cargo", &["test", "--workspace", "--doc", "--quiet"]),
    );
    println!("\n{} passed, {} failed", count.passed, count.failed);
    if count.failed == 0 {
        Ok(())
    } else {
        Err(Failed(String::new()))
    }
}
