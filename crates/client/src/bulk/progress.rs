//! How often a bulk run or an export has got on, and who is told.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::change_notifier::ChangeNotifier;

/// Tells the UI that a bulk run or an export has got on.
pub(crate) struct Progress {
    count: AtomicU32,
    changes: Arc<ChangeNotifier>,
}

impl Progress {
    pub(crate) fn new(changes: Arc<ChangeNotifier>) -> Self {
        Self {
            count: AtomicU32::new(0),
            changes,
        }
    }

    /// How often one has.
    pub(crate) fn count(&self) -> u32 {
        self.count.load(Ordering::Acquire)
    }

    pub(crate) fn note(&self) {
        self.count.fetch_add(1, Ordering::AcqRel);
        self.changes.notify();
    }
}
