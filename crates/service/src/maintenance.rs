//! Removes expired tokens while the service runs.

use std::sync::Arc;
use std::time::Duration;

use invoicing_http::Metrics;
use invoicing_storage::{Clock, Store};
use tokio_util::sync::CancellationToken;

/// How often expired tokens are removed.
const MAINTENANCE_INTERVAL: Duration = Duration::from_secs(15 * 60);

/// Removes what has expired after each interval, until `stop`.
pub(crate) async fn remove_expired(
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
