//! The counter behind `watch`: it grows whenever something changes that the UI shows without asking.

use tokio::sync::watch;

/// Counts changes and wakes the tasks that wait for one.
#[derive(Debug)]
pub(crate) struct ChangeNotifier {
    revision: watch::Sender<u32>,
}

impl ChangeNotifier {
    /// Starts at revision 1, so that a caller who has seen nothing (0) is answered at once.
    pub(crate) fn new() -> Self {
        Self {
            revision: watch::Sender::new(1),
        }
    }

    /// Increments the revision. It skips 0 when it wraps around.
    pub(crate) fn notify(&self) {
        self.revision
            .send_modify(|revision| *revision = revision.wrapping_add(1).max(1));
    }

    /// The current revision.
    pub(crate) fn revision(&self) -> u32 {
        *self.revision.borrow()
    }

    /// Receives every later revision. The channel closes when the notifier is dropped.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u32> {
        self.revision.subscribe()
    }

    /// Resolves as soon as the revision differs from `revision`.
    pub(crate) async fn wait_for_change(&self, revision: u32) {
        // The sender is a field of self, so waiting cannot fail.
        let _ = self
            .revision
            .subscribe()
            .wait_for(|current| *current != revision)
            .await;
    }
}
