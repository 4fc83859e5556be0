//! Sends what nobody waits for: submissions without an answer, also those of processes that were killed.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::Clearance;

/// How often the queue is read for what other processes have left. It reads one row of an index.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Submissions that a process sends at the same time.
const MAX_CONCURRENT: usize = 8;

/// The background task of clearance.
pub struct ClearanceWorker(pub(crate) Arc<Clearance>);

impl ClearanceWorker {
    /// Sends what is due until `stop`. What is being sent then is sent again by the next process.
    pub async fn run(self, stop: CancellationToken) {
        let clearance = self.0;
        if let Err(error) = clearance.store.release_claims().await {
            tracing::warn!(
                error = &error as &dyn Error,
                "claims of submissions end by themselves"
            );
        }
        let mut running = JoinSet::new();
        loop {
            clearance.start_due(&mut running).await;
            tokio::select! {
                () = stop.cancelled() => return,
                Some(_) = running.join_next(), if !running.is_empty() => {}
                () = clearance.waiting.notified() => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }
}

impl Clearance {
    /// Claims due submissions and begins to send them.
    async fn start_due(self: &Arc<Self>, running: &mut JoinSet<()>) {
        let free = MAX_CONCURRENT.saturating_sub(running.len());
        if free == 0 {
            return;
        }
        let now = self.clock.timestamp();
        let claim = self.new_claim();
        let claimed = match self.store.is_clearance_due(now).await {
            Ok(false) => return,
            Ok(true) => {
                let limit = u32::try_from(free).unwrap_or(u32::MAX);
                self.store.claim_due(now, claim, limit).await
            }
            Err(error) => Err(error),
        };
        let claimed = match claimed {
            Ok(claimed) => claimed,
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn Error,
                    "submissions could not be claimed"
                );
                return;
            }
        };
        for (organization, submission) in claimed {
            let clearance = self.clone();
            running.spawn(async move {
                let sent = clearance
                    .send(&organization, submission, claim.holder)
                    .await;
                if let Err(error) = sent {
                    tracing::warn!(
                        organization = %organization,
                        submission = %submission,
                        error = &error as &dyn Error,
                        "a submission was not sent, or its answer not stored"
                    );
                }
            });
        }
    }
}
