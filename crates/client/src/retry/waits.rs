//! The waiting retries that the UI shows, oldest first, and lets a person hurry or stop.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::change_notifier::ChangeNotifier;
use crate::views::Wait;

/// What a person decided about a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Go,
    Stop,
}

/// All waits.
pub(crate) struct Waits {
    changes: Arc<ChangeNotifier>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    last: u32,
    waiting: BTreeMap<u32, (Wait, oneshot::Sender<Verdict>)>,
}

/// Takes a wait off the list when it ends, however it ends.
pub(super) struct Shown {
    waits: Arc<Waits>,
    id: u32,
}

impl Waits {
    pub(crate) fn new(changes: Arc<ChangeNotifier>) -> Self {
        Self {
            changes,
            state: Mutex::default(),
        }
    }

    /// All of them, oldest first.
    pub(crate) fn list(&self) -> Vec<Wait> {
        self.lock()
            .waiting
            .values()
            .map(|(wait, _)| wait.clone())
            .collect()
    }

    /// Lets a wait go now; nothing if it has gone.
    pub(crate) fn try_now(&self, id: u32) {
        self.end(id, Verdict::Go);
    }

    /// Gives a wait up; nothing if it has gone.
    pub(crate) fn stop(&self, id: u32) {
        self.end(id, Verdict::Stop);
    }

    pub(super) fn begin(self: &Arc<Self>, wait: Wait) -> (Shown, oneshot::Receiver<Verdict>) {
        let (tell, verdict) = oneshot::channel();
        let mut state = self.lock();
        state.last += 1;
        let id = state.last;
        state.waiting.insert(id, (Wait { id, ..wait }, tell));
        drop(state);
        self.changes.notify();
        (
            Shown {
                waits: Arc::clone(self),
                id,
            },
            verdict,
        )
    }

    fn end(&self, id: u32, verdict: Verdict) {
        let ended = self.lock().waiting.remove(&id);
        if let Some((_, tell)) = ended {
            let _ = tell.send(verdict);
            self.changes.notify();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if self.waits.lock().waiting.remove(&self.id).is_some() {
            self.waits.changes.notify();
        }
    }
}
