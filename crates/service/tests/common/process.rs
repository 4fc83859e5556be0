//! The real program in a process of its own, which a test can kill.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use invoicing_contract::Names;

use super::{Site, client};

/// A running `invoicing-service serve`. Dropping it kills it.
pub struct Process {
    child: Child,
    pub site: Site,
}

impl Process {
    /// Starts it with its database and ready file in `folder`, and waits until it is ready.
    pub async fn start(folder: &Path, more: &[&str]) -> Self {
        Self::started(command(folder, more), folder).await
    }

    /// Starts `command`, which was made for `folder`, and waits until it is ready.
    pub async fn started(mut command: Command, folder: &Path) -> Self {
        let ready_file = folder.join("ready.json");
        // What a killed predecessor wrote says nothing about this one.
        let _ = std::fs::remove_file(&ready_file);
        let mut child = command.spawn().expect("the program starts");
        let ready = loop {
            if let Ok(written) = std::fs::read(&ready_file) {
                break serde_json::from_slice(&written)
                    .expect("the ready file is whole when it is there");
            }
            let ended = child.try_wait().expect("a process can be asked");
            assert!(
                ended.is_none(),
                "the program ended: {ended:?}\n{}",
                log(folder)
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        let site = Site {
            ready,
            http: client(),
            names: Names::default(),
        };
        Self { child, site }
    }

    /// kill -9.
    pub fn kill(mut self) {
        self.child.kill().expect("a process can be killed");
        self.child.wait().expect("a killed process ends");
    }

    /// SIGTERM, and how it ended.
    #[cfg(unix)]
    pub fn terminate(mut self) -> ExitStatus {
        let id = self.child.id().to_string();
        let sent = Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .expect("kill is there");
        assert!(sent.success(), "SIGTERM was sent");
        self.child
            .wait()
            .expect("a process that was told to stop ends")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already, as the test wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `invoicing-service serve` on free ports, with everything it writes in `folder`.
pub fn command(folder: &Path, more: &[&str]) -> Command {
    let log = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join("log"))
        .expect("a log file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_invoicing-service"));
    // What a test passes as an argument is stronger than what stands here.
    command
        .env("INVOICING_IDENTITY", "127.0.0.1:0")
        .env("INVOICING_GATEWAY", "127.0.0.1:0")
        .env("INVOICING_SEED", "demo")
        .env("INVOICING_INVOICES", "0")
        .env(
            "INVOICING_DATABASE",
            format!("sqlite:{}", folder.join("invoicing.db").display()),
        )
        .env("INVOICING_READY_FILE", folder.join("ready.json"))
        .arg("serve")
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    command
}

/// Everything that programs in `folder` logged.
pub fn log(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("log")).unwrap_or_default()
}
