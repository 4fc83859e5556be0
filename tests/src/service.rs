//! The real service on free ports, with the demo seed, reached through two wires that a test can cut.

use std::sync::Once;

use invoicing_client::{BoxFuture, LocalEnvironment, LocalEnvironmentError};
use invoicing_contract::ready::Ready;
use invoicing_service::{Config, RunningService, Seed, World, serve};
use tempfile::TempDir;

use crate::wire::Wire;

/// An accountant with roles in four organizations of the demo seed.
pub const NOURA: &str = "noura@alkhair.example";
/// A clerk in one.
pub const CLERK: &str = "salem@alkhair.example";
/// The home organization of both.
pub const HOME: &str = "274893001";
/// Granted to Noura, and without a tenant.
pub const UNRESOLVABLE: &str = "274893004";

/// The running service.
pub struct Service {
    /// What it says of itself.
    pub ready: Ready,
    /// Between the core and the identity provider.
    pub identity: Wire,
    /// Between the core and the gateway.
    pub gateway: Wire,
    _running: RunningService,
    _folder: TempDir,
}

impl Service {
    /// Starts it as it usually is.
    pub async fn start() -> Self {
        Self::with(|_| ()).await
    }

    /// With another configuration than the usual.
    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        static PROVIDER: Once = Once::new();
        PROVIDER.call_once(|| {
            let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        });
        let folder = tempfile::tempdir().expect("a folder");
        let (identity, gateway) = (Wire::new().await, Wire::new().await);
        let database = format!("sqlite:{}", folder.path().join("service.db").display());
        let mut config = Config {
            seed: Some(Seed::Demo),
            public_identity: Some(identity.address().parse().expect("an address")),
            public_gateway: Some(gateway.address().parse().expect("an address")),
            ..Config::local(database)
        };
        change(&mut config);
        let running = serve(config, World::system())
            .await
            .expect("the service starts");
        identity.connect(running.identity);
        gateway.connect(running.gateway);
        Self {
            ready: running.ready.clone(),
            identity,
            gateway,
            _running: running,
            _folder: folder,
        }
    }

    /// The password of somebody of the demo.
    pub fn password(&self, username: &str) -> String {
        let user = self
            .ready
            .users
            .iter()
            .find(|user| user.username == username);
        user.expect("the seed has this user").password.clone()
    }
}

/// The service as the embedded environment of a desk.
pub struct Embedded(pub Ready);

impl LocalEnvironment for Embedded {
    fn start(&self) -> BoxFuture<'_, Result<Ready, LocalEnvironmentError>> {
        Box::pin(std::future::ready(Ok(self.0.clone())))
    }
}
