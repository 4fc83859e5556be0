//! The counter behind `watch`: it grows whenever something changes that the UI shows without asking.

use tokio::sync::watch;

/// Shared by everything that changes.
#[derive(Debug)]
pub(crate) struct Changes {
    revision: watch::Sender<u32>,
}

impl Changes {
    /// Revision 1, so that a caller who has seen nothing (0) is answered at once.
    pub(crate) fn new() -> Self {
        Self {
            revision: watch::Sender::new(1),
        }
    }

    /// Something has changed.
    pub(crate) fn bump(&self) {
        self.revision
            .send_modify(|revision| *revision = revision.wrapping_add(1).max(1));
    }

    /// The revision now.
    pub(crate) fn revision(&self) -> u32 {
        *self.revision.borrow()
    }

    /// Told of every change; its sender goes with what changes.
    pub(crate) fn follow(&self) -> watch::Receiver<u32> {
        self.revision.subscribe()
    }

    /// Resolves as soon as the revision is another than `after`.
    pub(crate) async fn since(&self, after: u32) {
        // The sender is a field of self, so waiting cannot fail.
        let _ = self
            .revision
            .subscribe()
            .wait_for(|revision| *revision != after)
            .await;
    }
}
