//! Starts and stops the service: listeners, background tasks, database.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use invoicing_contract::EnvironmentKind;
use invoicing_contract::ready::Ready;
use invoicing_http::tls::Certificate;
use invoicing_http::{
    ExpiryWatch, HostPolicy, Metrics, Readiness, WatchedCertificates, metrics, with_request_layer,
};
use invoicing_storage::{Clock, Rng};
use tokio::sync::SetOnce;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::composition::{ComposedGateway, ComposedIdentity, Composition};
use crate::config::{Config, Drain};
use crate::database::{DatabaseError, OpenDatabase};
use crate::listeners::{ListenerSetup, Listeners};
use crate::maintenance::remove_expired;
use crate::public_url::public_url;
use crate::seed;
use crate::start_error::StartError;
use crate::telemetry::Telemetry;

/// How much longer than the drain timeout background tasks may take to end.
const TASK_TIMEOUT: Duration = Duration::from_secs(1);
/// How long closing the database may take. A database that is not closed loses nothing that was acknowledged.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

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
    moved: Arc<SetOnce<DatabaseError>>,
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

/// What the public listeners serve.
struct Routers {
    identity: Router,
    gateway: Router,
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
            moved: _,
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
    /// Waits until the service has closed its database because that is being moved to another one (decision 0109). It answers 503
    /// from then on: shut it down.
    pub async fn moved(&self) -> &DatabaseError {
        self.moved.wait().await
    }

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
        let Self {
            telemetry,
            stop,
            metrics_task,
            database,
            ..
        } = self;
        let last_spans = async {
            if let Some(telemetry) = telemetry {
                telemetry.shutdown().await;
            }
        };
        let close = async {
            stop.metrics.cancel();
            // It cuts off its own connections at its drain timeout.
            metrics_task.wait().await;
            let closed = tokio::time::timeout(CLOSE_TIMEOUT, database.close());
            if closed.await.is_err() {
                tracing::warn!("the database was left open: it did not close in time");
            }
        };
        // Beside each other: a collector that hangs takes nothing of the time of the others.
        tokio::join!(last_spans, close);
    }

    /// Runs the listeners: the public ones until requests are stopped, that of metrics until the end.
    fn spawn_listeners(&self, listeners: Listeners, routers: Routers, setup: &ListenerSetup<'_>) {
        for (listener, router, server) in [
            (listeners.identity, routers.identity, "identity"),
            (listeners.gateway, routers.gateway, "gateway"),
        ] {
            let options = setup.public_options(server);
            let run = listener.run(router, options, self.stop.requests.clone());
            self.tasks.spawn(run);
        }
        if let Some(listener) = listeners.metrics {
            let (metrics, readiness) = (setup.metrics.clone(), self.readiness.clone());
            let router = metrics::router(metrics, readiness, self.database.statistics());
            let options = setup.metrics_options(listener.address);
            let run = listener.run(router, options, self.stop.metrics.clone());
            self.metrics_task.spawn(run);
        }
        self.metrics_task.close();
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
    // Before the database is opened, which may bring its schema up to date: a setting that is wrong changes nothing.
    config.named_encryption_keys()?;
    let telemetry = config.otlp_endpoint.as_ref();
    let telemetry = telemetry
        .map(|endpoint| Telemetry::new(endpoint, rng.clone()))
        .transpose()?;
    let mut listeners = Listeners::bind(&config).await?;
    let (identity, gateway) = (listeners.identity.address, listeners.gateway.address);
    let certificate = config.tls.clone().map(Certificate::load).transpose()?;
    let encrypted = certificate.is_some();
    let auth_url = public_url(config.public_identity.as_ref(), identity, encrypted)?;
    let base_url = public_url(config.public_gateway.as_ref(), gateway, encrypted)?;
    let hosts = (HostPolicy::of(&auth_url), HostPolicy::of(&base_url));

    let metrics = Arc::new(Metrics::default());
    let setup = ListenerSetup {
        config: &config,
        certificate: certificate.as_ref(),
        metrics: &metrics,
        clock: &clock,
    };
    let open = Box::pin(open_database(&config, &rng));
    let database = listeners.open(&setup, open).await?;
    let store = database.store();
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
    let readiness = Readiness::new(store.clone());
    let composition = Composition::load(
        &config,
        audience_id,
        store.clone(),
        clock.clone(),
        rng.clone(),
    )
    .await?;
    let ComposedIdentity {
        provider,
        services,
        page_tokens,
    } = composition.compose_identity(auth_url).await?;
    let ComposedGateway {
        router,
        health_watch,
        clearance_worker,
    } = composition
        .compose_gateway(services, page_tokens, readiness.clone())
        .await?;
    composition.warn_of_secrets_in_clear().await?;

    let running = RunningService {
        ready,
        identity,
        gateway,
        metrics: listeners.metrics.as_ref().map(|metrics| metrics.address),
        database,
        readiness,
        drain: config.drain,
        stop: StopTokens::default(),
        tasks: TaskTracker::new(),
        metrics_task: TaskTracker::new(),
        telemetry,
        moved: Arc::default(),
    };
    let layered = |router, server, headers, hosts| {
        let router = match &running.telemetry {
            Some(telemetry) => telemetry.trace(router, server),
            None => router,
        };
        with_request_layer(router, server, headers, hosts, &clock, &rng, &metrics)
    };
    let identity_headers = invoicing_identity::default_response_headers(&provider);
    let identity_router = invoicing_identity::router(provider.clone());
    let gateway_headers = invoicing_gateway::default_response_headers();
    let routers = Routers {
        identity: layered(identity_router, "identity", identity_headers, hosts.0),
        gateway: layered(router, "gateway", gateway_headers, hosts.1),
    };
    running.spawn_listeners(listeners, routers, &setup);

    let (tasks, stop) = (&running.tasks, &running.stop.requests);
    let watch = |certificates| ExpiryWatch::new(certificates, clock.clone(), metrics.clone());
    if let Some(certificate) = certificate {
        let expiry = watch(WatchedCertificates::Server);
        tasks.spawn(certificate.watch_renewal(expiry, stop.clone()));
    }
    if let Some(file) = config.database.ca_file.clone() {
        let expiry = watch(WatchedCertificates::DatabaseAuthorities);
        tasks.spawn(expiry.watch_file(file, stop.clone()));
    }
    tasks.spawn(health_watch.run(running.stop.health.clone()));
    tasks.spawn(clearance_worker.run(metrics.clone(), stop.clone()));
    tasks.spawn(provider.watch_keys(stop.clone()));
    if let Some(retention) = config.audit_retention() {
        if let Some(folder) = config.audit_archive_folder() {
            let (store, clock, metrics) = (store.clone(), clock.clone(), metrics.clone());
            let archiving = folder.retain(store, retention, clock, metrics, stop.clone());
            tasks.spawn(archiving);
        } else {
            tracing::warn!(
                "events of the audit stay in the database: no folder of archives is named"
            );
        }
    }
    tasks.spawn(remove_expired(store, metrics, clock, stop.clone()));
    let (database, readiness) = (running.database.clone(), running.readiness.clone());
    let stopped = stop.clone().cancelled_owned();
    let watch = end_with_move(database, readiness, running.moved.clone());
    tasks.spawn(async move {
        tokio::select! { () = watch => {}, () = stopped => {} }
    });
    tasks.close();
    tracing::info!(%identity, %gateway, kind = config.kind.name(), encrypted, "ready");
    Ok(running)
}

/// Closes the database when it is being moved to another one: what would be written to it is lost.
async fn end_with_move(
    database: OpenDatabase,
    readiness: Arc<Readiness>,
    moved: Arc<SetOnce<DatabaseError>>,
) {
    let error = database.wait_for_move().await;
    readiness.withdraw();
    database.close().await;
    tracing::error!(%error, "the database was closed");
    // Nobody else sets it.
    let _ = moved.set(error);
}

/// Opens the database of a configuration, which says the kind of its environment.
async fn open_database(config: &Config, rng: &Arc<dyn Rng>) -> Result<OpenDatabase, StartError> {
    let database = OpenDatabase::open_when_available(&config.database, rng.clone()).await?;
    database.check_role(config.kind).await?;
    database.check_in_place().await?;
    let name = config.kind.name();
    let kind = database.store().setting_or("kind", name).await?;
    if kind != name {
        return Err(StartError::DatabaseOfOtherKind {
            database: database.name().to_owned(),
            kind,
        });
    }
    Ok(database)
}
