//! Three processes on one database, with a proxy in front of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use invoicing_contract::Timestamp;
use invoicing_storage_postgres::{Options, migrate};
use invoicing_test_postgres::{Deployment, Server};
use reqwest::{Client, StatusCode, redirect};

use super::proxy::{Ports, Proxy, public_addresses};
use crate::fixtures::process::{Process, free_port};
use crate::fixtures::{ServiceClient, wait_until};

const REPLICAS: usize = 3;
/// What the compose file says about the end of a replica, and the test with it.
const DRAIN: [&str; 2] = ["INVOICING_DRAIN_DELAY", "INVOICING_DRAIN_TIMEOUT"];

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
    ports: Vec<Ports>,
    proxy_port: u16,
    database: String,
    /// A client of the proxy.
    pub(super) client: ServiceClient,
    _proxy: Proxy,
}

impl Replicas {
    /// Starts the processes, the first alone: it inserts the demo seed. Then the proxy.
    pub(super) async fn start(folder: &Path, database: &str) -> Self {
        let ports: Vec<_> = (0..REPLICAS)
            .map(|_| Ports {
                identity: free_port(),
                gateway: free_port(),
                metrics: free_port(),
            })
            .collect();
        let proxy_port = free_port();
        let folders: Vec<_> = (0..REPLICAS)
            .map(|replica| folder.join(replica.to_string()))
            .collect();
        let mut processes = Vec::new();
        for (folder, ports) in folders.iter().zip(&ports) {
            std::fs::create_dir(folder).expect("a folder");
            let command = command(folder, *ports, proxy_port, database);
            processes.push(Some(Process::started(command, folder).await));
        }
        let mut proxy = Proxy::start(folder, proxy_port, &ports);
        let first = processes.first().and_then(Option::as_ref);
        let client = ServiceClient {
            http: Client::builder()
                .no_proxy()
                .redirect(redirect::Policy::none())
                // An attempt is one request: HAProxy refuses the stream (REFUSED_STREAM) of a request whose process was killed, as if it had
                // not been processed, and the client would send it again.
                .retry(reqwest::retry::never())
                .tls_certs_only([proxy.certificate.clone()])
                .build()
                .expect("a client"),
            ..first.expect("three were started").client.clone()
        };
        for address in [client.auth("/oauth/v2/keys"), client.base("/health/ready")] {
            wait_until("the proxy has found the processes", async || {
                proxy.assert_runs(folder);
                let response = client.http.get(&address).send().await;
                response.is_ok_and(|response| response.status() == StatusCode::OK)
            })
            .await;
        }
        Self {
            processes,
            folders,
            ports,
            proxy_port,
            database: database.to_owned(),
            client,
            _proxy: proxy,
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
        let command = command(folder, self.ports[replica], self.proxy_port, &self.database);
        self.processes[replica] = Some(Process::started(command, folder).await);
    }

    fn take(&mut self, replica: usize) -> Process {
        self.processes[replica].take().expect("the process runs")
    }
}

fn command(folder: &Path, ports: Ports, proxy_port: u16, database: &str) -> Command {
    let log = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join("log"));
    let address = |port| format!("127.0.0.1:{port}");
    let (public_identity, public_gateway) = public_addresses(proxy_port);
    let deployed = Deployment::environment("service");
    let mut command = Command::new(env!("CARGO_BIN_EXE_invoicing-service"));
    command
        .arg("serve")
        .args(["--identity", &address(ports.identity)])
        .args(["--gateway", &address(ports.gateway)])
        .args(["--metrics", &address(ports.metrics)])
        .args(["--public-identity", &public_identity])
        .args(["--public-gateway", &public_gateway])
        .args(["--proxy", "127.0.0.1"])
        // All callers have one address and one organization.
        .args(["--address-limit", "0", "--rate-limit", "1000000"])
        .args(["--seed", "demo", "--invoices", "0", "--ready-file"])
        .arg(folder.join("ready.json"))
        .envs(DRAIN.map(|name| (name, deployed[name])))
        .env("INVOICING_DATABASE", database)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log.expect("a log file"));
    command
}
