//! The processes of the application: wait for them, kill them, measure their memory.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use super::AppWindow;
use crate::driver::wait_until;

/// The limit for a process of the application to start.
const START_TIMEOUT: Duration = Duration::from_secs(20);

impl AppWindow {
    /// Waits until the system has started the application.
    pub async fn wait_until_running(&self) {
        wait_until("the application runs", START_TIMEOUT, async || {
            (!self.processes().is_empty()).then_some(())
        })
        .await;
    }

    /// Starts the program a second time with a file of `folder`, as the system opens a file with it, and waits until this second
    /// process has ended: the one that runs takes the file over.
    pub async fn start_again(&self, folder: &Path, file: &str) {
        let mut second = self.spawn(folder, &[file]);
        let status = wait_until("the second process ends", START_TIMEOUT, async || {
            second.try_wait().expect("it can be waited for")
        })
        .await;
        assert!(status.success(), "the second process failed: {status}");
    }

    /// Starts the application without a driver, as the system does: a web view that a driver controls prints nothing. It ends with
    /// the session.
    pub fn launch_without_driver(&self, arguments: &[&str]) {
        drop(self.spawn(self.folder(), arguments));
    }

    fn spawn(&self, folder: &Path, arguments: &[&str]) -> Child {
        self.session
            .command(&self.program())
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts")
    }

    /// Kills the application with SIGKILL and waits until it is gone.
    pub async fn kill(&mut self) {
        let running = self.processes();
        assert!(!running.is_empty(), "the application does not run");
        for process in running {
            // The status is ignored: the process may have ended already.
            drop(
                self.session
                    .command("kill")
                    .args(["-KILL", &process.to_string()])
                    .status(),
            );
        }
        self.wait_until_ended().await;
    }

    /// Waits until the application is gone, and leaves the WebDriver session that ended with it.
    pub(super) async fn wait_until_ended(&mut self) {
        wait_until(
            "the application is gone",
            Duration::from_secs(10),
            async || self.processes().is_empty().then_some(()),
        )
        .await;
        self.page = None;
        self.driver = None;
    }

    /// The process ids of the application in this session.
    fn processes(&self) -> Vec<u32> {
        let home = format!("HOME={}", self.session.folder().display());
        // Linux appends " (deleted)" to the path of a program that was rebuilt since the start.
        let program = self.program();
        let is_program = |exe: &Path| exe.to_string_lossy().starts_with(&program);
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        processes
            .filter(|process| {
                fs::read_link(process.path().join("exe")).is_ok_and(|exe| is_program(&exe))
            })
            .filter(|process| {
                let environment = fs::read(process.path().join("environ")).unwrap_or_default();
                environment
                    .split(|byte| *byte == 0)
                    .any(|variable| variable == home.as_bytes())
            })
            .filter_map(|process| process.file_name().to_str()?.parse().ok())
            .collect()
    }

    /// Anonymous resident memory (RssAnon) of the application's own process, without the web view's processes, in KiB.
    pub fn memory_kib(&self) -> u64 {
        let resident = |process: u32| {
            let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
            let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        };
        self.processes().into_iter().filter_map(resident).sum()
    }
}
