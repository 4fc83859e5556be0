//! The UI's tests in an ordinary browser. For the flows that need a core `ui-host` serves the UI, with the real core, keyring and service
//! behind it.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, BufRead as _, BufReader, PipeReader, Split, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::steps::{
    StepError, TestCount, beside, print_line, program, root, summary, target_folder,
};

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
    let mut flows = flows()?;
    if let Some(only) = only {
        flows.retain(|flow| flow.name == only);
        if flows.is_empty() {
            return Err(StepError(format!("There is no flow named {only}.")));
        }
    }
    let queue = Mutex::new(flows);
    let run_flows = || {
        let mut count = TestCount::default();
        let mut runner = None;
        // The queue is not locked while a flow runs.
        while let Some(flow) = next(&queue) {
            count += TestCount::of(run_flow(&mut runner, &flow, &folder));
        }
        count
    };
    if only.is_some() {
        return Ok(run_flows());
    }
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

/// Starts what a flow needs, and runs it. A runner that ends in this flow is none for the next, which starts another.
fn run_flow(
    runner: &mut Option<FlowRunner>,
    flow: &Flow,
    folder: &Path,
) -> Result<TestCount, StepError> {
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
    // A flow that starts a `ui-host` of its own gives it the same keyring.
    #[cfg(target_os = "linux")]
    let mut environment: Vec<(&str, String)> = session
        .iter()
        .flat_map(|session| session.environment())
        .map(|(name, value)| (name, value.to_owned()))
        .collect();
    #[cfg(not(target_os = "linux"))]
    let mut environment: Vec<(&str, String)> = Vec::new();
    // Until the end of the flow.
    let _host = if flow.need == Need::Core {
        let (host, address) = start_host(flow, &folder, &environment)?;
        let data = folder.join("data").display().to_string();
        environment.extend([("UI_HOST_URL", address), ("UI_HOST_DATA", data)]);
        Some(host)
    } else {
        None
    };
    let start = begun.elapsed().as_millis();
    environment.push(("UI_HOST_START_MS", start.to_string()));
    let mut running = match runner.take() {
        Some(running) => running,
        None => FlowRunner::start(node())?,
    };
    let count = running.run(flow, &environment)?;
    *runner = Some(running);
    Ok(count)
}

/// The program of a [`FlowRunner`].
fn node() -> Command {
    let mut node = program("node", &["tests/run.mjs", "--queue"]);
    node.current_dir(root().join("ui"))
        .env("UI_HOST", ui_host());
    node
}

fn ui_host() -> PathBuf {
    target_folder().join("debug/ui-host")
}

/// A process that runs flows one after the other, in one Chromium: to start both for each flow takes longer than most of its tests.
struct FlowRunner {
    process: Child,
    /// The lines of its output and its errors, in order.
    output: Split<BufReader<PipeReader>>,
}

impl FlowRunner {
    /// `command` is dropped at the end: it holds the other end of the pipe, which would keep it open for ever.
    fn start(mut command: Command) -> io::Result<Self> {
        let (output, writer) = io::pipe()?;
        let process = command
            .stdin(Stdio::piped())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .spawn()?;
        Ok(Self {
            process,
            output: BufReader::new(output).split(b'\n'),
        })
    }

    /// Runs a flow to its last line, which has the count of its tests. An error if the process ends before.
    fn run(&mut self, flow: &Flow, environment: &[(&str, String)]) -> Result<TestCount, StepError> {
        print_line(&format!("\n── UI: in a browser: {}", flow.name));
        let sent = self.send(flow, environment);
        // If it has ended already, it has printed why.
        for line in &mut self.output {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            print_line(&line);
            if let Some(count) = summary(&line) {
                return Ok(count);
            }
        }
        sent?;
        Err(StepError(format!(
            "{}: the process of the flow has ended before the flow",
            flow.name
        )))
    }

    /// Sends the lines that `runQueue` of `ui/tests/run.mjs` reads.
    fn send(&mut self, flow: &Flow, environment: &[(&str, String)]) -> io::Result<()> {
        let Some(input) = &mut self.process.stdin else {
            return Ok(());
        };
        for (name, value) in environment {
            writeln!(input, "{name}={value}")?;
        }
        writeln!(input, "{}", flow.name)
    }
}

impl Drop for FlowRunner {
    /// Waits until it has closed its browser and ended: it does so at the end of its input, which `wait` closes before.
    fn drop(&mut self) {
        drop(self.process.wait());
    }
}

/// Starts `ui-host` with its files in `folder`, and returns it with its address.
fn start_host(
    flow: &Flow,
    folder: &Path,
    environment: &[(&str, String)],
) -> Result<(ChildGuard, String), StepError> {
    let log = folder.join("log");
    let mut command = program(&ui_host().display().to_string(), &["--data"]);
    command
        .arg(folder.join("data"))
        .envs(environment.iter().cloned())
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

    #[cfg(unix)]
    #[test]
    fn runner_runs_one_flow_after_the_other_until_one_ends_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = "known=0
            while read -r line; do
                case $line in
                    UI_HOST_START_MS=*) known=$((known + 1)) ;;
                    passes) echo \"$known passed, 1 failed\" ;;
                    crashes) exit 1 ;;
                esac
            done";
        let command = program("sh", &["-c", script]);
        let mut runner = Some(FlowRunner::start(command).expect("a shell"));
        let mut run = |name: &str| {
            let flow = Flow {
                name: name.to_owned(),
                need: Need::Nothing,
            };
            let count = run_flow(&mut runner, &flow, folder.path());
            let count = count.ok().map(|count| (count.passed, count.failed));
            (count, runner.is_some())
        };
        assert_eq!(run("passes"), (Some((1, 1)), true));
        assert_eq!(run("passes"), (Some((2, 1)), true), "in the same process");
        assert_eq!(run("crashes"), (None, false), "the next starts another");
    }
}
