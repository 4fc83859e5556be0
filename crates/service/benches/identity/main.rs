//! `cargo xtask bench identity`: the provider on one core, the load on another, each figure beside that of an empty axum
//! handler under the same load in the same run.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measurement takes the time and tells a person"
)]

mod client;
mod host;
mod measure;
mod report;
mod scenarios;
mod seed;
mod servers;

use std::path::Path;
use std::process::{Command, ExitCode};

/// The cores of the servers and of the load.
const SERVER_CORE: &str = "0";
const LOAD_CORE: &str = "1";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match (arguments.next().as_deref(), arguments.next()) {
        (Some("empty"), _) => servers::empty(),
        (Some("load"), Some(folder)) => measure::run(Path::new(&folder)),
        // `cargo bench` passes arguments of its own.
        _ => itself_on_the_load_core(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench identity: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What went wrong, for a person.
type Problem = Box<dyn std::error::Error>;

fn itself_on_the_load_core() -> Result<(), Problem> {
    let folder = tempfile::Builder::new()
        .prefix("bench-identity")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let status = Command::new("taskset")
        .args(["--cpu-list", LOAD_CORE])
        .arg(std::env::current_exe()?)
        .arg("load")
        .arg(folder.path())
        .status()
        .map_err(|error| format!("taskset (util-linux) is needed: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("the load ended with {status}").into())
    }
}
