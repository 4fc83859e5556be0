//! `cargo xtask bench identity`: measures the OpenID Provider on one core with load from another core, in the same run as an
//! empty axum handler under the same load.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark reads the clock and prints its results"
)]

#[path = "../load/mod.rs"]
mod load;
mod measure;
#[cfg(unix)]
mod postgres;
mod scenarios;
mod seed;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match (arguments.next().as_deref(), arguments.next()) {
        (Some("empty"), _) => load::servers::empty(),
        (Some("load"), Some(folder)) => measure::run(Path::new(&folder)),
        // `cargo bench` passes its own arguments.
        _ => load::run_on_load_core("bench-identity"),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench identity: {error}");
            ExitCode::FAILURE
        }
    }
}
