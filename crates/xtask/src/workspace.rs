//! The commands of cargo that build and test the whole workspace.

use std::process::Command;

use crate::steps::{StepError, program, run_step};

/// Builds all programs and tests, but not the examples and the benchmarks that are no tests: no test starts them, and clippy has
/// checked them. Without the tests, dependencies would have fewer features and be built again.
pub(crate) fn build() -> Result<(), StepError> {
    let mut build = program("cargo", &["build", "--lib", "--bins", "--tests"]);
    run_step("build", workspace(&mut build))
}

/// `command` for the whole workspace, with one feature set for every step: with another one cargo builds the dependencies again.
pub(crate) fn workspace(command: &mut Command) -> &mut Command {
    command.args(["--workspace", "--all-features"])
}

pub(crate) fn nextest() -> Command {
    // By default it builds the examples, too.
    let mut nextest = program("cargo", &["nextest", "run", "--tests", "--no-fail-fast"]);
    // Many tests wait for a disk, a clock or a window most of their time: with two for each core, both are used to nine tenths.
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    nextest.args(["--test-threads", &(2 * cores).to_string()]);
    nextest
}
