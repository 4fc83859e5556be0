//! Sends what nobody waits for: submissions without an answer, also those of processes that were killed.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use invoicing_contract::OrganizationId;
use invoicing_http::Metrics;
use invoicing_storage::StorageError;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::Clearance;
use super::turns::{Turn, Turns};

/// How often the queue is read for what other processes have left. It reads one row of an index.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often the whole queue is read for the metrics, however often these are asked for.
const BACKLOG_INTERVAL: Duration = Duration::from_secs(5);

/// The background task of clearance.
pub struct ClearanceWorker(pub(crate) Arc<Clearance>);

impl ClearanceWorker {
    /// Sends what is due until `stop`, and records in `metrics` what waits. What is being sent then is sent again by the next process.
    pub async fn run(self, metrics: Arc<Metrics>, stop: CancellationToken) {
        let clearance = self.0;
        if let Err(error) = clearance.store.release_claims().await {
            tracing::warn!(
                error = &error as &dyn Error,
                "claims of submissions end by themselves"
            );
        }
        let (turns, mut running) = (Turns::default(), JoinSet::new());
        let mut backlog = tokio::time::interval(BACKLOG_INTERVAL);
        backlog.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            clearance.start_due(&turns, &mut running).await;
            tokio::select! {
                () = stop.cancelled() => return,
                Some(_) = running.join_next(), if !running.is_empty() => {}
                () = clearance.waiting.notified() => {}
                _ = backlog.tick() => clearance.record_backlog(&metrics).await,
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }
}

/// A submission that this process has claimed.
struct Claimed {
    organization: OrganizationId,
    submission: Uuid,
    holder: Uuid,
}

impl Clearance {
    /// Claims due submissions and begins to send them.
    async fn start_due(self: &Arc<Self>, turns: &Turns, running: &mut JoinSet<()>) {
        while turns.are_free() {
            match self.claim_next(turns).await {
                Ok(Some(claimed)) => {
                    let turn = turns.take(&claimed.organization);
                    running.spawn(self.clone().send_claimed(claimed, turn));
                }
                Ok(None) => return,
                Err(error) => {
                    tracing::warn!(
                        error = &error as &dyn Error,
                        "submissions could not be claimed"
                    );
                    return;
                }
            }
        }
    }

    /// Claims a due submission of an organization whose turn it is.
    async fn claim_next(&self, turns: &Turns) -> Result<Option<Claimed>, StorageError> {
        loop {
            let (now, claim, excluded) =
                (self.clock.timestamp(), self.new_claim(), turns.excluded());
            let claimed = self.store.claim_due(now, claim, &excluded).await?;
            if let Some((organization, submission)) = claimed {
                return Ok(Some(Claimed {
                    organization,
                    submission,
                    holder: claim.holder,
                }));
            }
            if !turns.next_round() {
                return Ok(None);
            }
        }
    }

    async fn record_backlog(&self, metrics: &Metrics) {
        match self.backlog().await {
            Ok((waiting, oldest_age)) => metrics.record_clearance(waiting, oldest_age),
            Err(error) => tracing::warn!(
                error = &error as &dyn Error,
                "submissions without an answer could not be counted"
            ),
        }
    }

    /// How many submissions have no answer, and how long ago the one was made that was sent most often. The queue has no times of its
    /// own; what was sent most often waits longest, unless a person has had it sent again or its authority asked for a longer wait.
    async fn backlog(&self) -> Result<(u64, Duration), StorageError> {
        let Some(backlog) = self.store.clearance_backlog().await? else {
            return Ok((0, Duration::ZERO));
        };
        let (organization, id) = (&backlog.organization, backlog.submission);
        let submission = self.store.submission(organization, id).await?;
        let age = submission.map(|found| self.clock.timestamp().since(found.created_at));
        Ok((backlog.waiting, age.unwrap_or_default()))
    }

    /// Sends a submission. Its turn ends with it.
    async fn send_claimed(self: Arc<Self>, claimed: Claimed, _turn: Turn) {
        let Claimed {
            organization,
            submission,
            holder,
        } = claimed;
        if let Err(error) = self.send(&organization, submission, holder).await {
            tracing::warn!(
                organization = %organization,
                submission = %submission,
                error = &error as &dyn Error,
                "a submission was not sent, or its answer not stored"
            );
        }
    }
}
