//! Virtual environments of Python under target/, each with the packages of one list.

use std::fs;
use std::path::{Path, PathBuf};

use crate::steps::{StepError, program, run_step, target_folder};
use crate::ui::when_changed;

/// The Python of the environment `name`, with the packages of `list` installed. They are installed again when the list changes.
pub(crate) fn environment(name: &str, list: &Path) -> Result<PathBuf, StepError> {
    let folder = target_folder().join(name);
    let programs = if cfg!(windows) { "Scripts" } else { "bin" };
    let python = folder.join(programs).join("python");
    when_changed(&[list], &folder.join(".installed"), || {
        // An environment of another Python, or one half installed, is of no use.
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let interpreter = if cfg!(windows) { "python" } else { "python3" };
        let mut create = program(interpreter, &["-m", "venv"]);
        run_step("create a Python environment", create.arg(&folder))?;
        let mut install = program(
            &python.display().to_string(),
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
        run_step(
            &format!("install the packages of {name}"),
            install.arg(list),
        )
    })?;
    Ok(python)
}
