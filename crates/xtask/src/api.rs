//! Foreign clients against the service, on both engines: the examples of docs/examples.md, and a fuzzer of its OpenAPI document.

use crate::steps::{StepError, TestCount, program, root, run_tests, target_folder};
use crate::{npm, postgres, python};

/// How long the fuzzer sends single requests on SQLite.
const SINGLE_SECONDS: &str = "45";
/// How long it sends sequences of requests, each with what is in answers before.
const SEQUENCE_SECONDS: &str = "20";
/// The same on PostgreSQL. It tries the same cases in the same order: that engine differs in what is stored.
const POSTGRES_SINGLE_SECONDS: &str = "30";
const POSTGRES_SEQUENCE_SECONDS: &str = "15";

/// Runs the clients of tests/api against the service that was built, each counted as one test.
pub(crate) fn test() -> Result<TestCount, StepError> {
    let folder = root().join("tests/api");
    let python = python::environment("api-tests", &folder.join("requirements.txt"))?;
    let clients = target_folder().join("api-clients");
    npm::install("a client of gRPC", &folder, &clients)?;
    let service = target_folder()
        .join("debug")
        .join(format!("invoicing-service{}", std::env::consts::EXE_SUFFIX));
    let run = |seconds: [&str; 2]| {
        let mut run = program(&python.display().to_string(), &["-B"]);
        run.arg(folder.join("run.py"))
            .arg(&service)
            .args(seconds)
            .env("NPM_PROGRAMS", clients.join("node_modules/.bin"));
        run
    };
    let mut count = run_tests(
        "foreign clients of the API, on SQLite",
        &mut run([SINGLE_SECONDS, SEQUENCE_SECONDS]),
    );
    if cfg!(unix) {
        let seconds = [POSTGRES_SINGLE_SECONDS, POSTGRES_SEQUENCE_SECONDS];
        let mut run = run(seconds);
        run.arg("--test-postgres").arg(postgres::test_postgres());
        count += run_tests("foreign clients of the API, on PostgreSQL", &mut run);
    }
    Ok(count)
}
