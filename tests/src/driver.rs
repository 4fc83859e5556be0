//! The programs that drive windows and pages, and waiting on conditions.

use std::io;
use std::net::TcpListener;
use std::process::Child;
use std::time::Duration;

/// A running WebDriver program.
pub struct Driver {
    _process: Process,
    address: String,
}

impl Driver {
    /// Starts a driver on a free port and waits until it answers.
    pub(crate) async fn start(spawn: impl FnOnce(u16) -> io::Result<Child>) -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a port is free")
            .port();
        let process = Process(spawn(port).expect("the driver is installed"));
        let address = format!("http://127.0.0.1:{port}");
        let status = format!("{address}/status");
        until("the driver answers", Duration::from_secs(20), async || {
            reqwest::get(&status).await.ok()
        })
        .await;
        Self {
            _process: process,
            address,
        }
    }

    /// Where it listens.
    pub fn address(&self) -> &str {
        &self.address
    }
}

/// Waits until `condition` gives something; it is asked again and again, and there is no other waiting in the tests.
///
/// # Panics
/// If it gives nothing within `limit`.
pub async fn until<T>(what: &str, limit: Duration, condition: impl AsyncFnMut() -> Option<T>) -> T {
    let Some(value) = until_some(limit, condition).await else {
        panic!("waited {} s in vain: {what}", limit.as_secs())
    };
    value
}

pub(crate) async fn until_some<T>(
    limit: Duration,
    mut condition: impl AsyncFnMut() -> Option<T>,
) -> Option<T> {
    tokio::time::timeout(limit, async {
        loop {
            if let Some(value) = condition().await {
                return value;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await
    .ok()
}

/// The path of one of our own programs, as built beside the tests.
pub fn binary(name: &str) -> String {
    let tests = std::env::current_exe().expect("a test knows where it is");
    let folder = tests.ancestors().find(|folder| folder.join(name).is_file());
    folder
        .unwrap_or_else(|| panic!("{name} is not built: run `cargo build --workspace`"))
        .join(name)
        .display()
        .to_string()
}

/// Stops a child process when dropped.
#[derive(Debug)]
struct Process(Child);

impl Process {
    fn kill(&mut self) -> io::Result<()> {
        self.0.kill()?;
        self.0.wait().map(drop)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.kill());
    }
}
