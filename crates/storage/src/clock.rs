//! The wall clock, passed in so that tests can set it.

use jiff::Timestamp;

/// A wall clock.
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;

    /// The current time in the form it is stored: milliseconds since 1970-01-01T00:00:00Z.
    fn now_ms(&self) -> i64 {
        self.now().as_millisecond()
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
}
