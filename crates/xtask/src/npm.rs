//! Programs that npm has, each list of them installed in a folder of its own.

use std::fs;
use std::path::Path;

use crate::steps::{StepError, program, run_step};
use crate::ui::when_changed;

/// Installs the packages of `source`'s lock file in `folder`. They are installed again when the list changes. `name` says what they
/// are.
pub(crate) fn install(name: &str, source: &Path, folder: &Path) -> Result<(), StepError> {
    fs::create_dir_all(folder)?;
    let lock = source.join("package-lock.json");
    when_changed(&[&lock], &folder.join(".installed"), || {
        for file in ["package.json", "package-lock.json"] {
            fs::copy(source.join(file), folder.join(file))?;
        }
        run_step(
            &format!("install {name}"),
            program("npm", &["ci", "--no-audit", "--no-fund"]).current_dir(folder),
        )
    })
}
