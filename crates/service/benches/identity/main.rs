//! `cargo xtask bench identity`: measures the OpenID Provider on one core with load from another core, in the same run as an
//! empty axum handler under the same load.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark reads the clock and prints its results"
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

/// CPU numbers of the servers and of the load generator.
const SERVER_CORE: &str = "0";
const LOAD_CORE: &str = "1";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match (arguments.next().as_deref(), arguments.next()) {
        (Some("empty"), _) => servers::empty(),
        (Some("load"), Some(folder)) => measure::run(Path::new(&folder)),
        // `cargo bench` passes its own arguments.
        _ => run_on_load_core(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench identity: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Any error; it is printed and ends the run.
type Problem = Box<dyn std::error::Error>;

fn run_on_load_core() -> Result<(), Problem> {
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
