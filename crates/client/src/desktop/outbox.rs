//! The outbox: sends queued drafts as soon as there is a connection and the service accepts requests, independent of what
//! the windows show.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use invoicing_contract::OrganizationId;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::Desktop;
use crate::drafts::DraftOwner;
use crate::gateway::{RetryDescription, background_delay, wait_for_retry};
use crate::session::{ActiveSession, SessionState};
use crate::views::{CommandError, DraftState};

/// A run over the queue of one organization.
struct OutboxRun {
    organization: OrganizationId,
    /// How many attempts in a row have failed before it.
    failed_attempts: u32,
    /// The user has cancelled it.
    cancelled: bool,
}

/// A run that ended with a temporary error.
struct Postponed {
    error: CommandError,
    /// How many attempts in a row have failed, without this one.
    earlier_attempts: u32,
}

/// Sends the queues each time that the session comes online, and again after temporary errors, as long as the core lives.
pub(super) async fn run(desktop: Weak<Desktop>, mut changes: watch::Receiver<u32>) {
    let mut current: Option<Arc<ActiveSession>> = None;
    let mut postponed = JoinSet::new();
    loop {
        let runs = tokio::select! {
            changed = changes.changed() => {
                let (Ok(()), Some(desktop)) = (changed, desktop.upgrade()) else {
                    return;
                };
                let online = desktop.online_session();
                if online.as_ref().map(Arc::as_ptr) == current.as_ref().map(Arc::as_ptr) {
                    continue;
                }
                // Runs that were postponed for another session or an earlier connection start again.
                postponed.shutdown().await;
                current = online;
                current.as_ref().map(first_runs).unwrap_or_default()
            }
            Some(Ok(run)) = postponed.join_next() => vec![run],
        };
        let (Some(desktop), Some(session)) = (desktop.upgrade(), &current) else {
            continue;
        };
        for run in runs {
            let owner = DraftOwner {
                account: session.account_key(),
                organization: run.organization,
            };
            if run.cancelled {
                desktop.return_queue_to_editing(&owner).await;
            } else if let Some(failed) = desktop
                .send_queue(session, &owner, run.failed_attempts)
                .await
            {
                desktop.postpone(&mut postponed, owner.organization, failed);
            }
        }
    }
}

/// One run for each organization, when a session comes online.
fn first_runs(session: &Arc<ActiveSession>) -> Vec<OutboxRun> {
    let first_run = |organization| OutboxRun {
        organization,
        failed_attempts: 0,
        cancelled: false,
    };
    let organizations = session.identity().organizations();
    organizations.into_iter().map(first_run).collect()
}

impl Desktop {
    fn online_session(&self) -> Option<Arc<ActiveSession>> {
        match self.session.state() {
            SessionState::SignedIn(session) if session.is_online() => Some(session),
            SessionState::SignedIn(_) | SessionState::Starting | SessionState::SignedOut { .. } => {
                None
            }
        }
    }

    /// Sends the queued drafts of an owner, the oldest first, until a temporary error.
    async fn send_queue(
        &self,
        session: &Arc<ActiveSession>,
        owner: &DraftOwner,
        mut failed_attempts: u32,
    ) -> Option<Postponed> {
        // Drafts that cannot be read now are still queued at the next connection.
        for key in self.drafts.queued(owner).await.ok()? {
            // The user may have opened it while earlier drafts were sent.
            let draft = match self.drafts.get(owner, &key).await {
                Ok(Some(draft)) if draft.state == DraftState::Waiting => draft,
                _ => continue,
            };
            let result = self
                .submit(
                    Arc::clone(session),
                    owner.organization.clone(),
                    &draft,
                    false,
                )
                .await;
            match result {
                Ok(_) | Err(CommandError::UnknownOutcome { .. }) => {}
                // It stays queued for the next session.
                Err(CommandError::SessionEnded { .. }) => return None,
                Err(error) if background_delay(&error, failed_attempts).is_some() => {
                    return Some(Postponed {
                        error,
                        earlier_attempts: failed_attempts,
                    });
                }
                Err(_) => {
                    let refused = self.drafts.set_state(owner, &key, DraftState::Refused);
                    refused.await.ok()?;
                }
            }
            failed_attempts = 0;
            self.count_delivery();
            self.changes.notify();
        }
        None
    }

    /// Starts the next run after the delay of the retry rules, shown as a pending retry.
    fn postpone(
        &self,
        postponed: &mut JoinSet<OutboxRun>,
        organization: OrganizationId,
        failed: Postponed,
    ) {
        let Postponed {
            error,
            earlier_attempts,
        } = failed;
        let Some(delay) = background_delay(&error, earlier_attempts) else {
            return;
        };
        let failed_attempts = earlier_attempts.saturating_add(1);
        let description = RetryDescription {
            command: "outbox".to_owned(),
            organization: organization.clone(),
            write: true,
            error,
            failed_attempts,
        };
        let retry = wait_for_retry(
            self.clock.as_ref(),
            self.rng.as_ref(),
            &self.pending_retries,
            description,
            delay,
        );
        postponed.spawn(async move {
            OutboxRun {
                cancelled: !retry.await,
                organization,
                failed_attempts,
            }
        });
    }

    /// Takes the owner's drafts out of the queue: the user has cancelled their retry.
    async fn return_queue_to_editing(&self, owner: &DraftOwner) {
        for key in self.drafts.queued(owner).await.unwrap_or_default() {
            // A draft whose state cannot be saved stays queued.
            let saved = self
                .drafts
                .set_state(owner, &key, DraftState::Editing)
                .await;
            if saved.is_ok() {
                self.count_delivery();
            }
        }
        self.changes.notify();
    }

    /// Tells the UI that the lists of drafts and invoices are out of date.
    fn count_delivery(&self) {
        self.deliveries.fetch_add(1, Ordering::AcqRel);
    }
}
