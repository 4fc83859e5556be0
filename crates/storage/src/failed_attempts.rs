//! Failed attempts to sign in or to authenticate, which all processes of an environment count together (decision 0192).

use std::time::Duration;

use async_trait::async_trait;
use invoicing_contract::Timestamp;

use crate::StorageError;

/// A keyed hash of what is attempted, and from where. What people typed cannot be read from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttemptKey(pub [u8; 16]);

/// A counter of failed attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptCounter {
    /// Its key.
    pub key: AttemptKey,
    /// How they are forgotten.
    pub forgetting: Forgetting,
}

/// How failed attempts are forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forgetting {
    /// All of them, so long after the last one.
    Together(Duration),
    /// One in each interval, as by the generic cell rate algorithm (GCRA). Above `most` no more are counted.
    OneByOne {
        /// The time in which one is forgotten.
        interval: Duration,
        /// How many are counted at the same time.
        most: u32,
    },
}

/// What a counter has counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AttemptCount {
    /// The attempts; of a counter that forgets them one by one, the milliseconds until all are forgotten.
    pub level: i64,
    /// The time of the last one.
    pub last: Timestamp,
}

impl Forgetting {
    /// What an attempt adds to [`AttemptCount::level`].
    #[must_use]
    pub fn unit(self) -> i64 {
        match self {
            Self::Together(_) => 1,
            Self::OneByOne { interval, .. } => milliseconds(interval).max(1),
        }
    }

    /// What a millisecond takes from it.
    #[must_use]
    pub const fn drain(self) -> i64 {
        match self {
            Self::Together(_) => 0,
            Self::OneByOne { .. } => 1,
        }
    }

    /// The milliseconds after the last attempt at which nothing is left. No level is higher.
    #[must_use]
    pub fn lifetime(self) -> i64 {
        match self {
            Self::Together(window) => milliseconds(window),
            Self::OneByOne { most, .. } => self.unit().saturating_mul(i64::from(most)),
        }
    }
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Counters of failed attempts. Their times are those of the wall clocks of the processes. Of a clock that is set by more than the
/// lifetime of a counter, what it has counted is forgotten: nobody is kept out because of a clock.
#[async_trait]
pub trait FailedAttemptStore: Send + Sync {
    /// What each of the counters has, in their order.
    async fn failed_attempts(
        &self,
        counters: &[AttemptCounter],
        now: Timestamp,
    ) -> Result<Vec<AttemptCount>, StorageError>;

    /// Counts a failed attempt at each of the counters, whose keys differ. What each has then, in their order. A repetition after a
    /// commit whose answer was lost counts it twice.
    async fn count_failed_attempt(
        &self,
        counters: &[AttemptCounter],
        now: Timestamp,
    ) -> Result<Vec<AttemptCount>, StorageError>;

    /// Forgets so many attempts under each of the keys, or all if there are fewer. The counters forget all together. A repetition after a
    /// commit whose answer was lost forgets as many again.
    async fn forget_failed_attempts(
        &self,
        keys: &[AttemptKey],
        attempts: i64,
    ) -> Result<(), StorageError>;
}

/// The counts of `counters` among `found`, which has those of the counters that there are.
#[must_use]
pub fn in_order(
    counters: &[AttemptCounter],
    found: &[(AttemptKey, AttemptCount)],
) -> Vec<AttemptCount> {
    let count = |counter: &AttemptCounter| {
        let found = found.iter().find(|(key, _)| *key == counter.key);
        found.map(|(_, count)| *count).unwrap_or_default()
    };
    counters.iter().map(count).collect()
}
