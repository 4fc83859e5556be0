//! The UI's tests in an ordinary browser: `ui-host` serves it, with the real core, keyring and service behind it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use crate::steps::{StepError, TestCount, program, root, run_tests};

/// Starts `ui-host` in a session of its own and runs `npm run test:browser` against it: all flows, or the one named `flow`.
pub(crate) fn test(flow: Option<&str>) -> Result<TestCount, StepError> {
    let folder = root().join("target/end-to-end/ui-host");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    #[cfg(target_os = "linux")]
    let session = xtask::session::Session::start(&folder.join("home"), 1280, 800)?;
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
        .env("UI_HOST_DATA", folder.join("data"));
    Ok(run_tests(
        "UI: in a browser, with the real core behind it",
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
