//! The measured servers: the service, and handlers of the benchmark behind the same HTTP stack.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::ready::Ready;
use invoicing_http::server::{self, ListenerOptions};
use invoicing_storage::SystemClock;
use tokio_util::sync::CancellationToken;

use super::{Problem, SERVER_CORE};

/// A server in a separate process. Dropping it kills the process.
pub(crate) struct Server {
    child: Child,
    /// The address of its listener.
    pub(crate) address: SocketAddr,
}

impl Server {
    /// The process id.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The main function of the empty server: a handler that does nothing serves every request.
pub(crate) fn empty() -> Result<(), Problem> {
    serve(axum::Router::new().fallback(|| async {}))
}

/// Serves `router` behind the HTTP stack of the service, and prints its address.
pub(crate) fn serve(router: axum::Router) -> Result<(), Problem> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let (listener, address) = server::bind("127.0.0.1:0".parse()?).await?;
        println!("{address}");
        std::io::stdout().flush()?;
        let options = ListenerOptions::new(Arc::new(SystemClock));
        server::run(listener, router, options, CancellationToken::new()).await;
        Ok(())
    })
}

/// Starts this program again with `arguments`, which let it call [`serve`].
pub(crate) fn start_own(arguments: &[&str]) -> Result<Server, Problem> {
    let mut child = pinned_command(&std::env::current_exe()?)
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()?;
    let stdout = child.stdout.take().ok_or("a pipe was asked for")?;
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line)?;
    Ok(Server {
        child,
        address: line.trim().parse()?,
    })
}

/// Starts the empty server.
pub(crate) fn start_empty() -> Result<Server, Problem> {
    start_own(&["empty"])
}

/// Which listener of the service is measured.
#[derive(Debug, Clone, Copy)]
#[allow(dead_code, reason = "each benchmark measures one of them")]
pub(crate) enum Listener {
    Identity,
    Gateway,
}

/// Starts the service on `database` with default settings, except for limits of requests that this load never reaches. Each
/// request is still counted.
pub(crate) fn start_service(
    folder: &Path,
    database: &str,
    listener: Listener,
    more_arguments: &[&str],
) -> Result<(Server, Ready), Problem> {
    let ready_file = folder.join("ready.json");
    let log = std::fs::File::create(folder.join("log"))?;
    let mut child = pinned_command(Path::new(env!("CARGO_BIN_EXE_invoicing-service")))
        .args(["serve", "--database", database])
        .args([
            "--address-limit",
            "4000000000",
            "--application-limit",
            "4000000000",
            "--rate-limit",
            "4000000000",
        ])
        .args(more_arguments)
        .args(["--identity", "127.0.0.1:0", "--gateway", "127.0.0.1:0"])
        .arg("--ready-file")
        .arg(&ready_file)
        .stderr(log)
        .spawn()?;
    while !ready_file.exists() {
        if let Some(ended) = child.try_wait()? {
            let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
            return Err(format!("the service ended: {ended}\n{log}").into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let ready: Ready = serde_json::from_slice(&std::fs::read(&ready_file)?)?;
    let url = match listener {
        Listener::Identity => &ready.auth_url,
        Listener::Gateway => &ready.base_url,
    };
    let address = url.trim_start_matches("http://").parse()?;
    Ok((Server { child, address }, ready))
}

fn pinned_command(program: &Path) -> Command {
    let mut command = Command::new("taskset");
    command
        .args(["--cpu-list", SERVER_CORE])
        .arg(program)
        .stdin(Stdio::null());
    command
}
