//! The pending retries that the UI shows, oldest first.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use invoicing_contract::OrganizationId;
use tokio::sync::oneshot;

use crate::change_notifier::ChangeNotifier;
use crate::views::{CommandError, PendingRetry};

/// How the user ended a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RetryDecision {
    RetryNow,
    Cancel,
}

/// What will be retried, and why. The fields are those of [`PendingRetry`].
pub(crate) struct RetryDescription {
    pub(crate) command: String,
    pub(crate) organization: OrganizationId,
    pub(crate) write: bool,
    pub(crate) error: CommandError,
    pub(crate) failed_attempts: u32,
}

/// All pending retries of the application.
pub(crate) struct PendingRetries {
    changes: Arc<ChangeNotifier>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    last_id: u32,
    pending: BTreeMap<u32, (PendingRetry, oneshot::Sender<RetryDecision>)>,
}

/// Removes a pending retry from the list when its wait ends or is dropped.
pub(super) struct PendingRetryGuard {
    retries: Arc<PendingRetries>,
    id: u32,
}

impl PendingRetries {
    pub(crate) fn new(changes: Arc<ChangeNotifier>) -> Self {
        Self {
            changes,
            state: Mutex::default(),
        }
    }

    /// All of them, oldest first.
    pub(crate) fn list(&self) -> Vec<PendingRetry> {
        self.lock()
            .pending
            .values()
            .map(|(retry, _)| retry.clone())
            .collect()
    }

    /// Ends the wait and retries at once; without effect if the wait is over.
    pub(crate) fn retry_now(&self, id: u32) {
        self.end(id, RetryDecision::RetryNow);
    }

    /// Ends the wait without a retry; without effect if the wait is over.
    pub(crate) fn cancel(&self, id: u32) {
        self.end(id, RetryDecision::Cancel);
    }

    pub(super) fn add(
        self: &Arc<Self>,
        description: RetryDescription,
        until: String,
    ) -> (PendingRetryGuard, oneshot::Receiver<RetryDecision>) {
        let RetryDescription {
            command,
            organization,
            write,
            error,
            failed_attempts,
        } = description;
        let (sender, decision) = oneshot::channel();
        let mut state = self.lock();
        state.last_id += 1;
        let id = state.last_id;
        let retry = PendingRetry {
            id,
            command,
            organization,
            write,
            error,
            until,
            failed_attempts,
        };
        state.pending.insert(id, (retry, sender));
        drop(state);
        self.changes.notify();
        let guard = PendingRetryGuard {
            retries: Arc::clone(self),
            id,
        };
        (guard, decision)
    }

    fn end(&self, id: u32, decision: RetryDecision) {
        let ended = self.lock().pending.remove(&id);
        if let Some((_, sender)) = ended {
            let _ = sender.send(decision);
            self.changes.notify();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PendingRetryGuard {
    fn drop(&mut self) {
        if self.retries.lock().pending.remove(&self.id).is_some() {
            self.retries.changes.notify();
        }
    }
}
