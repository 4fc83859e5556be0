//! The clock, passed in so that tests can set it: the wall clock, and monotonic time for intervals within one process.

#[cfg(any(test, feature = "testing"))]
mod adjustable;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use jiff::Timestamp;

#[cfg(any(test, feature = "testing"))]
pub use adjustable::AdjustableClock;

/// Reads the time.
pub trait Clock: Send + Sync {
    /// The wall clock, which can be set back or forward at any moment. What is stored or sent is stated in it. An interval
    /// within one process is measured with [`Clock::monotonic`] (decision 0088).
    fn now(&self) -> Timestamp;

    /// Time since an unspecified moment of this process. It never decreases, and no change of the wall clock affects it. It
    /// may not advance while the computer sleeps.
    fn monotonic(&self) -> Duration;

    /// The wall clock in the precision that is stored: milliseconds.
    fn timestamp(&self) -> invoicing_contract::Timestamp {
        invoicing_contract::Timestamp::from_millis(self.now().as_millisecond())
    }
}

/// The clock of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the Clock that everything else is given"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "this is the Clock that everything else is given"
    )]
    fn monotonic(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }
}
