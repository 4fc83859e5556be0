//! What both servers share: connections and their limits, correlation ids, the log of requests.

mod caller;
mod correlation;
mod panic;
mod request_log;
pub(crate) mod server;

use tower_http::catch_panic::CatchPanicLayer;

pub(crate) use caller::Peer;
pub(crate) use correlation::CorrelationId;

use crate::world::World;

/// Gives every request a correlation id, a line in the log under the name of `server`, and an answer whatever happens.
pub(crate) fn observed(router: axum::Router, server: &'static str, world: &World) -> axum::Router {
    let log = request_log::RequestLog {
        server,
        clock: world.clock.clone(),
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
