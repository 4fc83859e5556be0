//! `cargo xtask test`: every check and test there is, counted in the last line.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::passed_steps::PassedSteps;
use crate::steps::{StepError, TestCount, beside, program, root, run_check, run_tests};
use crate::workspace::{build, nextest, workspace};
use crate::{api, browser, deploy, named_tests, postgres, requirements, ui};

/// A part of the tests, for `--only`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Types, lints and unit tests of the UI.
    Ui,
    /// The UI in an ordinary browser, with `ui-host` behind it.
    Browser,
    /// The client core against the real service.
    Core,
    /// The application in its real window.
    Window,
    /// The files of deploy/.
    Deploy,
    /// Foreign clients of the API.
    Api,
}

impl Part {
    /// The part with this name on the command line.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "ui" => Self::Ui,
            "browser" => Self::Browser,
            "core" => Self::Core,
            "window" => Self::Window,
            "deploy" => Self::Deploy,
            "api" => Self::Api,
            _ => return None,
        })
    }
}

const RUST_TESTS: &str = "Rust: unit, integration and end-to-end tests";
/// What clippy is told.
const CLIPPY_ARGUMENTS: [&str; 2] = ["--deny", "warnings"];
/// The example that depends on least.
const SMALLEST_EXAMPLE: &str = "empty-window";
/// What only the browser's tests read, and those of all files of the repository.
const BROWSER_TESTS: &str = "ui/tests";
/// What the application does not contain, and no test in a browser reads.
const DOCUMENTS: [&str; 2] = ["docs", "deploy"];
/// What the documentation of the code is not made from.
const NOT_CODE: [&str; 3] = [BROWSER_TESTS, "docs", "deploy"];
/// What the checks of the UI do not read.
const NOT_UI: [&str; 3] = ["docs", "deploy", "tests"];

/// Runs everything, or only `part`. `filter` narrows the Rust tests to names that contain it, and
/// of the tests in a browser it names the flow. Without either, steps that passed with the same files run only `again`.
pub(crate) fn test(filter: Option<&str>, part: Option<Part>, again: bool) -> Result<(), StepError> {
    let passed = PassedSteps::new(again);
    requirements::for_test()?;
    if part != Some(Part::Deploy) {
        // The window holds the built UI, so no Rust crate above it compiles without.
        ui::build()?;
    }
    let mut count = TestCount::of(run(filter, part, &passed));
    // Also after a step that has failed: its data are removed with the folder of temporary files.
    if cfg!(unix) && !matches!(part, Some(Part::Ui | Part::Deploy)) {
        count += postgres::stop_server(None);
    }
    if passed.before() > 0 {
        println!(
            "\n{} passed before with the same files, and were not run: --again runs them",
            passed.before()
        );
    }
    count.conclude()
}

fn run(
    filter: Option<&str>,
    part: Option<Part>,
    passed: &PassedSteps,
) -> Result<TestCount, StepError> {
    Ok(match part {
        None => match filter {
            Some(filter) => filtered(filter),
            None => everything(passed),
        },
        Some(Part::Ui) => ui_checks(),
        Some(Part::Browser) => {
            build()?;
            browser::test(filter)?
        }
        Some(Part::Core) => end_to_end("client::", filter)?,
        Some(Part::Window) => end_to_end("window::", filter)?,
        Some(Part::Deploy) => deploy::check()?,
        Some(Part::Api) => {
            build()?;
            api::test()?
        }
    })
}

/// Each step is run, also after one that has failed, but without its programs none of the tests.
fn everything(passed: &PassedSteps) -> TestCount {
    let mut count = checks(|| passed.run("ui", &NOT_UI, || Ok(ui_checks())));
    // The end-to-end tests start the real binaries.
    let built = TestCount::of_failure(build());
    count += built;
    if built.failed > 0 {
        return count;
    }
    count += passed.run("repository", &[], || Ok(repository()));
    count += passed.run("rust", &[BROWSER_TESTS], || {
        // The report of a former run must not be taken for this one's.
        let _ = std::fs::remove_file(named_tests::results_file("default"));
        let mut nextest = nextest();
        let mut count = run_tests(RUST_TESTS, workspace(&mut nextest));
        count += named_tests::check();
        Ok(count)
    });
    if cfg!(unix) {
        count += passed.run("postgres", &[BROWSER_TESTS], postgres::test);
    }
    // Browsers wait for their displays and for answers.
    let (others, browser) = beside(
        || {
            let mut count = passed.run("documentation", &NOT_CODE, || Ok(documentation()));
            count += passed.run("api", &[BROWSER_TESTS], api::test);
            count
        },
        || passed.run("browser", &DOCUMENTS, || browser::test(None)),
    );
    count += others;
    count += browser;
    count
}

/// The tests of all files of the repository, also of those that no other Rust test reads.
fn repository() -> TestCount {
    let mut nextest = nextest();
    let filter = "binary_id(xtask::it) - test(/^session::/)";
    workspace(&mut nextest).args(["--filterset", filter]);
    run_tests("Rust: files of the repository", &mut nextest)
}

/// The checks, and the Rust tests whose names contain `filter`.
fn filtered(filter: &str) -> TestCount {
    let mut count = checks(ui_checks);
    let built = TestCount::of_failure(build());
    count += built;
    if built.failed == 0 {
        let mut nextest = nextest();
        count += run_tests(RUST_TESTS, workspace(&mut nextest).arg(filter));
        count += documentation();
    }
    count
}

/// What takes seconds if nothing has changed. `ui` checks the UI.
fn checks(ui: impl FnOnce() -> TestCount + Send) -> TestCount {
    let mut count = run_check(
        "format",
        &mut program("cargo", &["fmt", "--all", "--check"]),
    );
    let mut clippy = program("cargo", &["clippy", "--all-targets"]);
    workspace(&mut clippy).arg("--").args(CLIPPY_ARGUMENTS);
    // The tests of the UI use one processor.
    let (others, clippy) = beside(
        || {
            let mut count = ui();
            count += TestCount::of(deploy::check());
            count
        },
        || run_check("clippy", &mut clippy),
    );
    count += clippy;
    count += others;
    count
}

fn documentation() -> TestCount {
    let mut documentation = program("cargo", &["doc", "--no-deps", "--quiet", "--lib"]);
    // Nobody reads the pages of programs, and each takes as long as that of a crate: rustdoc loads all dependencies for it. With one
    // example, dependencies have the features that clippy checked them with: without, all are checked again.
    documentation.args(["--example", SMALLEST_EXAMPLE]);
    documentation.env("RUSTDOCFLAGS", "--deny warnings");
    use_checked_crates(&mut documentation);
    run_check("documentation", workspace(&mut documentation))
}

/// Has cargo take our crates as clippy has checked them: what was checked through a wrapper of the compiler it uses only with the same
/// one, and it would check all of them again, which takes minutes. These are the variables that `cargo clippy` sets. If they do not
/// fit, for another cargo or another clippy, cargo checks the crates again.
fn use_checked_crates(cargo: &mut Command) {
    let driver = format!("clippy-driver{}", env::consts::EXE_SUFFIX);
    let driver = Path::new(cargo.get_program()).with_file_name(driver);
    if !driver.is_file() {
        return;
    }
    let arguments = CLIPPY_ARGUMENTS.map(|argument| format!("{argument}__CLIPPY_HACKERY__"));
    cargo
        .env("RUSTC_WORKSPACE_WRAPPER", driver)
        .env("CLIPPY_ARGS", arguments.concat());
}

fn ui_checks() -> TestCount {
    let folder = root().join("ui");
    let npm = |script: &str| {
        let mut command = program("npm", &["run", "--silent", script]);
        command.current_dir(&folder);
        command
    };
    let mut count = run_check("UI: types, lints, format, words", &mut npm("check"));
    count += run_check("UI: size of the first screens", &mut npm("size"));
    count += run_tests("UI: unit tests", &mut npm("test"));
    count
}

/// The end-to-end tests of one module, with the binaries that they start.
fn end_to_end(module: &str, filter: Option<&str>) -> Result<TestCount, StepError> {
    build()?;
    let mut nextest = nextest();
    let expression = match filter {
        Some(filter) => {
            format!("package(end-to-end) and test(/^{module}/) and test({filter})")
        }
        None => format!("package(end-to-end) and test(/^{module}/)"),
    };
    workspace(&mut nextest).args(["--filterset", &expression]);
    Ok(run_tests("Rust: end-to-end tests", &mut nextest))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn crates_are_used_as_checked_only_if_clippy_is_beside_cargo() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut cargo = Command::new(folder.path().join("cargo"));
        use_checked_crates(&mut cargo);
        assert_eq!(cargo.get_envs().count(), 0, "there is no clippy");

        let driver = format!("clippy-driver{}", env::consts::EXE_SUFFIX);
        let driver = folder.path().join(driver);
        fs::write(&driver, "").expect("a file");
        use_checked_crates(&mut cargo);
        let variable = |name: &str| {
            let mut variables = cargo.get_envs();
            variables.find_map(|(set, value)| (set == name).then_some(value).flatten())
        };
        assert_eq!(
            variable("RUSTC_WORKSPACE_WRAPPER"),
            Some(driver.as_os_str())
        );
        let arguments = variable("CLIPPY_ARGS").and_then(|arguments| arguments.to_str());
        assert_eq!(
            arguments,
            Some("--deny__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__")
        );
    }
}
