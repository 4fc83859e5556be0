//! The clock of tests: the system clock with offsets.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::{Clock, SystemClock};

/// The system clock plus offsets that a test sets.
#[derive(Debug, Default)]
pub struct AdjustableClock {
    /// Seconds.
    wall_offset: AtomicI64,
    /// Seconds.
    monotonic_offset: AtomicU64,
}

impl AdjustableClock {
    /// Lets seconds pass: both the wall clock and monotonic time advance.
    ///
    /// # Panics
    /// The number is negative. [`AdjustableClock::step_wall_clock`] sets the clock back.
    pub fn advance(&self, seconds: i64) {
        let passed = u64::try_from(seconds).expect("time passes forwards");
        self.wall_offset.fetch_add(seconds, Ordering::SeqCst);
        self.monotonic_offset.fetch_add(passed, Ordering::SeqCst);
    }

    /// Sets the wall clock forward, or back if `seconds` is negative, as an administrator or NTP does. No time passes.
    pub fn step_wall_clock(&self, seconds: i64) {
        self.wall_offset.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for AdjustableClock {
    fn now(&self) -> Timestamp {
        SystemClock.now() + SignedDuration::from_secs(self.wall_offset.load(Ordering::SeqCst))
    }

    fn monotonic(&self) -> Duration {
        SystemClock.monotonic() + Duration::from_secs(self.monotonic_offset.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_of_the_wall_clock_does_not_change_monotonic_time() {
        let clock = AdjustableClock::default();
        let (wall, monotonic) = (clock.now(), clock.monotonic());
        clock.step_wall_clock(-3_600);
        assert!(clock.now() < wall);
        assert!(clock.monotonic() >= monotonic);
        assert!(clock.monotonic() < monotonic + Duration::from_secs(3_600));
        clock.advance(3_600);
        assert!(clock.now() >= wall);
        assert!(clock.monotonic() >= monotonic + Duration::from_secs(3_600));
    }
}
