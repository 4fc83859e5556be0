//! WebDriver processes and polling of conditions.

use std::io;
use std::net::TcpListener;
use std::process::Child;
use std::time::Duration;

use crate::http_client;

/// The limit for a driver to answer.
const START_TIMEOUT: Duration = Duration::from_secs(20);
/// How often a driver is started at another port, if another program got its port before it.
const START_ATTEMPTS: u32 = 3;

/// A running WebDriver program.
pub struct Driver {
    _process: Process,
    address: String,
}

impl Driver {
    /// Starts a driver on a free port and waits until it answers.
    pub(crate) async fn start(spawn: impl Fn(u16) -> io::Result<Child> + Send + Sync) -> Self {
        let client = http_client::builder().build().expect("a client");
        for _ in 0..START_ATTEMPTS {
            let port = TcpListener::bind("127.0.0.1:0")
                .and_then(|listener| listener.local_addr())
                .expect("a port is free")
                .port();
            let mut process = Process(spawn(port).expect("the driver is installed"));
            let address = format!("http://127.0.0.1:{port}");
            let status = format!("{address}/status");
            let answers = wait_until("the driver answers", START_TIMEOUT, async || {
                match process.0.try_wait() {
                    Ok(None) => client.get(&status).send().await.ok().map(|_| true),
                    // It ends at once if it does not get the port.
                    Ok(Some(_)) | Err(_) => Some(false),
                }
            });
            if answers.await {
                return Self {
                    _process: process,
                    address,
                };
            }
        }
        panic!("the driver ended {START_ATTEMPTS} times before it answered")
    }

    /// The base address of the driver.
    pub fn address(&self) -> &str {
        &self.address
    }
}

/// Polls `condition` until it returns a value. The tests wait only with this function.
///
/// # Panics
/// If it returns none within `limit`.
pub async fn wait_until<T>(
    what: &str,
    limit: Duration,
    condition: impl AsyncFnMut() -> Option<T>,
) -> T {
    let Some(value) = wait_for_some(limit, condition).await else {
        panic!("not within {} s: {what}", limit.as_secs())
    };
    value
}

/// Polls `condition` until it returns a value; `None` if it returns none within `limit`.
pub(crate) async fn wait_for_some<T>(
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

/// The path of a program of the workspace, built beside the tests.
pub fn binary(name: &str) -> String {
    let tests = std::env::current_exe().expect("the path of the test binary is known");
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
        // An error is ignored: the process may have ended already.
        drop(self.kill());
    }
}
