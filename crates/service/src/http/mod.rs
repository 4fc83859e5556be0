//! What the servers share: connections and their limits, TLS, correlation ids, the log of requests.

mod caller;
mod correlation;
mod panic;
mod request_log;
pub mod server;
pub(crate) mod tls;

use std::sync::Arc;

use tower_http::catch_panic::CatchPanicLayer;

pub(crate) use caller::Peer;
pub(crate) use correlation::CorrelationId;

use crate::metrics::Metrics;
use crate::world::World;

/// Gives every request a correlation id, a line in the log and a count under the name of `server`, and an answer whatever
/// happens.
pub(crate) fn observed(
    router: axum::Router,
    server: &'static str,
    world: &World,
    metrics: &Arc<Metrics>,
) -> axum::Router {
    let log = request_log::RequestLog {
        server,
        clock: world.clock.clone(),
        metrics: metrics.clone(),
    };
    router
        .layer(CatchPanicLayer::custom(panic::answer))
        .layer(axum::middleware::from_fn_with_state(
            log,
            request_log::write,
        ))
        .layer(axum::middleware::from_fn_with_state(
            world.randomness.clone(),
            correlation::attach,
        ))
}
