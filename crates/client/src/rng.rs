//! The source of random bytes that the core is given, and identifiers of them.

use std::time::Duration;

use uuid::{Builder, Uuid};

use crate::clock::Clock;

/// A cryptographically secure source of random bytes.
pub trait Rng: Send + Sync {
    /// Fills `bytes` with unpredictable values.
    fn fill(&self, bytes: &mut [u8]);
}

/// The random source of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRng;

impl Rng for SystemRng {
    fn fill(&self, bytes: &mut [u8]) {
        rand::fill(bytes);
    }
}

/// `N` random bytes.
pub(crate) fn random_bytes<const N: usize>(rng: &dyn Rng) -> [u8; N] {
    let mut bytes = [0; N];
    rng.fill(&mut bytes);
    bytes
}

/// A new UUIDv7 (RFC 9562, section 5.7): the time, and 74 random bits.
pub(crate) fn time_ordered_id(clock: &dyn Clock, rng: &dyn Rng) -> Uuid {
    let milliseconds = u64::try_from(clock.now().as_millisecond()).unwrap_or_default();
    Builder::from_unix_timestamp_millis(milliseconds, &random_bytes(rng)).into_uuid()
}

/// A random duration from zero to `max`, so that clients that failed together do not retry together.
pub(crate) fn jitter(rng: &dyn Rng, max: Duration) -> Duration {
    max * u32::from(random_bytes::<1>(rng)[0]) / 255
}
