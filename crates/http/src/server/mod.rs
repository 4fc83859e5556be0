//! The listener: accepts connections with or without TLS, limits them, and drains requests at shutdown.

mod activity;
mod bind;
mod bodies;
mod connection;
mod connection_table;
mod descriptors;
mod limits;
mod stopwatch;
mod stream;

pub use bind::{BindError, bind};
pub use descriptors::{descriptor_limit, raise_descriptor_limit};
pub use limits::ConnectionLimits;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use invoicing_storage::Clock;
use tokio::net::TcpListener;
use tokio::time::MissedTickBehavior;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

use crate::metrics::ConnectionMetrics;
use connection::Protocol;
use connection_table::ConnectionTable;

/// How long requests in flight may take after the stop signal, if nothing else is configured.
pub const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause after a connection that could not be accepted, which avoids a busy loop.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How a listener serves its connections.
#[derive(Clone)]
pub struct ListenerOptions {
    /// With it, the protocol is negotiated by ALPN; without, HTTP/2 needs prior knowledge.
    pub tls: Option<TlsAcceptor>,
    /// How many connections there may be, and how long each may take.
    pub limits: ConnectionLimits,
    /// Counts connections.
    pub metrics: ConnectionMetrics,
    /// How long requests in flight may take after the stop signal. Then their connections are closed.
    pub drain_timeout: Duration,
    /// Measures how long connections take.
    pub clock: Arc<dyn Clock>,
}

impl ListenerOptions {
    /// Without TLS, with the limits that hold if nothing else is configured.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            tls: None,
            limits: ConnectionLimits::default(),
            metrics: ConnectionMetrics::default(),
            drain_timeout: DRAIN_TIMEOUT,
            clock,
        }
    }
}

/// Serves HTTP/1.1 and HTTP/2 until `stop`, and returns when the requests in flight are done or the drain timeout is over.
pub async fn run(
    listener: TcpListener,
    router: Router,
    options: ListenerOptions,
    stop: CancellationToken,
) {
    let ListenerOptions {
        tls,
        limits,
        metrics,
        drain_timeout,
        clock,
    } = options;
    let table = ConnectionTable::new(limits.clone(), metrics, clock);
    let protocol = Arc::new(Protocol::new(router, tls, limits));
    let mut checks = tokio::time::interval(table.limits().check_interval());
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            _ = checks.tick(), if !table.is_empty() => {
                table.close_overdue();
                continue;
            }
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Mostly the process is out of file descriptors.
                let made_room = table.make_room();
                tracing::warn!(%error, made_room, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Some(entry) = table.open(peer.ip()) else {
            tracing::debug!(%peer, "a connection was refused: too many have a request in progress");
            continue;
        };
        // Responses are small and written at once, so delaying them to fill packets only adds latency.
        let _ = stream.set_nodelay(true);
        let protocol = protocol.clone();
        tokio::spawn(async move { protocol.serve(stream, peer, entry).await });
    }
    drop(listener);
    table.end_all();
    let drained = tokio::time::timeout(drain_timeout, async {
        loop {
            tokio::select! {
                () = table.wait_until_empty() => return,
                _ = checks.tick() => table.close_overdue(),
            }
        }
    });
    if drained.await.is_err() {
        tracing::warn!(
            limit = drain_timeout.as_secs_f64(),
            "requests were cut off: they took longer to end than the drain timeout"
        );
        table.close_all();
    }
}
