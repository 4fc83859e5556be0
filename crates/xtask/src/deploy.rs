//! Checks the files of deploy/ with linters from PyPI, which are installed into a virtual environment under target/.

use std::fs;
use std::path::PathBuf;

use crate::steps::{StepError, TestCount, program, root, run_step, run_tests, target_folder};
use crate::ui::when_changed;

/// The program of a virtual environment.
fn python() -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    target_folder()
        .join("deploy-checks")
        .join(folder)
        .join("python")
}

/// Installs the linters, if their list is not the one that was installed.
fn install() -> Result<(), StepError> {
    let folder = target_folder().join("deploy-checks");
    let list = root().join("deploy/checks/requirements.txt");
    when_changed(&[&list], &folder.join(".installed"), || {
        // An environment of another Python, or one half installed, is of no use.
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let interpreter = if cfg!(windows) { "python" } else { "python3" };
        let mut create = program(interpreter, &["-m", "venv"]);
        run_step("create a Python environment", create.arg(&folder))?;
        let mut install = program(
            &python().display().to_string(),
            &[
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-deps",
                "--only-binary",
                ":all:",
            ],
        );
        install.args(["--disable-pip-version-check", "--requirement"]);
        run_step("install the linters of deploy/", install.arg(&list))
    })
}

/// Every check of deploy/, each counted as one test.
pub(crate) fn check() -> Result<TestCount, StepError> {
    install()?;
    let script = root().join("deploy/checks/check.py");
    let mut check = program(&python().display().to_string(), &["-B"]);
    Ok(run_tests("deployment files", check.arg(script)))
}
