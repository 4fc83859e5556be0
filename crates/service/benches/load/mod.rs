//! What the benchmarks over HTTP share: load generator, servers, rounds, report.

pub(crate) mod client;
pub(crate) mod host;
pub(crate) mod measurement;
pub(crate) mod random;
pub(crate) mod report;
pub(crate) mod servers;

use std::path::Path;
use std::process::Command;

use client::Load;

/// CPU numbers of the servers and of the load generator.
pub(crate) const SERVER_CORE: &str = "0";
const LOAD_CORE: &str = "1";

/// Any error; it is printed and ends the run.
pub(crate) type Problem = Box<dyn std::error::Error>;

/// The first request of each connection, repeated: the load of the empty handler.
pub(crate) struct Repeated(Vec<Vec<u8>>);

impl Repeated {
    /// Takes the next request of each connection from `load`.
    pub(crate) fn of(load: &dyn Load, connections: usize) -> Self {
        let requests = (0..connections).map(|connection| {
            let mut request = Vec::new();
            load.request(connection, &mut request);
            request
        });
        Self(requests.collect())
    }
}

impl Load for Repeated {
    fn request(&self, connection: usize, into: &mut Vec<u8>) -> bool {
        into.extend_from_slice(&self.0[connection]);
        true
    }

    fn is_expected(&self, _connection: usize, _body: &[u8]) -> bool {
        true
    }
}

/// Runs this program again as `load FOLDER` on the core of the load. The folder is deleted at the end.
pub(crate) fn run_on_load_core(prefix: &str) -> Result<(), Problem> {
    let folder = tempfile::Builder::new()
        .prefix(prefix)
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    run_in(folder.path())
}

fn run_in(folder: &Path) -> Result<(), Problem> {
    let status = Command::new("taskset")
        .args(["--cpu-list", LOAD_CORE])
        .arg(std::env::current_exe()?)
        .arg("load")
        .arg(folder)
        .status()
        .map_err(|error| format!("taskset (util-linux) is needed: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("the load ended with {status}").into())
    }
}
