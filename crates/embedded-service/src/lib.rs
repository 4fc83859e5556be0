//! The embedded local environment: the real service, started in this process when somebody signs in to it or has a session.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use invoicing_client::{BoxFuture, LocalEnvironment, LocalEnvironmentError};
use invoicing_contract::ready::Ready;
use invoicing_service::{
    BindError, Config, DatabaseError, RunningService, Seed, SqliteOpenError, StartError,
    SystemClock, SystemRng, serve,
};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

/// Environment variable: the number of invoices that the first start seeds into the home organization. Without it, every
/// organization gets a few hundred.
const INVOICES: &str = "INVOICE_DESK_LOCAL_INVOICES";

/// The service, with its files in one folder. It starts at most once, and runs until the application ends.
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

    async fn start_service(&self) -> Result<RunningService, StartError> {
        let ports = self.folder.join("ports.json");
        let last = Ports::read(&ports).unwrap_or_default();
        let running = match serve(
            self.config(last),
            Arc::new(SystemClock),
            Arc::new(SystemRng),
        )
        .await
        {
            // Another program uses the ports of the last start. Any ports will do: only this process knows them.
            Err(StartError::Bind(BindError::PortInUse { address, .. }))
                if last != Ports::default() =>
            {
                tracing::info!(%address, "the port of the last start is in use, another one is taken");
                serve(
                    self.config(Ports::default()),
                    Arc::new(SystemClock),
                    Arc::new(SystemRng),
                )
                .await?
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
            fs::create_dir_all(&self.folder)
                .map_err(|error| LocalEnvironmentError::Other(error.into()))?;
            let started = self.start_service().await.map_err(start_failure)?;
            let ready = started.ready.clone();
            *running = Some(started);
            Ok(ready)
        })
    }
}

/// Classifies why the service did not start.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the core tells the remaining cases apart only by their text"
)]
fn start_failure(error: StartError) -> LocalEnvironmentError {
    let folder = |path: &Path| path.parent().unwrap_or(path).to_owned();
    match &error {
        StartError::Bind(BindError::PortInUse { address, .. }) => {
            LocalEnvironmentError::PortInUse {
                port: address.port(),
            }
        }
        StartError::Database(DatabaseError::Sqlite(SqliteOpenError::CorruptDatabase {
            path,
            ..
        })) => LocalEnvironmentError::CorruptDatabase {
            folder: folder(path),
            source: error.into(),
        },
        StartError::Database(DatabaseError::Sqlite(SqliteOpenError::NoSpace { path })) => {
            LocalEnvironmentError::NoSpace {
                folder: folder(path),
            }
        }
        _ => LocalEnvironmentError::Other(error.into()),
    }
}

/// The ports of the last start. Using them again keeps addresses valid that the browser remembers. 0 means any port.
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
            // The next start takes other ports.
            tracing::debug!(%error, "the ports were not saved");
        }
    }
}
