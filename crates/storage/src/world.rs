//! Time and randomness, passed in so that tests can hold them still.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;

/// What the service takes from outside itself, apart from the network and the database.
#[derive(Clone)]
pub struct World {
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Where secrets come from.
    pub randomness: Arc<dyn Randomness>,
}

impl World {
    /// The clock and the random source of the operating system.
    #[must_use]
    pub fn system() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            randomness: Arc::new(SystemRandomness),
        }
    }
}

impl fmt::Debug for World {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("World").finish_non_exhaustive()
    }
}

/// What time it is.
pub trait Clock: Send + Sync {
    /// The wall clock.
    fn now(&self) -> Timestamp;

    /// The wall clock in the form it is stored: milliseconds since 1970.
    fn now_ms(&self) -> i64 {
        self.now().as_millisecond()
    }
}

/// A cryptographically secure source of random bytes.
pub trait Randomness: Send + Sync {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);
}

/// The clock of the operating system.
#[derive(Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the Clock that everybody else takes"
    )]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// The random source of the operating system.
#[derive(Debug)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, bytes: &mut [u8]) {
        aws_lc_rs::rand::fill(bytes)
            .expect("the operating system gives random bytes, or nothing here is safe to run");
    }
}
