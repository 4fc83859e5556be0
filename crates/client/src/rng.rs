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

/// A new UUIDv7 that sorts behind `last`: in its millisecond, and after the clock was set back, it has the millisecond after that of
/// `last`. It is random in any case: an id that is one more than another could have been given before.
pub(crate) fn time_ordered_id_after(last: Option<Uuid>, clock: &dyn Clock, rng: &dyn Rng) -> Uuid {
    let id = time_ordered_id(clock, rng);
    let Some(last) = last.filter(|last| *last >= id) else {
        return id;
    };
    // The first 48 bits (RFC 9562, section 5.7).
    let milliseconds = u64::try_from(last.as_u128() >> 80).unwrap_or_default();
    Builder::from_unix_timestamp_millis(milliseconds + 1, &random_bytes(rng)).into_uuid()
}

/// A random duration from zero to `max`, so that clients that failed together do not retry together.
pub(crate) fn jitter(rng: &dyn Rng, max: Duration) -> Duration {
    max * u32::from(random_bytes::<1>(rng)[0]) / 255
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jiff::{SignedDuration, Timestamp};

    use super::*;
    use crate::clock::FakeClock;

    #[test]
    fn ids_after_another_sort_behind_it_and_differ_also_when_the_clock_was_set_back() {
        let clock = FakeClock::new(Timestamp::UNIX_EPOCH + SignedDuration::from_hours(2));
        let last = time_ordered_id(&clock, &SystemRng);
        for hours in [3, 2, 1] {
            clock.set_wall_clock(Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours));
            let ids: BTreeSet<Uuid> = (0..100)
                .map(|_| time_ordered_id_after(Some(last), &clock, &SystemRng))
                .collect();
            assert_eq!(ids.len(), 100);
            assert!(ids.iter().all(|id| *id > last));
        }
    }
}
