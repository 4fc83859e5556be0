//! The embedded local environment: the real service, started in this process when somebody wants to sign in to it.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use invoicing_client::{BoxFuture, LocalEnvironment, LocalEnvironmentError};
use invoicing_contract::ready::Ready;
use invoicing_service::{
    BindError, Config, OpenError, RunningService, Seed, StartError, World, serve,
};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

/// How many invoices a first start puts into the home organization; a few hundred everywhere if it is not set.
const INVOICES: &str = "INVOICE_DESK_LOCAL_INVOICES";

/// The service with its files in one folder. It starts once, and runs until the application ends.
pub struct EmbeddedService {
    folder: PathBuf,
    running: Mutex<Option<RunningService>>,
}

impl EmbeddedService {
    /// A service that keeps its database in `folder`.
    #[must_use]
    pub const fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            running: Mutex::const_new(None),
        }
    }

    async fn started(&self) -> Result<RunningService, StartError> {
        let ports = self.folder.join("ports.json");
        let remembered = Ports::read(&ports).unwrap_or_default();
        let running = match serve(self.config(remembered), World::system()).await {
            // Somebody else has taken the ports of the last time. Others do as well: nobody outside knows them.
            Err(StartError::Bind(BindError::PortInUse { address, .. }))
                if remembered != Ports::default() =>
            {
                tracing::info!(%address, "the last port is taken, another one is used");
                serve(self.config(Ports::default()), World::system()).await?
            }
            outcome => outcome?,
        };
        Ports {
            identity: running.identity.port(),
            gateway: running.gateway.port(),
        }
        .write(&ports);
        Ok(running)
    }

    fn config(&self, ports: Ports) -> Config {
        let database = self.folder.join("service.db");
        Config {
            identity: SocketAddr::new(Ipv4Addr::LOCALHOST.into(), ports.identity),
            gateway: SocketAddr::new(Ipv4Addr::LOCALHOST.into(), ports.gateway),
            seed: Some(Seed::Demo),
            invoices: std::env::var(INVOICES)
                .ok()
                .and_then(|count| count.parse().ok()),
            ..Config::local(format!("sqlite:{}", database.display()))
        }
    }
}

impl LocalEnvironment for EmbeddedService {
    fn start(&self) -> BoxFuture<'_, Result<Ready, LocalEnvironmentError>> {
        Box::pin(async move {
            let mut running = self.running.lock().await;
            if let Some(running) = &*running {
                return Ok(running.ready.clone());
            }
            fs::create_dir_all(&self.folder).map_err(|error| LocalEnvironmentError::Other {
                reason: error.kind().to_string(),
            })?;
            let started = self.started().await.map_err(refusal)?;
            let ready = started.ready.clone();
            *running = Some(started);
            Ok(ready)
        })
    }
}

/// The service's refusal in the core's words.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "whatever else went wrong is told in the service's own words"
)]
fn refusal(error: StartError) -> LocalEnvironmentError {
    let folder = |path: PathBuf| path.parent().unwrap_or(&path).display().to_string();
    match error {
        StartError::Bind(BindError::PortInUse { address, .. }) => {
            LocalEnvironmentError::PortInUse {
                what: address.port().to_string(),
            }
        }
        StartError::Database(OpenError::CorruptDatabase { path, .. }) => {
            LocalEnvironmentError::CorruptDatabase { what: folder(path) }
        }
        StartError::Database(OpenError::NoSpace { path }) => {
            LocalEnvironmentError::NoSpace { what: folder(path) }
        }
        other => LocalEnvironmentError::Other {
            reason: other.to_string(),
        },
    }
}

/// The ports of the last start: the same ones again keep addresses that the browser remembers valid. 0 is any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Ports {
    identity: u16,
    gateway: u16,
}

impl Ports {
    fn read(file: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(file).ok()?).ok()
    }

    fn write(self, file: &Path) {
        let written = serde_json::to_vec(&self)
            .map_err(std::io::Error::other)
            .and_then(|text| fs::write(file, text));
        if let Err(error) = written {
            // The next start takes other ports, and nothing is lost.
            tracing::debug!(%error, "the ports were not remembered");
        }
    }
}
