//! The UI's tests in an ordinary browser: `ui-host` serves it, with the real core, keyring and service behind it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use crate::steps::{StepError, TestCount, beside, program, root, run_tests};

/// Runs the flow named `flow`, or all flows shared by two browsers, each with a `ui-host` and a desktop session of its own.
pub(crate) fn test(flow: Option<&str>) -> Result<TestCount, StepError> {
    let folder = root().join("target/end-to-end/ui-host");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let claims = folder.join("claims");
    fs::create_dir_all(&claims)?;
    if flow.is_some() {
        return run_flows(flow, &folder, &claims, 1);
    }
    // One browser leaves half of two processors idle while it waits for its display and for answers.
    let (second, first) = beside(
        || run_flows(None, &folder, &claims, 2),
        || run_flows(None, &folder, &claims, 1),
    );
    let mut count = first?;
    count += second?;
    Ok(count)
}

/// Starts `ui-host` in a session of its own and runs `npm run test:browser` against it, with the flows that no other process
/// has claimed. `number` tells the browsers apart.
fn run_flows(
    flow: Option<&str>,
    folder: &Path,
    claims: &Path,
    number: usize,
) -> Result<TestCount, StepError> {
    let folder = folder.join(number.to_string());
    #[cfg(target_os = "linux")]
    let session = xtask::session::Session::start(&folder.join("home"), 1280, 800)?;
    #[cfg(not(target_os = "linux"))]
    fs::create_dir_all(&folder)?;
    let mut command = program(
        &root().join("target/debug/ui-host").display().to_string(),
        &["--data"],
    );
    command
        .arg(folder.join("data"))
        .stdout(Stdio::piped())
        .stderr(fs::File::create(folder.join("log"))?);
    #[cfg(target_os = "linux")]
    command.envs(session.environment());
    let mut host = ChildGuard(command.spawn()?);
    let mut address = String::new();
    if let Some(output) = host.0.stdout.take() {
        BufReader::new(output).read_line(&mut address)?;
    }
    let mut npm = program("npm", &["run", "--silent", "test:browser"]);
    npm.args(flow.map(|flow| ["--", flow]).into_iter().flatten())
        .current_dir(root().join("ui"))
        .env("UI_HOST_URL", address.trim())
        .env("UI_HOST_DATA", folder.join("data"))
        .env("UI_FLOW_CLAIMS", claims);
    Ok(run_tests(
        &format!("UI: in browser {number}, with the real core behind it"),
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
