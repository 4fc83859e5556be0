//! The UI's tests in an ordinary browser: `ui-host` serves it, with the real core, keyring and service behind it.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::steps::{StepError, TestCount, beside, program, root, run_tests, target_folder};

/// Runs the flow named `flow`, or all flows shared by two browsers. Each flow has a `ui-host` and a desktop session of its own,
/// so that none finds what another has left.
pub(crate) fn test(flow: Option<&str>) -> Result<TestCount, StepError> {
    let folder = root().join("target/end-to-end/ui-host");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    if let Some(flow) = flow {
        return run_flow(flow, &folder);
    }
    let queue = Mutex::new(flows()?);
    let run_flows = || {
        let mut count = TestCount::default();
        // The queue is not locked while a flow runs.
        while let Some(flow) = next(&queue) {
            count += TestCount::of(run_flow(&flow, &folder));
        }
        count
    };
    // One browser leaves half of two processors idle while it waits for its display and for answers.
    let (second, mut count) = beside(run_flows, run_flows);
    count += second;
    Ok(count)
}

/// The names of all flows, in their order.
fn flows() -> Result<VecDeque<String>, StepError> {
    let output = program("node", &["tests/run.mjs", "--flows"])
        .current_dir(root().join("ui"))
        .stderr(Stdio::inherit())
        .output()?;
    let names = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(StepError(format!(
            "the flows of the browser cannot be listed ({})",
            output.status
        )));
    }
    if names.trim().is_empty() {
        return Err(StepError(
            "the list of the browser's flows is empty".to_owned(),
        ));
    }
    Ok(names.lines().map(str::to_owned).collect())
}

/// Takes the next flow from the queue.
fn next(queue: &Mutex<VecDeque<String>>) -> Option<String> {
    queue
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .pop_front()
}

/// Starts `ui-host` in a session of its own and runs one flow of `npm run test:browser` against it.
fn run_flow(flow: &str, folder: &Path) -> Result<TestCount, StepError> {
    let folder = folder.join(flow);
    #[cfg(target_os = "linux")]
    let session = xtask::session::Session::start(&folder.join("home"), 1280, 800)?;
    #[cfg(not(target_os = "linux"))]
    fs::create_dir_all(&folder)?;
    let ui_host = target_folder().join("debug/ui-host");
    let log = folder.join("log");
    let mut command = program(&ui_host.display().to_string(), &["--data"]);
    command
        .arg(folder.join("data"))
        .stdout(Stdio::piped())
        .stderr(fs::File::create(&log)?);
    #[cfg(target_os = "linux")]
    command.envs(session.environment());
    let mut host = ChildGuard(command.spawn()?);
    let mut address = String::new();
    if let Some(output) = host.0.stdout.take() {
        BufReader::new(output).read_line(&mut address)?;
    }
    if address.trim().is_empty() {
        let log = fs::read_to_string(&log)?;
        return Err(StepError(format!("{flow}: ui-host did not start:\n{log}")));
    }
    let mut npm = program("npm", &["run", "--silent", "test:browser", "--", flow]);
    npm.current_dir(root().join("ui"))
        .env("UI_HOST", &ui_host)
        .env("UI_HOST_URL", address.trim())
        .env("UI_HOST_DATA", folder.join("data"));
    // A flow that starts a `ui-host` of its own gives it the same keyring.
    #[cfg(target_os = "linux")]
    npm.envs(session.environment());
    Ok(run_tests(
        &format!("UI: in a browser, with the real core behind it: {flow}"),
        &mut npm,
    ))
}

/// Ends the program when dropped.
struct ChildGuard(Child);

impl Drop for ChildGuard {
    fn drop(&mut self) {
        // It may have ended by itself.
        if self.0.kill().is_ok() {
            drop(self.0.wait());
        }
    }
}
