//! The clock that the core is given, so that tests control time.

#[cfg(any(test, feature = "testing"))]
mod fake;

use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use jiff::{Timestamp, civil};

use crate::BoxFuture;

#[cfg(any(test, feature = "testing"))]
pub use fake::FakeClock;

/// Reads the time and waits.
pub trait Clock: Send + Sync {
    /// The wall clock, which the user can set and which may be wrong.
    fn now(&self) -> Timestamp;
    /// Monotonic time since an unspecified moment. It may not advance while the computer sleeps.
    fn monotonic(&self) -> Duration;
    /// The date in the time zone of the system.
    fn today(&self) -> civil::Date;
    /// Resolves after `duration`.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;
}

/// The clock of the operating system.
#[derive(Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock whose monotonic time starts at zero.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that is passed in everywhere else"
    )]
    #[expect(
        clippy::new_without_default,
        reason = "two clocks differ: each starts when it is made"
    )]
    #[must_use]
    pub fn new() -> Self {
        Self {
            start: Instant::now(),
        }
    }
}

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that is passed in everywhere else"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn monotonic(&self) -> Duration {
        self.start.elapsed()
    }

    fn today(&self) -> civil::Date {
        self.now().to_zoned(TimeZone::system()).date()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}
