//! Checks the files of deploy/ with linters from PyPI, which are installed into a virtual environment under target/, with HAProxy and with
//! promtool.

use std::fs;
use std::path::PathBuf;

use crate::steps::{StepError, TestCount, program, root, run_step, run_tests, target_folder};
use crate::{python, requirements};

/// Every check of deploy/, each counted as one test.
pub(crate) fn check() -> Result<TestCount, StepError> {
    let checks = root().join("deploy/checks");
    let python = python::environment("deploy-checks", &checks.join("requirements.txt"))?;
    let mut check = program(&python.display().to_string(), &["-B"]);
    check.arg(checks.join("check.py"));
    if let Some(folder) = promtool_folder()? {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).chain([folder]);
        let path =
            std::env::join_paths(folders).map_err(|error| StepError(format!("PATH: {error}")))?;
        check.env("PATH", path);
    }
    Ok(run_tests("deployment files", &mut check))
}

/// The folder of promtool if it is not on the path. It is taken out of the package of Debian, which is not installed: that would start a
/// server, and at each boot again. Elsewhere the check says that it is missing.
fn promtool_folder() -> Result<Option<PathBuf>, StepError> {
    const UNPACK: &str = "dpkg-deb --fsys-tarfile prometheus_*.deb | tar --extract ./usr/bin/promtool && rm prometheus_*.deb";
    if requirements::is_program("promtool") || !requirements::is_program("apt-get") {
        return Ok(None);
    }
    let folder = target_folder().join("promtool");
    let programs = folder.join("usr/bin");
    if !programs.join("promtool").exists() {
        // A download that was interrupted leaves a package.
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        requirements::update_package_lists()?;
        let mut download = program("apt-get", &["download", "-qq", "prometheus"]);
        run_step("download promtool", download.current_dir(&folder))?;
        let mut unpack = program("sh", &["-c", UNPACK]);
        run_step("unpack promtool", unpack.current_dir(&folder))?;
    }
    Ok(Some(programs))
}
