//! The real service on free ports, with the demo seed, reached through two wires that a test can cut.

use std::sync::Once;

use invoicing_client::{BoxFuture, LocalEnvironment, LocalEnvironmentError};
use invoicing_contract::ready::Ready;
use invoicing_service::{Config, Running, Seed, World, serve};
use tempfile::TempDir;

use super::Wire;

/// An accountant with roles in four organizations of the demo seed.
pub(crate) const NOURA: &str = "noura@alkhair.example";
/// A clerk in one.
pub(crate) const CLERK: &str = "salem@alkhair.example";
/// The home organization of both.
pub(crate) const HOME: &str = "274893001";
/// Granted to Noura, and without a tenant.
pub(crate) const UNRESOLVABLE: &str = "274893004";

/// The running service.
pub(crate) struct Service {
    pub(crate) ready: Ready,
    /// Between the core and the identity provider.
    pub(crate) identity: Wire,
    /// Between the core and the gateway.
    pub(crate) gateway: Wire,
    _running: Running,
    _folder: TempDir,
}

impl Service {
    pub(crate) async fn start() -> Self {
        Self::with(|_| ()).await
    }

    /// With another configuration than the usual.
    pub(crate) async fn with(change: impl FnOnce(&mut Config)) -> Self {
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

    pub(crate) fn password(&self, username: &str) -> String {
        let user = self
            .ready
            .users
            .iter()
            .find(|user| user.username == username);
        user.expect("the seed has this user").password.clone()
    }
}

/// The service as the embedded environment of a desk.
pub(crate) struct Embedded(pub(crate) Ready);

impl LocalEnvironment for Embedded {
    fn start(&self) -> BoxFuture<'_, Result<Ready, LocalEnvironmentError>> {
        Box::pin(std::future::ready(Ok(self.0.clone())))
    }
}
