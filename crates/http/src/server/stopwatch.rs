//! The time since a listener was opened. It never goes back, whatever happens to the clock of the system.

use tokio::time::Instant;

/// Counts microseconds.
#[derive(Debug)]
pub(super) struct Stopwatch {
    origin: Instant,
    /// What a test adds.
    #[cfg(test)]
    added: std::sync::atomic::AtomicU64,
}

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self {
            origin: Instant::now(),
            #[cfg(test)]
            added: std::sync::atomic::AtomicU64::new(0),
        }
    }

    /// Microseconds since the start, never 0.
    pub(super) fn elapsed(&self) -> u64 {
        let elapsed = u64::try_from(self.origin.elapsed().as_micros()).unwrap_or(u64::MAX);
        #[cfg(test)]
        let elapsed = elapsed + self.added.load(std::sync::atomic::Ordering::Relaxed);
        elapsed.saturating_add(1)
    }

    /// Lets `time` pass.
    #[cfg(test)]
    pub(super) fn advance(&self, time: std::time::Duration) {
        let time = u64::try_from(time.as_micros()).unwrap();
        self.added
            .fetch_add(time, std::sync::atomic::Ordering::Relaxed);
    }
}
