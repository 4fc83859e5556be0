//! The wall clock, passed in so that tests can set it.

use jiff::Timestamp;

/// A wall clock.
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Timestamp;

    /// The current time in the precision that is stored: milliseconds.
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
}
