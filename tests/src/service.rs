//! The service on free ports, with the demo seed, behind two fault proxies.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::Once;

use invoicing_client::{BoxFuture, LocalEnvironment, LocalEnvironmentError};
use invoicing_contract::AudienceId;
use invoicing_contract::ready::Ready;
use invoicing_service::{
    Config, EnvironmentKind, RunningService, Seed, SystemClock, SystemRng, open_administration,
    serve,
};
use invoicing_test_template::OnlyCopy;
use tempfile::TempDir;

use crate::fault_proxy::{FaultProxy, TestAuthority};

/// The project-audience id of staging environments.
const STAGING_AUDIENCE_ID: &str = "staging-audience";

/// The database, below the folder of the service. That of the embedded environment has the same name.
const DATABASE: &str = "service.db";

/// An accountant with roles in four organizations of the demo seed.
pub const NOURA: &str = "noura@alkhair.example";
/// A clerk with a role in one organization of the demo seed.
pub const CLERK: &str = "salem@alkhair.example";
/// The home organization of both.
pub const HOME: &str = "274893001";
/// An organization granted to [`NOURA`] that has no tenant.
pub const UNRESOLVABLE: &str = "274893004";

/// The running service.
pub struct Service {
    /// The content of its ready file.
    pub ready: Ready,
    /// The proxy in front of the identity provider.
    pub identity: FaultProxy,
    /// The proxy in front of the gateway.
    pub gateway: FaultProxy,
    running: RunningService,
    folder: TempDir,
}

impl Service {
    /// Starts it with the default configuration.
    pub async fn start() -> Self {
        Self::with(|_| ()).await
    }

    /// Starts it with a changed configuration.
    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let proxies = (FaultProxy::new().await, FaultProxy::new().await);
        Self::behind(proxies, change).await
    }

    /// Starts it behind proxies with TLS, whose certificates are of `authority`.
    pub async fn start_tls(authority: &TestAuthority) -> Self {
        install_crypto_provider();
        let identity = FaultProxy::new_tls(authority).await;
        let gateway = FaultProxy::new_tls(authority).await;
        Self::behind((identity, gateway), |_| ()).await
    }

    async fn behind(
        (identity, gateway): (FaultProxy, FaultProxy),
        change: impl FnOnce(&mut Config),
    ) -> Self {
        install_crypto_provider();
        let folder = tempfile::tempdir().expect("a folder");
        let database = format!("sqlite:{}", folder.path().join(DATABASE).display());
        let mut config = Config {
            seed: Some(Seed::Demo),
            public_identity: Some(identity.address().parse().expect("an address")),
            public_gateway: Some(gateway.address().parse().expect("an address")),
            ..Config::local(database)
        };
        change(&mut config);
        if has_the_usual_seed(&config)
            && let Some(copy) = OnlyCopy::take()
        {
            // The client of a test may remember what a service had that has ended since.
            copy.keep();
            copy_seed(folder.path()).await;
        }
        let running = serve(config, Arc::new(SystemClock), Arc::new(SystemRng))
            .await
            .expect("the service starts");
        identity.connect(running.identity);
        gateway.connect(running.gateway);
        Self {
            ready: running.ready.clone(),
            identity,
            gateway,
            running,
            folder,
        }
    }

    /// Starts it as a staging environment with the users of the demo seed. Only a test can do that: the service refuses the
    /// seed outside a local environment, and a database keeps its kind.
    pub async fn staging() -> Self {
        Self::start().await.into_staging().await
    }

    /// As [`staging`](Self::staging), behind proxies with TLS, whose certificates are of `authority`.
    pub async fn staging_tls(authority: &TestAuthority) -> Self {
        Self::start_tls(authority).await.into_staging().await
    }

    async fn into_staging(self) -> Self {
        let Self {
            ready,
            identity,
            gateway,
            running,
            folder,
        } = self;
        running.shutdown().await;
        let path = folder.path().join(DATABASE);
        rusqlite::Connection::open(&path)
            .and_then(|database| {
                database.execute_batch(
                    "UPDATE settings SET value = 'staging' WHERE name = 'kind';
                     UPDATE applications SET redirect_uris = replace(redirect_uris, '/local', '/staging'),
                         post_logout_uris = replace(post_logout_uris, '/local', '/staging');",
                )
            })
            .expect("the database can be changed");
        let config = Config {
            kind: EnvironmentKind::Staging,
            audience_id: AudienceId::parse(STAGING_AUDIENCE_ID),
            public_identity: Some(identity.address().parse().expect("an address")),
            public_gateway: Some(gateway.address().parse().expect("an address")),
            ..Config::local(format!("sqlite:{}", path.display()))
        };
        let running = serve(config, Arc::new(SystemClock), Arc::new(SystemRng))
            .await
            .expect("the service starts");
        identity.connect(running.identity);
        gateway.connect(running.gateway);
        // Only the first start, which has seeded the database, knows passwords and secrets.
        let mut applications = running.ready.applications.clone();
        for application in &mut applications {
            let mut seeded = ready.applications.iter();
            let seeded = seeded.find(|other| other.client_id == application.client_id);
            application.client_secret = seeded.and_then(|other| other.client_secret.clone());
        }
        let ready = Ready {
            users: ready.users,
            applications,
            ..running.ready.clone()
        };
        Self {
            ready,
            identity,
            gateway,
            running,
            folder,
        }
    }

    /// Ends all sessions and tokens of a user as an administrator does at the command line, who disables the user and lets the
    /// user in again.
    pub async fn end_sessions_of(&self, username: &str) {
        let database = format!("sqlite:{}", self.folder.path().join(DATABASE).display());
        let (clock, rng) = (Arc::new(SystemClock), Arc::new(SystemRng));
        let administration = open_administration(&database.into(), clock, rng).await;
        let administration = administration.expect("the database is there");
        let disabled = administration.disable_user(username).await;
        disabled.expect("the user is disabled");
        let enabled = administration.enable_user(username).await;
        enabled.expect("the user is let in again");
    }

    /// The password of a user of the demo seed.
    pub fn password(&self, username: &str) -> String {
        let user = self
            .ready
            .users
            .iter()
            .find(|user| user.username == username);
        user.expect("the seed has this user").password.clone()
    }
}

/// Whether the database of [`seed`] is what a service with this configuration would seed.
fn has_the_usual_seed(config: &Config) -> bool {
    config.seed == Some(Seed::Demo)
        && config.invoices.is_none()
        && config.kind == EnvironmentKind::Local
        && config.audience_id.is_none()
}

/// Puts a database with the demo seed into the folder of a service that has none, as the service would at its first start
/// (decision 0138).
pub async fn copy_seed(folder: &Path) {
    let database = folder.join(DATABASE);
    if database.exists() {
        return;
    }
    install_crypto_provider();
    fs::create_dir_all(folder).expect("the folder is created");
    invoicing_test_template::copy("end-to-end", &database, seed).await;
}

/// Has a service store the demo seed in a new database.
async fn seed(database: &Path) {
    let config = Config {
        seed: Some(Seed::Demo),
        ..Config::local(format!("sqlite:{}", database.display()))
    };
    let running = serve(config, Arc::new(SystemClock), Arc::new(SystemRng)).await;
    running.expect("the service starts").shutdown().await;
    // What is in the write-ahead log is not copied.
    let merged = rusqlite::Connection::open(database).and_then(|connection| {
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()))
    });
    merged.expect("nobody else has the database open");
}

fn install_crypto_provider() {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    });
}

/// A running service in the place of the embedded local environment.
pub struct EmbeddedEnvironment(pub Ready);

impl LocalEnvironment for EmbeddedEnvironment {
    fn start(&self) -> BoxFuture<'_, Result<Ready, LocalEnvironmentError>> {
        Box::pin(std::future::ready(Ok(self.0.clone())))
    }
}
