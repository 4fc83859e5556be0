//! An access token and its expiry, measured by two clocks of which either may be wrong.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;

use crate::clock::Clock;

/// The token is refreshed so long before it expires, so that it does not expire during a call.
const EXPIRY_MARGIN: Duration = Duration::from_secs(60);

/// The access token of the current session.
pub(crate) struct AccessToken {
    pub(crate) secret: SecretString,
    /// The generation of the refresh token that was issued with it.
    pub(crate) generation: u64,
    /// When it was received, by the wall clock and by the monotonic clock.
    received: (Timestamp, Duration),
    lifetime: Duration,
}

impl AccessToken {
    pub(super) fn new(
        secret: SecretString,
        generation: u64,
        lifetime: Duration,
        clock: &dyn Clock,
    ) -> Self {
        Self {
            secret,
            generation,
            received: (clock.now(), clock.monotonic()),
            lifetime,
        }
    }

    /// Whether it is valid for some time yet. The monotonic clock may stand still while the computer sleeps, and the
    /// wall clock may be set back, so the larger of the two elapsed times counts.
    pub(super) fn is_fresh(&self, clock: &dyn Clock) -> bool {
        let (wall, monotonic) = self.received;
        let by_wall = clock
            .now()
            .duration_since(wall)
            .max(SignedDuration::ZERO)
            .unsigned_abs();
        let elapsed = by_wall.max(clock.monotonic().saturating_sub(monotonic));
        elapsed + EXPIRY_MARGIN.min(self.lifetime / 2) < self.lifetime
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
    fn token_is_fresh_until_a_minute_before_it_expires() {
        let clock = clock();
        let token = AccessToken::new("t".into(), 1, HOUR, &clock);
        clock.advance(HOUR - EXPIRY_MARGIN - Duration::from_secs(1));
        assert!(token.is_fresh(&clock));
        clock.advance(Duration::from_secs(1));
        assert!(!token.is_fresh(&clock));
    }

    #[test]
    fn elapsed_time_of_the_wall_clock_alone_counts() {
        let clock = clock();
        let token = AccessToken::new("t".into(), 1, HOUR, &clock);
        clock.set_wall_clock(Timestamp::from_second(7200).expect("a time"));
        assert!(!token.is_fresh(&clock));
    }

    #[test]
    fn wall_clock_set_back_does_not_extend_the_lifetime() {
        let clock = clock();
        let token = AccessToken::new("t".into(), 1, HOUR, &clock);
        clock.advance(HOUR);
        clock.set_wall_clock(Timestamp::UNIX_EPOCH);
        assert!(!token.is_fresh(&clock));
    }
}
