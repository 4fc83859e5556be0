//! What the core takes from outside instead of reaching for it: the time and chance.

#[cfg(any(test, feature = "testing"))]
mod stepped;

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use jiff::{Timestamp, civil};

use crate::BoxFuture;

#[cfg(any(test, feature = "testing"))]
pub use stepped::SteppedClock;

/// The clock and the dice that the core uses.
#[derive(Clone)]
pub struct World {
    /// What time it is, and waiting.
    pub clock: Arc<dyn Clock>,
    /// Where secrets come from.
    pub random: Arc<dyn Randomness>,
}

impl World {
    /// The real one.
    #[must_use]
    pub fn system() -> Self {
        Self {
            clock: Arc::new(SystemClock::new()),
            random: Arc::new(SystemRandomness),
        }
    }

    /// `N` random bytes.
    pub(crate) fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.random.fill(&mut bytes);
        bytes
    }

    /// A random share of `whole`, for delays that must not fall together.
    pub(crate) fn share_of(&self, whole: Duration) -> Duration {
        whole * u32::from(self.bytes::<1>()[0]) / 255
    }
}

/// Time.
pub trait Clock: Send + Sync {
    /// The wall clock, which a person can set and which may be wrong.
    fn now(&self) -> Timestamp;
    /// Time since some fixed moment; never goes back, may stand still while the computer sleeps.
    fn monotonic(&self) -> Duration;
    /// The date where the user is.
    fn today(&self) -> civil::Date;
    /// Resolves after `duration`.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;
}

/// Unpredictable bytes.
pub trait Randomness: Send + Sync {
    /// Fills `bytes` so that nobody can guess them.
    fn fill(&self, bytes: &mut [u8]);
}

struct SystemClock {
    start: Instant,
}

impl SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that is passed in everywhere else"
    )]
    fn new() -> Self {
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

struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, bytes: &mut [u8]) {
        rand::fill(bytes);
    }
}
