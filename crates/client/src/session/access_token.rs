//! An access token and its expiry, measured by two clocks of which either may be wrong.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use secrecy::SecretString;

use crate::clock::Clock;
use crate::rng::{Rng, jitter};

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
    /// After so long it is refreshed ahead of need.
    due_after: Duration,
}

impl AccessToken {
    pub(super) fn new(
        secret: SecretString,
        generation: u64,
        lifetime: Duration,
        clock: &dyn Clock,
        rng: &dyn Rng,
    ) -> Self {
        Self {
            secret,
            generation,
            received: (clock.now(), clock.monotonic()),
            lifetime,
            // Jitter: the clients of one office sign in together in the morning.
            due_after: lifetime / 2 + jitter(rng, lifetime / 10),
        }
    }

    /// When it expires, by this computer's wall clock.
    pub(super) fn expires(&self) -> Timestamp {
        let lifetime = SignedDuration::try_from(self.lifetime).unwrap_or(SignedDuration::MAX);
        self.received
            .0
            .saturating_add(lifetime)
            .unwrap_or(Timestamp::MAX)
    }

    /// Whether it is still valid, but old enough to be refreshed ahead of need: after half of its lifetime and a random
    /// part of it.
    pub(super) fn is_due(&self, clock: &dyn Clock) -> bool {
        self.elapsed(clock) >= self.due_after && self.is_fresh(clock)
    }

    /// Whether it is of a later generation than the rejected one.
    pub(super) fn is_newer_than(&self, rejected: Option<u64>) -> bool {
        rejected.is_none_or(|rejected| self.generation > rejected)
    }

    /// Whether it is valid for some time yet.
    pub(super) fn is_fresh(&self, clock: &dyn Clock) -> bool {
        self.elapsed(clock) + EXPIRY_MARGIN.min(self.lifetime / 2) < self.lifetime
    }

    /// The monotonic clock may stand still while the computer sleeps, and the wall clock may be set back, so the larger of
    /// the two elapsed times counts.
    fn elapsed(&self, clock: &dyn Clock) -> Duration {
        let (wall, monotonic) = self.received;
        let by_wall = clock
            .now()
            .duration_since(wall)
            .max(SignedDuration::ZERO)
            .unsigned_abs();
        by_wall.max(clock.monotonic().saturating_sub(monotonic))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemRng;
    use crate::clock::FakeClock;

    const HOUR: Duration = Duration::from_secs(3600);

    fn clock() -> FakeClock {
        FakeClock::new(Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn token_is_fresh_until_a_minute_before_it_expires() {
        let clock = clock();
        let token = AccessToken::new("t".into(), 1, HOUR, &clock, &SystemRng);
        clock.advance(HOUR - EXPIRY_MARGIN - Duration::from_secs(1));
        assert!(token.is_fresh(&clock));
        clock.advance(Duration::from_secs(1));
        assert!(!token.is_fresh(&clock));
    }

    #[test]
    fn elapsed_time_of_the_wall_clock_alone_counts() {
        let clock = clock();
        let token = AccessToken::new("t".into(), 1, HOUR, &clock, &SystemRng);
        clock.set_wall_clock(Timestamp::from_second(7200).expect("a time"));
        assert!(!token.is_fresh(&clock));
    }

    #[test]
    fn wall_clock_set_back_does_not_extend_the_lifetime() {
        let clock = clock();
        let token = AccessToken::new("t".into(), 1, HOUR, &clock, &SystemRng);
        clock.advance(HOUR);
        clock.set_wall_clock(Timestamp::UNIX_EPOCH);
        assert!(!token.is_fresh(&clock));
    }

    #[test]
    fn token_is_due_between_half_and_six_tenths_of_its_lifetime_until_it_expires() {
        let clock = clock();
        let token = AccessToken::new("t".into(), 1, HOUR, &clock, &SystemRng);
        clock.advance(HOUR / 2 - Duration::from_secs(1));
        assert!(!token.is_due(&clock), "before half of its lifetime");
        clock.advance(HOUR / 10 + Duration::from_secs(1));
        assert!(token.is_due(&clock), "after six tenths of it");
        clock.advance(HOUR);
        assert!(
            !token.is_due(&clock),
            "it is not refreshed ahead of need any more"
        );
    }
}
