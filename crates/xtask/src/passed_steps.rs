//! Steps that passed are not run again with the same files: after a failure, or a change of a few files, `cargo xtask test` runs
//! the steps that these files are about.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::steps::{StepError, TestCount, print_line, program, root, target_folder};

/// Which steps passed, and with which files: a record of each in `target/passed`.
pub(crate) struct PassedSteps {
    /// Whether steps run although they passed.
    again: bool,
    /// How many tests passed before and were not run again.
    before: AtomicU64,
    /// Held while git writes the index.
    index: Mutex<()>,
}

impl PassedSteps {
    /// With `again`, every step runs.
    pub(crate) const fn new(again: bool) -> Self {
        Self {
            again,
            before: AtomicU64::new(0),
            index: Mutex::new(()),
        }
    }

    /// How many tests passed before and were not run again.
    pub(crate) fn before(&self) -> u64 {
        self.before.load(Ordering::Relaxed)
    }

    /// Runs the step `name`, unless it passed with the same files. Those below the folders `irrelevant` have no effect on it. A step
    /// that cannot be run is a failure.
    pub(crate) fn run(
        &self,
        name: &str,
        irrelevant: &[&str],
        step: impl FnOnce() -> Result<TestCount, StepError>,
    ) -> TestCount {
        let count = self.run_unless_passed(name, &folder(), || self.files(irrelevant), step);
        TestCount::of(count)
    }

    /// Runs the step `name`, unless its record in `folder` is of the same `files`.
    fn run_unless_passed(
        &self,
        name: &str,
        folder: &Path,
        files: impl Fn() -> Option<String>,
        step: impl FnOnce() -> Result<TestCount, StepError>,
    ) -> Result<TestCount, StepError> {
        let record = folder.join(name);
        let before = files();
        if !self.again
            && let Some(files) = &before
            && let Some(passed) =
                passed_with(&fs::read_to_string(&record).unwrap_or_default(), files)
        {
            print_line(&format!(
                "\n── {name}: {passed} passed before, with the same files"
            ));
            self.before.fetch_add(passed, Ordering::Relaxed);
            return Ok(TestCount { passed, failed: 0 });
        }
        // A step that is stopped has not passed.
        let _ = fs::remove_file(&record);
        let count = step()?;
        if count.failed == 0
            && let Some(before) = before
            // What was edited meanwhile may not have been tested.
            && files().as_ref() == Some(&before)
        {
            fs::create_dir_all(folder)?;
            fs::write(&record, format!("{}\n{before}", count.passed))?;
        }
        Ok(count)
    }

    /// The compiler, and the relevant files with the hashes of their contents; `None` outside of a repository.
    fn files(&self, irrelevant: &[&str]) -> Option<String> {
        let _turn = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let compiler = output(&mut program("rustc", &["--version", "--verbose"]))?;
        let tree = tree()?;
        let relevant = tree.lines().filter(|line| is_relevant(line, irrelevant));
        Some(relevant.fold(compiler, |text, line| text + line + "\n"))
    }
}

fn folder() -> PathBuf {
    target_folder().join("passed")
}

/// The number of tests that passed, if the record is of the same files.
fn passed_with(record: &str, files: &str) -> Option<u64> {
    let (passed, recorded) = record.split_once('\n')?;
    (recorded == files).then(|| passed.parse().ok()).flatten()
}

/// Whether a line of `git ls-tree` is about a file outside of the folders.
fn is_relevant(line: &str, irrelevant: &[&str]) -> bool {
    let path = line.split_once('\t').map_or(line, |(_, path)| path);
    !irrelevant.iter().any(|folder| {
        let inside = path.strip_prefix(folder);
        inside.is_some_and(|inside| inside.starts_with('/'))
    })
}

/// The files of the working tree that are not ignored, as `git ls-tree` prints them. The repository is not changed: git writes into
/// an index and a folder of objects of our own.
fn tree() -> Option<String> {
    let objects = output(&mut program("git", &["rev-parse", "--git-path", "objects"]))?;
    let own = folder().join("objects");
    fs::create_dir_all(&own).ok()?;
    let git = |arguments: &[&str]| {
        let mut git: Command = program("git", arguments);
        git.env("GIT_INDEX_FILE", folder().join("index"))
            .env("GIT_OBJECT_DIRECTORY", &own)
            .env(
                "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                root().join(objects.trim()),
            );
        output(&mut git)
    };
    git(&["add", "--all"])?;
    let tree = git(&["write-tree"])?;
    git(&["ls-tree", "-r", tree.trim()])
}

/// What a program prints, if it succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(text)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn record_is_of_the_same_files_or_none() {
        assert_eq!(
            passed_with("12\nrustc 1\na\nb\n", "rustc 1\na\nb\n"),
            Some(12)
        );
        assert_eq!(passed_with("12\nrustc 1\na\nb\n", "rustc 1\na\nc\n"), None);
        assert_eq!(passed_with("12\nrustc 1\na\nb\n", "rustc 1\na\n"), None);
        assert_eq!(passed_with("", ""), None);
    }

    #[test]
    fn files_below_an_irrelevant_folder_do_not_count() {
        let line = |path: &str| format!("100644 blob 0123\t{path}");
        let irrelevant = ["ui/tests", "docs"];
        for (path, relevant) in [
            ("ui/tests/run.mjs", false),
            ("docs/a/b.md", false),
            ("ui/src/main.tsx", true),
            ("ui/tests-of-others/a", true),
            ("crates/docs/a", true),
        ] {
            assert_eq!(is_relevant(&line(path), &irrelevant), relevant, "{path}");
        }
    }

    #[test]
    fn passed_step_runs_again_only_if_asked_and_a_failed_one_always() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Cell::new("a");
        let run = |steps: &PassedSteps, passed, failed| {
            let listed = || Some(files.get().to_owned());
            let step = || Ok(TestCount { passed, failed });
            let count = steps.run_unless_passed("rust", folder.path(), listed, step);
            let count = count.expect("a count");
            (count.passed, count.failed)
        };
        let steps = PassedSteps::new(false);
        assert_eq!(run(&steps, 3, 1), (3, 1));
        assert_eq!(run(&steps, 4, 0), (4, 0), "it had failed");
        assert_eq!(run(&steps, 5, 0), (4, 0), "it had passed");
        assert_eq!(steps.before(), 4);
        let again = PassedSteps::new(true);
        assert_eq!(run(&again, 6, 0), (6, 0), "asked");
        assert_eq!(again.before(), 0);
        files.set("b");
        assert_eq!(run(&steps, 7, 0), (7, 0), "other files");

        let edited = || Some(files.replace("c").to_owned());
        let step = || {
            Ok(TestCount {
                passed: 8,
                failed: 0,
            })
        };
        let count = again.run_unless_passed("rust", folder.path(), edited, step);
        assert_eq!(count.expect("a count").passed, 8);
        assert_eq!(run(&steps, 9, 0), (9, 0), "edited during the step");
    }
}
