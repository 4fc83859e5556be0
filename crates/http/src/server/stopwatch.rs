//! The time since a listener was opened. It never goes back, whatever happens to the wall clock.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use invoicing_storage::Clock;

/// Counts microseconds.
pub(super) struct Stopwatch {
    clock: Arc<dyn Clock>,
    /// The monotonic time of the start.
    origin: Duration,
}

impl Stopwatch {
    pub(super) fn start(clock: Arc<dyn Clock>) -> Self {
        Self {
            origin: clock.monotonic(),
            clock,
        }
    }

    /// Microseconds since the start, never 0.
    pub(super) fn elapsed(&self) -> u64 {
        let elapsed = self.clock.monotonic().saturating_sub(self.origin);
        u64::try_from(elapsed.as_micros())
            .unwrap_or(u64::MAX)
            .saturating_add(1)
    }
}

impl fmt::Debug for Stopwatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Stopwatch")
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}
