//! Starts and stops the service: listeners, background tasks, database.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::ready::Ready;
use ipnet::IpNet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use invoicing_contract::EnvironmentKind;
use invoicing_gateway::clearance::AddressPolicy;
use invoicing_gateway::{GatewayDependencies, RuleAuthorizer};
use invoicing_http::server::{ConnectionLimits, ListenerOptions};
use invoicing_http::tls::Certificate;
use invoicing_http::{
    HostPolicy, Metrics, PageTokens, Readiness, metrics, server, with_request_layer,
};
use invoicing_identity::administration::{DomainsRpc, IdentityRpc, TenantsRpc};
use invoicing_identity::{ProviderDependencies, StoreAccess};
use invoicing_storage::access::Authorizer;
use invoicing_storage::{Clock, Rng, Store};

use crate::config::{Config, Drain};
use crate::database::OpenDatabase;
use crate::domain_verifier::HttpsDomainVerifier;
use crate::identity_services::identity_services;
use crate::public_url::public_url;
use crate::seed;
use crate::start_error::StartError;
use crate::telemetry::Telemetry;

/// How often expired tokens are removed.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(15 * 60);

/// How much longer than the drain timeout background tasks may take to end.
const TASK_TIMEOUT: Duration = Duration::from_secs(1);
/// How long the metrics listener, which stops last, may take.
const METRICS_DRAIN_TIMEOUT: Duration = Duration::from_secs(1);
/// How long closing the database may take. A database that is not closed loses nothing that was acknowledged.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

/// Connections of the metrics listener, which a few monitors use.
const METRICS_CONNECTIONS: usize = 64;

/// A started service. Stop it with `shutdown`; dropping it leaves the listeners running until the runtime ends.
pub struct RunningService {
    /// Addresses, applications and accounts, for clients.
    pub ready: Ready,
    /// Where the identity provider listens.
    pub identity: SocketAddr,
    /// Where the gateway listens.
    pub gateway: SocketAddr,
    /// Where metrics are served, if anywhere.
    pub metrics: Option<SocketAddr>,
    database: OpenDatabase,
    readiness: Arc<Readiness>,
    drain: Drain,
    stop: StopTokens,
    tasks: TaskTracker,
    metrics_task: TaskTracker,
    telemetry: Option<Telemetry>,
}

/// Cancelled one after the other when the service stops.
#[derive(Default)]
struct StopTokens {
    /// gRPC health is withdrawn.
    health: CancellationToken,
    /// The public listeners accept nothing more, and background tasks end.
    requests: CancellationToken,
    /// The metrics listener closes.
    metrics: CancellationToken,
}

impl fmt::Debug for RunningService {
    /// Without `ready`, which holds the passwords of a demo seed.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            ready: _,
            identity,
            gateway,
            metrics,
            database: _,
            readiness: _,
            drain: _,
            stop: _,
            tasks: _,
            metrics_task: _,
            telemetry: _,
        } = self;
        formatter
            .debug_struct("RunningService")
            .field("identity", identity)
            .field("gateway", gateway)
            .field("metrics", metrics)
            .finish_non_exhaustive()
    }
}

impl RunningService {
    /// Stops in this order: becomes not ready, goes on accepting for the drain delay, closes the public listeners, waits for
    /// requests in flight for the drain timeout, cuts off the rest, closes the metrics listener and the database. Returns at
    /// most five seconds after the two times, whatever hangs.
    pub async fn shutdown(self) {
        self.readiness.withdraw();
        self.stop.health.cancel();
        tokio::time::sleep(self.drain.delay).await;
        self.stop.requests.cancel();
        let limit = self.drain.timeout.saturating_add(TASK_TIMEOUT);
        if tokio::time::timeout(limit, self.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!("background tasks were left behind: they did not end in time");
        }
        if let Some(telemetry) = self.telemetry {
            telemetry.shutdown().await;
        }
        self.stop.metrics.cancel();
        // It cuts off its own connections at its drain timeout.
        self.metrics_task.wait().await;
        if tokio::time::timeout(CLOSE_TIMEOUT, self.database.close())
            .await
            .is_err()
        {
            tracing::warn!("the database was left open: it did not close in time");
        }
    }
}

/// Starts identity provider and gateway on the current tokio runtime. Both accept requests when this returns.
///
/// # Errors
/// See [`StartError`].
pub async fn serve(
    config: Config,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
) -> Result<RunningService, StartError> {
    if config.seed.is_some() && config.kind != EnvironmentKind::Local {
        return Err(StartError::SeedRefused { kind: config.kind });
    }
    let audience_id = config.project_audience_id()?;
    let (identity_listener, identity) = server::bind(config.identity).await?;
    let (gateway_listener, gateway) = server::bind(config.gateway).await?;
    let metrics_listener = match config.metrics {
        Some(address) => {
            let private = address.ip().to_canonical().is_loopback();
            if !private && config.tls.is_none() && !config.metrics_in_clear {
                return Err(StartError::MetricsNotEncrypted { address });
            }
            Some(server::bind(address).await?)
        }
        None => None,
    };
    let metrics_address = metrics_listener.as_ref().map(|(_, address)| *address);
    let metrics = Arc::new(Metrics::default());
    let certificate = config.tls.clone().map(Certificate::load).transpose()?;
    let encrypted = certificate.is_some();
    let auth_url = public_url(config.public_identity.as_ref(), identity, encrypted)?;
    let base_url = public_url(config.public_gateway.as_ref(), gateway, encrypted)?;

    let (identity_hosts, gateway_hosts) = (HostPolicy::of(&auth_url), HostPolicy::of(&base_url));
    let database = OpenDatabase::open_when_available(&config.database, rng.clone()).await?;
    database.check_in_place().await?;
    let store = database.store();
    let kind = store.setting_or("kind", config.kind.name()).await?;
    if kind != config.kind.name() {
        return Err(StartError::DatabaseOfOtherKind {
            database: database.name().to_owned(),
            kind,
        });
    }
    let seed_secrets = match config.seed {
        Some(seed) => Some(seed::insert(seed, &*store, &config, &*clock, &*rng).await?),
        None => None,
    };
    let ready = seed::ready(
        &*store,
        &audience_id,
        auth_url.clone(),
        base_url,
        seed_secrets,
    )
    .await?;

    let maintained_store = store.clone();
    let audit_archive = config.audit_archive_folder();
    let audit_retention = config.audit_retention();
    let authority_addresses = AddressPolicy::new(config.authority_networks());
    let encryption_keys = config.encryption_keys(&*rng)?;
    let readiness = Readiness::new(store.clone());
    let authorizer: Arc<dyn Authorizer> = Arc::new(RuleAuthorizer::load(store.clone()).await?);
    let access = Arc::new(StoreAccess::new(
        store.clone(),
        authorizer.clone(),
        clock.clone(),
        config.names.clone(),
        config.kind,
        audience_id.clone(),
    ));
    let limits = connection_limits(config.connections, &config.proxies);
    let provider = invoicing_identity::Provider::load(ProviderDependencies {
        issuer: auth_url,
        kind: config.kind,
        audience_id: audience_id.clone(),
        proxies: config.proxies,
        request_limits: config.request_limits,
        names: config.names.clone(),
        store: store.clone(),
        authorizer: authorizer.clone(),
        clock: clock.clone(),
        rng: rng.clone(),
    })
    .await?;
    let provider_for_keys = provider.clone();
    let identity_headers = invoicing_identity::default_response_headers(&provider);
    let identity_router = invoicing_identity::router(provider.clone());
    let tenants = TenantsRpc {
        store: store.clone(),
        kind: config.kind,
        clock: clock.clone(),
        rng: rng.clone(),
        page_tokens: PageTokens::open(&*store, &*rng).await?,
    };
    let domains = DomainsRpc {
        store: store.clone(),
        kind: config.kind,
        clock: clock.clone(),
        rng: rng.clone(),
        page_tokens: tenants.page_tokens.clone(),
        verifier: match config.domain_verifier {
            Some(verifier) => verifier,
            None => Arc::new(HttpsDomainVerifier::new().map_err(StartError::DomainVerifier)?),
        },
    };
    let identity_rpc = IdentityRpc {
        provider,
        store: store.clone(),
        kind: config.kind,
        clock: clock.clone(),
        rng: rng.clone(),
        authorizer: authorizer.clone(),
        page_tokens: PageTokens::open(&*store, &*rng).await?,
    };
    let services = identity_services(identity_rpc, tenants, domains);
    let (gateway_router, health_watch, clearance_worker) =
        invoicing_gateway::router(GatewayDependencies {
            services,
            authorizer,
            audience_id,
            tokens: access.clone(),
            tenants: access,
            store,
            readiness: readiness.clone(),
            clock: clock.clone(),
            rng: rng.clone(),
            names: config.names,
            rate_limit: config.rate_limit,
            cors_origins: config.cors_origins,
            authority_addresses,
            encryption_keys,
        })
        .await?;

    let telemetry = config.otlp_endpoint.as_ref();
    let telemetry = telemetry
        .map(|endpoint| Telemetry::new(endpoint, rng.clone()))
        .transpose()?;
    let traced = |router, server| match &telemetry {
        Some(telemetry) => telemetry.trace(router, server),
        None => router,
    };
    let stop = StopTokens::default();
    let tasks = TaskTracker::new();
    let metrics_task = TaskTracker::new();
    let tls = certificate.as_ref().map(Certificate::acceptor);
    let listener_options = |server: &'static str| ListenerOptions {
        tls: tls.clone(),
        limits: limits.clone(),
        metrics: metrics.connections(server),
        drain_timeout: config.drain.timeout,
    };
    tasks.spawn(server::run(
        identity_listener,
        with_request_layer(
            traced(identity_router, "identity"),
            "identity",
            identity_headers,
            identity_hosts,
            &clock,
            &rng,
            &metrics,
        ),
        listener_options("identity"),
        stop.requests.clone(),
    ));
    tasks.spawn(server::run(
        gateway_listener,
        with_request_layer(
            traced(gateway_router, "gateway"),
            "gateway",
            invoicing_gateway::default_response_headers(),
            gateway_hosts,
            &clock,
            &rng,
            &metrics,
        ),
        listener_options("gateway"),
        stop.requests.clone(),
    ));
    if let Some((listener, address)) = metrics_listener {
        let router = metrics::router(metrics.clone(), readiness.clone(), database.statistics());
        let mut options = listener_options("metrics");
        options.limits.total = options.limits.total.min(METRICS_CONNECTIONS);
        options.drain_timeout = METRICS_DRAIN_TIMEOUT;
        // A certificate does not name loopback addresses, and their packets leave no machine.
        if address.ip().to_canonical().is_loopback() || config.metrics_in_clear {
            options.tls = None;
        }
        metrics_task.spawn(server::run(listener, router, options, stop.metrics.clone()));
    }
    if let Some(certificate) = certificate {
        tasks.spawn(certificate.watch_renewal(stop.requests.clone()));
    }
    tasks.spawn(health_watch.run(stop.health.clone()));
    tasks.spawn(clearance_worker.run(stop.requests.clone()));
    tasks.spawn(provider_for_keys.watch_keys(stop.requests.clone()));
    match (audit_retention, audit_archive) {
        (Some(retention), Some(folder)) => {
            let (store, clock) = (maintained_store.clone(), clock.clone());
            tasks.spawn(folder.retain(store, retention, clock, stop.requests.clone()));
        }
        (Some(_), None) => {
            tracing::warn!(
                "events of the audit stay in the database: no folder of archives is named"
            );
        }
        (None, _) => {}
    }
    tasks.spawn(maintain(
        maintained_store,
        metrics,
        clock,
        stop.requests.clone(),
    ));
    tasks.close();
    metrics_task.close();
    tracing::info!(%identity, %gateway, kind = config.kind.name(), encrypted, "ready");
    Ok(RunningService {
        ready,
        identity,
        gateway,
        metrics: metrics_address,
        database,
        readiness,
        drain: config.drain,
        stop,
        tasks,
        metrics_task,
        telemetry,
    })
}

/// `limits` for each of the two public listeners: within the descriptors of the process, and without a limit for `proxies`.
fn connection_limits(limits: ConnectionLimits, proxies: &[IpNet]) -> ConnectionLimits {
    let mut limits = limits.within_descriptors(server::descriptor_limit(), 2);
    limits.exempt_networks.extend_from_slice(proxies);
    limits
}

async fn maintain(
    store: Arc<dyn Store>,
    metrics: Arc<Metrics>,
    clock: Arc<dyn Clock>,
    stop: CancellationToken,
) {
    metrics.record_maintenance(clock.timestamp());
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(MAINTENANCE_INTERVAL) => {}
        }
        // A bounded number of rows at a time, so that other writes do not wait long.
        while !stop.is_cancelled() {
            match store.maintain(clock.timestamp()).await {
                Ok(0) => {
                    metrics.record_maintenance(clock.timestamp());
                    break;
                }
                Ok(removed) => tracing::debug!(removed, "expired tokens removed"),
                Err(error) => {
                    tracing::warn!(%error, "expired tokens could not be removed; the next round tries again");
                    break;
                }
            }
        }
    }
}
