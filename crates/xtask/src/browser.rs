//! The UI's tests in an ordinary browser. For the flows that need a core `ui-host` serves the UI, with the real core, keyring and service
//! behind it.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::steps::{StepError, TestCount, beside, program, root, run_tests, target_folder};

/// A flow of `ui/tests/run.mjs`, and what is started for it.
#[derive(Debug, PartialEq, Eq)]
struct Flow {
    name: String,
    need: Need,
}

/// What is started for a flow, beside its browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    /// It shows recorded answers.
    Nothing,
    /// It starts each `ui-host` by itself, with the keyring of the session.
    Session,
    /// A `ui-host` in a session.
    Core,
}

impl Flow {
    /// The flow of a line of `--flows`: its name and what it needs.
    fn from_line(line: &str) -> Option<Self> {
        let (name, need) = line.split_once(' ')?;
        let need = match need {
            "nothing" => Need::Nothing,
            "session" => Need::Session,
            "core" => Need::Core,
            _ => return None,
        };
        Some(Self {
            name: name.to_owned(),
            need,
        })
    }
}

/// Runs the flow named `only`, or all flows shared by two browsers. Each flow that needs them has a `ui-host` and a desktop session
/// of its own, so that none finds what another has left.
pub(crate) fn test(only: Option<&str>) -> Result<TestCount, StepError> {
    let folder = root().join("target/end-to-end/ui-host");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let flows = flows()?;
    if let Some(only) = only {
        return match flows.iter().find(|flow| flow.name == only) {
            Some(flow) => run_flow(flow, &folder),
            None => Err(StepError(format!("There is no flow named {only}."))),
        };
    }
    let queue = Mutex::new(flows);
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

/// All flows, in their order.
fn flows() -> Result<VecDeque<Flow>, StepError> {
    let output = program("node", &["tests/run.mjs", "--flows"])
        .current_dir(root().join("ui"))
        .stderr(Stdio::inherit())
        .output()?;
    let lines = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(StepError(format!(
            "the flows of the browser cannot be listed ({})",
            output.status
        )));
    }
    if lines.trim().is_empty() {
        return Err(StepError(
            "the list of the browser's flows is empty".to_owned(),
        ));
    }
    let flow = |line: &str| {
        Flow::from_line(line)
            .ok_or_else(|| StepError(format!("not a flow and what it needs: {line}")))
    };
    lines.lines().map(flow).collect()
}

/// Takes the next flow from the queue.
fn next(queue: &Mutex<VecDeque<Flow>>) -> Option<Flow> {
    queue
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .pop_front()
}

/// Starts what a flow needs, and runs it.
fn run_flow(flow: &Flow, folder: &Path) -> Result<TestCount, StepError> {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long the start took is told to a person, nothing depends on it"
    )]
    let begun = Instant::now();
    let folder = folder.join(&flow.name);
    fs::create_dir_all(&folder)?;
    #[cfg(target_os = "linux")]
    let session = (flow.need != Need::Nothing)
        .then(|| xtask::session::Session::start_without_screen(&folder.join("home")))
        .transpose()?;
    #[cfg(target_os = "linux")]
    let environment: Vec<(&str, &str)> = session
        .iter()
        .flat_map(|session| session.environment())
        .collect();
    #[cfg(not(target_os = "linux"))]
    let environment: Vec<(&str, &str)> = Vec::new();
    let ui_host = target_folder().join("debug/ui-host");
    let mut node = program("node", &["tests/run.mjs", &flow.name]);
    // A flow that starts a `ui-host` of its own gives it the same keyring.
    node.current_dir(root().join("ui"))
        .envs(environment.iter().copied())
        .env("UI_HOST", &ui_host);
    // Until the end of the flow.
    let _host = if flow.need == Need::Core {
        let (host, address) = start_host(flow, &ui_host, &folder, &environment)?;
        node.env("UI_HOST_URL", address)
            .env("UI_HOST_DATA", folder.join("data"));
        Some(host)
    } else {
        None
    };
    node.env("UI_HOST_START_MS", begun.elapsed().as_millis().to_string());
    Ok(run_tests(
        &format!("UI: in a browser: {}", flow.name),
        &mut node,
    ))
}

/// Starts `ui-host` with its files in `folder`, and returns it with its address.
fn start_host(
    flow: &Flow,
    ui_host: &Path,
    folder: &Path,
    environment: &[(&str, &str)],
) -> Result<(ChildGuard, String), StepError> {
    let log = folder.join("log");
    let mut command = program(&ui_host.display().to_string(), &["--data"]);
    command
        .arg(folder.join("data"))
        .envs(environment.iter().copied())
        .stdout(Stdio::piped())
        .stderr(fs::File::create(&log)?);
    let mut host = ChildGuard(command.spawn()?);
    let mut address = String::new();
    if let Some(output) = host.0.stdout.take() {
        BufReader::new(output).read_line(&mut address)?;
    }
    let address = address.trim();
    if address.is_empty() {
        let log = fs::read_to_string(&log)?;
        return Err(StepError(format!(
            "{}: ui-host did not start:\n{log}",
            flow.name
        )));
    }
    Ok((host, address.to_owned()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_of_a_flow_has_its_name_and_what_it_needs() {
        let flow = |name: &str, need| {
            let name = name.to_owned();
            Some(Flow { name, need })
        };
        assert_eq!(
            Flow::from_line("fields nothing"),
            flow("fields", Need::Nothing)
        );
        assert_eq!(Flow::from_line("bulk session"), flow("bulk", Need::Session));
        assert_eq!(Flow::from_line("history core"), flow("history", Need::Core));
        assert_eq!(Flow::from_line("history"), None);
        assert_eq!(Flow::from_line("history window"), None);
    }
}
