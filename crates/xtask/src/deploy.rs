//! Checks the files of deploy/ with linters from PyPI, which are installed into a virtual environment under target/.

use crate::python;
use crate::steps::{StepError, TestCount, program, root, run_tests};

/// Every check of deploy/, each counted as one test.
pub(crate) fn check() -> Result<TestCount, StepError> {
    let checks = root().join("deploy/checks");
    let python = python::environment("deploy-checks", &checks.join("requirements.txt"))?;
    let mut check = program(&python.display().to_string(), &["-B"]);
    Ok(run_tests(
        "deployment files",
        check.arg(checks.join("check.py")),
    ))
}
