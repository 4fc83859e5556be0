//! The listeners of the service: bound before the database is opened, run when everything is composed.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use invoicing_http::server::{self, ConnectionLimits, ListenerOptions};
use invoicing_http::tls::Certificate;
use invoicing_http::{BindError, Metrics, Readiness, metrics};
use invoicing_storage::Clock;
use ipnet::IpNet;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::start_error::StartError;

/// How long the metrics listener, which stops last, may take.
const METRICS_DRAIN_TIMEOUT: Duration = Duration::from_secs(1);
/// Connections of the metrics listener, which a few monitors use.
const METRICS_CONNECTIONS: usize = 64;

/// A listener and the address that it is bound to.
pub(crate) struct Listener {
    socket: TcpListener,
    pub(crate) address: SocketAddr,
}

/// The listeners of a configuration. None of them accepts before it is run.
pub(crate) struct Listeners {
    pub(crate) identity: Listener,
    pub(crate) gateway: Listener,
    pub(crate) metrics: Option<Listener>,
}

impl Listener {
    async fn bind(address: SocketAddr) -> Result<Self, BindError> {
        let (socket, address) = server::bind(address).await?;
        Ok(Self { socket, address })
    }

    /// Serves `router` until `stop`.
    pub(crate) async fn run(
        self,
        router: Router,
        options: ListenerOptions,
        stop: CancellationToken,
    ) {
        server::run(self.socket, router, options, stop).await;
    }

    /// Serves `router` during `work`. Callers that come afterwards wait for the next router.
    ///
    /// # Errors
    /// When the system does not share the socket.
    async fn run_during<T: Send>(
        self,
        router: Router,
        options: ListenerOptions,
        work: impl Future<Output = T> + Send,
    ) -> io::Result<(Self, T)> {
        let socket = self.socket.into_std()?;
        let shared = TcpListener::from_std(socket.try_clone()?)?;
        let end = CancellationToken::new();
        let work = async {
            let done = work.await;
            end.cancel();
            done
        };
        let run = server::run(shared, router, options, end.clone());
        let ((), done) = tokio::join!(run, work);
        let listener = Self {
            socket: TcpListener::from_std(socket)?,
            address: self.address,
        };
        Ok((listener, done))
    }
}

impl Listeners {
    /// Binds the addresses of a configuration.
    ///
    /// # Errors
    /// When an address is in use or not of this machine, or metrics would leave the machine in clear.
    pub(crate) async fn bind(config: &Config) -> Result<Self, StartError> {
        let identity = Listener::bind(config.identity).await?;
        let gateway = Listener::bind(config.gateway).await?;
        let metrics = match config.metrics {
            Some(address) => {
                let in_clear = config.tls.is_none() && !config.metrics_in_clear;
                if in_clear && !is_loopback(address) {
                    return Err(StartError::MetricsNotEncrypted { address });
                }
                Some(Listener::bind(address).await?)
            }
            None => None,
        };
        Ok(Self {
            identity,
            gateway,
            metrics,
        })
    }

    /// Opens the database with `open`. Meanwhile the metrics listener says that the service is alive and not ready, so that no
    /// orchestrator restarts it for a database that does not answer.
    ///
    /// # Errors
    /// That of `open`, and when the metrics listener cannot be used twice.
    pub(crate) async fn open<T: Send>(
        &mut self,
        setup: &ListenerSetup<'_>,
        open: impl Future<Output = Result<T, StartError>> + Send,
    ) -> Result<T, StartError> {
        let Some(listener) = self.metrics.take() else {
            return open.await;
        };
        let address = listener.address;
        let router = metrics::router(setup.metrics.clone(), Readiness::without_storage(), None);
        let options = setup.metrics_options(address);
        let opened = listener.run_during(router, options, open).await;
        let (listener, opened) = opened.map_err(|error| BindError::NotBound {
            address,
            source: error,
        })?;
        self.metrics = Some(listener);
        opened
    }
}

/// What the options of the listeners are made of.
pub(crate) struct ListenerSetup<'a> {
    pub(crate) config: &'a Config,
    pub(crate) certificate: Option<&'a Arc<Certificate>>,
    pub(crate) metrics: &'a Arc<Metrics>,
    pub(crate) clock: &'a Arc<dyn Clock>,
}

impl ListenerSetup<'_> {
    /// The options of a public listener.
    pub(crate) fn public_options(&self, server: &'static str) -> ListenerOptions {
        ListenerOptions {
            tls: self.certificate.map(Certificate::acceptor),
            limits: public_limits(self.config.connections.clone(), &self.config.proxies),
            metrics: self.metrics.connections(server),
            drain_timeout: self.config.drain.timeout,
            clock: self.clock.clone(),
        }
    }

    /// The options of the metrics listener at `address`.
    pub(crate) fn metrics_options(&self, address: SocketAddr) -> ListenerOptions {
        let mut options = self.public_options("metrics");
        options.limits.total = options.limits.total.min(METRICS_CONNECTIONS);
        options.drain_timeout = METRICS_DRAIN_TIMEOUT;
        // A certificate does not name loopback addresses, and their packets leave no machine.
        if is_loopback(address) || self.config.metrics_in_clear {
            options.tls = None;
        }
        options
    }
}

/// `limits` for each of the two public listeners: within the descriptors of the process, and without a limit for `proxies`.
fn public_limits(limits: ConnectionLimits, proxies: &[IpNet]) -> ConnectionLimits {
    let mut limits = limits.within_descriptors(server::descriptor_limit(), 2);
    limits.exempt_networks.extend_from_slice(proxies);
    limits
}

fn is_loopback(address: SocketAddr) -> bool {
    address.ip().to_canonical().is_loopback()
}
