//! Three processes on one database, with one address in front of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use invoicing_contract::Timestamp;
use invoicing_storage_postgres::{Options, migrate};
use invoicing_test_postgres::Server;

use super::proxy;
use crate::fixtures::ServiceClient;
use crate::fixtures::process::{Process, free_port};

const REPLICAS: usize = 3;

/// A database with the current schema on `server`. Its name.
pub(super) async fn prepare_database(server: &Server) -> String {
    let database = server.database("failover", async |owner_url| {
        let options = Options::from_url(owner_url).expect("the address of a database");
        let migrated = migrate(&options, Timestamp::from_millis(0)).await;
        migrated.expect("the migrations apply");
    });
    // It lives as long as the server.
    database.await.leak()
}

/// Running processes.
pub(super) struct Replicas {
    processes: Vec<Option<Process>>,
    folders: Vec<PathBuf>,
    ports: Vec<(u16, u16)>,
    /// Ports of the proxies.
    identity: u16,
    gateway: u16,
    database: String,
    /// A client of the proxies.
    pub(super) client: ServiceClient,
}

impl Replicas {
    /// Starts the processes, the first alone: it inserts the demo seed.
    pub(super) async fn start(folder: &Path, database: &str) -> Self {
        let ports: Vec<_> = (0..REPLICAS).map(|_| (free_port(), free_port())).collect();
        let identity = proxy::start(ports.iter().map(|(identity, _)| *identity).collect()).await;
        let gateway = proxy::start(ports.iter().map(|(_, gateway)| *gateway).collect()).await;
        let folders: Vec<_> = (0..REPLICAS)
            .map(|replica| folder.join(replica.to_string()))
            .collect();
        let mut processes = Vec::new();
        for (folder, ports) in folders.iter().zip(&ports) {
            std::fs::create_dir(folder).expect("a folder");
            let command = command(folder, *ports, (identity, gateway), database);
            processes.push(Some(Process::started(command, folder).await));
        }
        let client = processes
            .first()
            .and_then(Option::as_ref)
            .expect("three were started")
            .client
            .clone();
        Self {
            processes,
            folders,
            ports,
            identity,
            gateway,
            database: database.to_owned(),
            client,
        }
    }

    /// Sends SIGKILL to a process.
    pub(super) fn kill(&mut self, replica: usize) {
        self.take(replica).kill();
    }

    /// Sends SIGTERM to a process and waits for its end.
    pub(super) async fn terminate(&mut self, replica: usize) {
        let process = self.take(replica);
        let ended = tokio::task::spawn_blocking(|| process.terminate());
        let status = ended.await.expect("the thread ends");
        assert!(status.success(), "{status}");
    }

    /// Starts a process that has ended.
    pub(super) async fn start_again(&mut self, replica: usize) {
        let folder = &self.folders[replica];
        let proxies = (self.identity, self.gateway);
        let command = command(folder, self.ports[replica], proxies, &self.database);
        self.processes[replica] = Some(Process::started(command, folder).await);
    }

    fn take(&mut self, replica: usize) -> Process {
        self.processes[replica].take().expect("the process runs")
    }
}

fn command(
    folder: &Path,
    (identity, gateway): (u16, u16),
    (public_identity, public_gateway): (u16, u16),
    database: &str,
) -> Command {
    let log = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join("log"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_invoicing-service"));
    command
        .arg("serve")
        .args(["--identity", &format!("127.0.0.1:{identity}")])
        .args(["--gateway", &format!("127.0.0.1:{gateway}")])
        .args([
            "--public-identity",
            &format!("http://127.0.0.1:{public_identity}"),
        ])
        .args([
            "--public-gateway",
            &format!("http://127.0.0.1:{public_gateway}"),
        ])
        .args(["--seed", "demo", "--invoices", "0", "--ready-file"])
        .arg(folder.join("ready.json"))
        .env("INVOICING_DATABASE", database)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log.expect("a log file"));
    command
}
