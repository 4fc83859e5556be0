//! Runs programs as steps, prints title and duration, and adds up the counts of test runners.

use std::cell::RefCell;
use std::fmt;
use std::io::{BufRead as _, BufReader};
use std::panic;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Instant;

thread_local! {
    /// What the steps of this thread have printed, if it runs beside another one.
    static PRINTED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The message of a failed step.
#[derive(Debug)]
pub(crate) struct StepError(pub(crate) String);

impl fmt::Display for StepError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<std::io::Error> for StepError {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

/// The folder of the workspace.
#[must_use]
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest
        .ancestors()
        .nth(2)
        .map_or_else(|| manifest.to_owned(), Path::to_owned)
}

/// The folder of what builds produce.
#[must_use]
pub(crate) fn target_folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR");
    // Cargo runs in the folder of the workspace, and a relative path begins there.
    root().join(target.unwrap_or_else(|| "target".into()))
}

/// A program to be run in the workspace's folder.
#[must_use]
pub(crate) fn program(name: &str, arguments: &[&str]) -> Command {
    let mut command = if name == "cargo" {
        // The same toolchain that runs us.
        Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    } else if cfg!(windows) && (name == "npm" || name == "npx") {
        Command::new(format!("{name}.cmd"))
    } else {
        Command::new(name)
    };
    command.args(arguments).current_dir(root());
    // The variables that cargo sets for this program would invalidate the cache of inner builds.
    for (variable, _) in std::env::vars_os() {
        let name = variable.to_string_lossy();
        if name.starts_with("CARGO_PKG_")
            || name == "CARGO_MANIFEST_DIR"
            || name == "CARGO_MANIFEST_PATH"
        {
            command.env_remove(&variable);
        }
    }
    command
}

/// Runs `work` on a thread of its own while `meanwhile` runs on this one. What the steps of `work` print is shown whole when both
/// have ended.
pub(crate) fn beside<A: Send, B>(
    work: impl FnOnce() -> A + Send,
    meanwhile: impl FnOnce() -> B,
) -> (A, B) {
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            PRINTED.set(Some(String::new()));
            let outcome = work();
            (outcome, PRINTED.take().unwrap_or_default())
        });
        let meanwhile = meanwhile();
        let (outcome, printed) = worker
            .join()
            .unwrap_or_else(|panicked| panic::resume_unwind(panicked));
        print_all(&printed);
        (outcome, meanwhile)
    })
}

/// Whether this thread keeps what its steps print.
fn is_beside() -> bool {
    PRINTED.with_borrow(Option::is_some)
}

/// Prints a line, or keeps it if this thread runs beside another one.
pub(crate) fn print_line(line: &str) {
    print_all(&format!("{line}\n"));
}

fn print_all(text: &str) {
    PRINTED.with_borrow_mut(|printed| match printed {
        Some(printed) => printed.push_str(text),
        None => print!("{text}"),
    });
}

/// Runs a step to its end, with its output on the screen.
pub(crate) fn run_step(title: &str, command: &mut Command) -> Result<(), StepError> {
    print_line(&format!("\n── {title}"));
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a step took is told to a person, nothing depends on it"
    )]
    let start = Instant::now();
    let status = if is_beside() {
        run_lines(command, print_line)
    } else {
        command.status()
    };
    let status = status.map_err(|error| {
        StepError(format!(
            "{title}: {}: {error}",
            command.get_program().display()
        ))
    })?;
    print_line(&format!("── {title}: {} s", start.elapsed().as_secs()));
    if status.success() {
        Ok(())
    } else {
        Err(StepError(format!("{title} failed ({status})")))
    }
}

/// Counts of a test runner.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TestCount {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl TestCount {
    const PASSED: Self = Self {
        passed: 1,
        failed: 0,
    };
    const FAILED: Self = Self {
        passed: 0,
        failed: 1,
    };

    /// The count of a step. One that could not run says why and counts as one failure.
    pub(crate) fn of(step: Result<Self, StepError>) -> Self {
        step.unwrap_or_else(|failed| {
            print_line(&failed.to_string());
            Self::FAILED
        })
    }

    /// Nothing if a step succeeded that is no test, and one failure if it did not.
    pub(crate) fn of_failure(step: Result<(), StepError>) -> Self {
        Self::of(step.map(|()| Self::default()))
    }

    /// Prints the count; an error if a test failed.
    pub(crate) fn conclude(self) -> Result<(), StepError> {
        println!("\n{} passed, {} failed", self.passed, self.failed);
        if self.failed == 0 {
            Ok(())
        } else {
            Err(StepError(String::new()))
        }
    }
}

impl std::ops::AddAssign for TestCount {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// Runs a check that counts as one test.
pub(crate) fn run_check(title: &str, command: &mut Command) -> TestCount {
    TestCount::of(run_step(title, command).map(|()| TestCount::PASSED))
}

/// Runs a test runner and adds up its summary lines (`… N passed … N failed …`). A runner that fails without a count, or
/// prints none, counts as one failure.
pub(crate) fn run_tests(title: &str, command: &mut Command) -> TestCount {
    run_counted(title, command, summary)
}

/// As [`run_tests`], with `cargo test`: nextest ends a test after some minutes, and shows no output of one that passes.
pub(crate) fn run_long_test(title: &str, command: &mut Command) -> TestCount {
    run_counted(title, command, summary_of_libtest)
}

fn run_counted(
    title: &str,
    command: &mut Command,
    summary: fn(&str) -> Option<TestCount>,
) -> TestCount {
    print_line(&format!("\n── {title}"));
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a step took is told to a person, nothing depends on it"
    )]
    let start = Instant::now();
    let outcome = run_counting(command, summary);
    print_line(&format!("── {title}: {} s", start.elapsed().as_secs()));
    match outcome {
        Ok((count, true)) if count.passed + count.failed > 0 => count,
        Ok((count, false)) if count.failed > 0 => count,
        Ok((count, success)) => {
            let problem = if success { "ran no test" } else { "failed" };
            print_line(&format!("{title} {problem}"));
            TestCount {
                failed: count.failed + 1,
                ..count
            }
        }
        Err(error) => {
            print_line(&format!("{title}: {error}"));
            TestCount::FAILED
        }
    }
}

fn run_counting(
    command: &mut Command,
    summary: fn(&str) -> Option<TestCount>,
) -> std::io::Result<(TestCount, bool)> {
    let mut count = TestCount::default();
    let status = run_lines(command, |line| {
        print_line(line);
        if let Some(found) = summary(line) {
            count += found;
        }
    })?;
    Ok((count, status.success()))
}

/// Runs a program to its end, with each line that it prints.
fn run_lines(command: &mut Command, mut each: impl FnMut(&str)) -> std::io::Result<ExitStatus> {
    // Both outputs into one pipe, so that they stay in order.
    let (reader, writer) = std::io::pipe()?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .spawn()?;
    // The command still holds the pipe's other end, which would keep it open for ever.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    // What is no UTF-8 is shown with replacements: an error here would leave the program running.
    while reader.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        each(text.trim_end_matches(['\r', '\n']));
        line.clear();
    }
    child.wait()
}

/// The counts of a runner's closing line, and `None` for any other line.
pub(crate) fn summary(line: &str) -> Option<TestCount> {
    let line = strip_escapes(line);
    let line = line.trim();
    let nextest = line.starts_with("Summary [")
        && (line.contains("tests run:") || line.contains("test run:"));
    let vitest =
        line.starts_with("Tests ") && (line.contains(" passed") || line.contains(" failed"));
    let plain = line.ends_with(" failed")
        && line.contains(" passed, ")
        && line.starts_with(|first: char| first.is_ascii_digit());
    (nextest || vitest || plain).then(|| TestCount {
        passed: number_before(line, "passed"),
        failed: number_before(line, "failed") + number_before(line, "timed"),
    })
}

/// The counts of the closing line of a program of `cargo test`. nextest shows it of each failed test, so [`summary`] does not count it.
fn summary_of_libtest(line: &str) -> Option<TestCount> {
    let line = strip_escapes(line);
    line.starts_with("test result: ").then(|| TestCount {
        passed: number_before(&line, "passed"),
        failed: number_before(&line, "failed"),
    })
}

fn number_before(line: &str, word: &str) -> u64 {
    let words: Vec<_> = line
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words
        .windows(2)
        .find(|pair| pair[1] == word)
        .and_then(|pair| pair[0].parse().ok())
        .unwrap_or(0)
}

fn strip_escapes(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            letters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            plain.push(letter);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_lines_of_the_runners_are_counted() {
        let count = |passed, failed| Some(TestCount { passed, failed });
        assert_eq!(
            summary("     Summary [   0.010s] 12 tests run: 10 passed, 2 failed, 3 skipped"),
            count(10, 2)
        );
        assert_eq!(
            summary("     Summary [   0.010s] 1 test run: 1 passed (1 slow), 0 skipped"),
            count(1, 0)
        );
        assert_eq!(
            summary(
                "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[31m1 failed\u{1b}[39m | \u{1b}[32m40 passed\u{1b}[39m (41)"
            ),
            count(40, 1)
        );
        assert_eq!(summary("31 passed, 0 failed"), count(31, 0));
    }

    #[test]
    fn step_that_could_not_run_counts_as_one_failure() {
        let error = || StepError("no network".to_owned());
        assert_eq!(TestCount::of(Err(error())), TestCount::FAILED);
        assert_eq!(TestCount::of_failure(Err(error())), TestCount::FAILED);
        assert_eq!(TestCount::of_failure(Ok(())), TestCount::default());
    }

    #[cfg(unix)]
    #[test]
    fn output_that_is_no_utf8_does_not_end_the_counting() {
        let mut printf = program("printf", &["\\377\\n2 passed, 0 failed\\n"]);
        let count = run_tests("printf", &mut printf);
        assert_eq!((count.passed, count.failed), (2, 0));
    }

    #[cfg(unix)]
    #[test]
    fn long_test_that_no_program_has_is_a_failure() {
        let run = |passed: &str| {
            let line = format!("test result: ok. {passed} passed; 0 failed; 0 ignored\n");
            run_long_test("printf", &mut program("printf", &[&line]))
        };
        assert_eq!(run("1"), TestCount::PASSED);
        assert_eq!(run("0"), TestCount::FAILED, "it may have been renamed");
    }

    #[test]
    fn output_of_steps_beside_others_is_kept_until_both_have_ended() {
        let (beside, kept) = super::beside(
            || {
                print_line("beside");
                PRINTED.with_borrow(Clone::clone)
            },
            is_beside,
        );
        assert_eq!(beside.as_deref(), Some("beside\n"));
        assert!(!kept, "the other thread prints at once");
        assert!(!is_beside());
    }

    #[test]
    fn other_lines_count_nothing() {
        for line in [
            "test a ... ok",
            "  Test Files  4 passed (4)",
            "passed",
            "the test failed",
            "test result: FAILED. 0 passed; 1 failed; 0 ignored",
        ] {
            assert_eq!(summary(line), None, "{line:?}");
        }
    }
}
