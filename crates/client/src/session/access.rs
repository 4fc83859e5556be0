//! An access token and when it ends, by two clocks, of which either may be wrong.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;

use crate::clock::Clock;

/// Refreshed so long before its end, so that no call dies on the way.
const MARGIN: Duration = Duration::from_secs(60);

/// What calls are made with.
pub(crate) struct Access {
    pub(crate) token: SecretString,
    /// The generation of the refresh token that came with it.
    pub(crate) generation: u64,
    received: (Timestamp, Duration),
    lifetime: Duration,
}

impl Access {
    pub(super) fn new(
        token: SecretString,
        generation: u64,
        lifetime: Duration,
        clock: &dyn Clock,
    ) -> Self {
        Self {
            token,
            generation,
            received: (clock.now(), clock.monotonic()),
            lifetime,
        }
    }

    /// Whether it lasts a while yet. The monotonic clock may stand still while the computer sleeps, and the wall clock
    /// may be set back, so the one that says more time has passed is believed.
    pub(super) fn is_fresh(&self, clock: &dyn Clock) -> bool {
        let (wall, monotonic) = self.received;
        let by_wall = clock
            .now()
            .duration_since(wall)
            .max(SignedDuration::ZERO)
            .unsigned_abs();
        let passed = by_wall.max(clock.monotonic().saturating_sub(monotonic));
        passed + MARGIN.min(self.lifetime / 2) < self.lifetime
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::FakeClock;

    const HOUR: Duration = Duration::from_secs(3600);

    fn clock() -> FakeClock {
        FakeClock::new(Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn it_is_fresh_until_a_minute_before_its_end() {
        let clock = clock();
        let access = Access::new("t".into(), 1, HOUR, &clock);
        clock.advance(HOUR - MARGIN - Duration::from_secs(1));
        assert!(access.is_fresh(&clock));
        clock.advance(Duration::from_secs(1));
        assert!(!access.is_fresh(&clock));
    }

    #[test]
    fn sleep_that_only_the_wall_clock_saw_counts() {
        let clock = clock();
        let access = Access::new("t".into(), 1, HOUR, &clock);
        clock.set_wall_clock(Timestamp::from_second(7200).expect("a time"));
        assert!(!access.is_fresh(&clock));
    }

    #[test]
    fn a_wall_clock_set_back_does_not_lengthen_it() {
        let clock = clock();
        let access = Access::new("t".into(), 1, HOUR, &clock);
        clock.advance(HOUR);
        clock.set_wall_clock(Timestamp::UNIX_EPOCH);
        assert!(!access.is_fresh(&clock));
    }
}
