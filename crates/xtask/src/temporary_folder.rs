//! A folder for the temporary files of a run of the tests, which is removed with all that they leave: killed programs and browsers
//! remove nothing.

use std::env;
use std::process::Command;

use tempfile::TempDir;

use crate::steps::StepError;

/// Set for the program that has the folder.
const MARK: &str = "XTASK_TEMPORARY_FOLDER";

/// Runs `work` in this program again, started with a temporary folder of its own.
pub(crate) fn run_in_own(work: impl FnOnce() -> Result<(), StepError>) -> Result<(), StepError> {
    if env::var_os(MARK).is_some() || cfg!(not(unix)) {
        return work();
    }
    let folder = create()?;
    let status = Command::new(env::current_exe()?)
        .args(env::args_os().skip(1))
        .env("TMPDIR", folder.path())
        .env(MARK, folder.path())
        .status()?;
    // What goes on writing there says nothing about the tests.
    if let Err(error) = folder.close() {
        eprintln!("the folder of temporary files is left: {error}");
    }
    if status.success() {
        Ok(())
    } else {
        // It has printed why.
        Err(StepError(String::new()))
    }
}

#[cfg(unix)]
fn create() -> std::io::Result<TempDir> {
    use std::os::unix::fs::PermissionsExt as _;
    // PostgreSQL runs as another user when the tests run as root.
    let passable = std::fs::Permissions::from_mode(0o711);
    tempfile::Builder::new()
        .prefix("invoicing-tests-")
        .permissions(passable)
        .tempdir()
}

#[cfg(not(unix))]
fn create() -> std::io::Result<TempDir> {
    tempfile::tempdir()
}
