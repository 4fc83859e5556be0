//! Foreign clients against the service: the examples of docs/examples.md, and a fuzzer of its OpenAPI document.

use crate::python;
use crate::steps::{StepError, TestCount, program, root, run_tests, target_folder};

/// How long the fuzzer sends single requests.
const SINGLE_SECONDS: &str = "60";
/// How long it sends sequences of requests, each with what is in answers before.
const SEQUENCE_SECONDS: &str = "30";

/// Runs the clients of tests/api against the service that was built, each counted as one test.
pub(crate) fn test() -> Result<TestCount, StepError> {
    let folder = root().join("tests/api");
    let python = python::environment("api-tests", &folder.join("requirements.txt"))?;
    let service = target_folder()
        .join("debug")
        .join(format!("invoicing-service{}", std::env::consts::EXE_SUFFIX));
    let mut run = program(&python.display().to_string(), &["-B"]);
    run.arg(folder.join("run.py"))
        .arg(service)
        .args([SINGLE_SECONDS, SEQUENCE_SECONDS]);
    Ok(run_tests("foreign clients of the API", &mut run))
}
