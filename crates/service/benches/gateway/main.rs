//! `cargo xtask bench gateway`: measures operations of the gateway on one core with load from another core, in the same run as
//! an empty axum handler and a bare insert of the same bytes under the same load.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark reads the clock and prints its results"
)]

mod bare_insert;
mod decisions;
#[path = "../load/mod.rs"]
mod load;
mod measure;
mod scenarios;
mod session;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match (arguments.next().as_deref(), arguments.next()) {
        (Some("empty"), _) => load::servers::empty(),
        (Some("insert"), Some(file)) => bare_insert::serve(Path::new(&file)),
        (Some("load"), Some(folder)) => measure::run(Path::new(&folder)),
        // `cargo bench` passes its own arguments.
        _ => load::run_on_load_core("bench-gateway"),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench gateway: {error}");
            ExitCode::FAILURE
        }
    }
}
