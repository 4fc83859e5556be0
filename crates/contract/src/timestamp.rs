//! A moment in the precision that is stored and compared: milliseconds; and the times of messages, which have nanoseconds.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::messages::documents::Event;

/// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Arithmetic saturates at the ends of `i64`, which lie 292 million years away.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The earliest moment.
    pub const MIN: Self = Self(i64::MIN);
    /// The latest moment.
    pub const MAX: Self = Self(i64::MAX);

    /// From milliseconds since 1970.
    #[must_use]
    pub const fn from_millis(milliseconds: i64) -> Self {
        Self(milliseconds)
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970, rounded down: the form of `exp`, `iat` and `auth_time` (RFC 7519, section 2).
    #[must_use]
    pub const fn as_seconds(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// The moment that is `duration` later.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(milliseconds(duration)))
    }

    /// The moment that is `duration` earlier.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(milliseconds(duration)))
    }

    /// The time since `earlier`; zero if that lies later.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        let difference = self.0.saturating_sub(earlier.0);
        Duration::from_millis(u64::try_from(difference).unwrap_or(0))
    }
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

impl From<Timestamp> for pbjson_types::Timestamp {
    fn from(at: Timestamp) -> Self {
        Self {
            seconds: at.as_seconds(),
            nanos: i32::try_from(at.0.rem_euclid(1_000) * 1_000_000)
                .expect("less than a second in nanoseconds fits"),
        }
    }
}

/// Without parts of a millisecond.
impl From<&pbjson_types::Timestamp> for Timestamp {
    fn from(message: &pbjson_types::Timestamp) -> Self {
        let milliseconds = message.seconds.saturating_mul(1_000);
        Self(milliseconds.saturating_add(i64::from(message.nanos.div_euclid(1_000_000))))
    }
}

/// The time of a message, with its nanoseconds. `None` if it is none of the years -9999 to 9999.
#[must_use]
pub fn from_message(message: &pbjson_types::Timestamp) -> Option<jiff::Timestamp> {
    jiff::Timestamp::new(message.seconds, message.nanos).ok()
}

/// The message of a time, with its nanoseconds.
#[must_use]
pub fn to_message(time: jiff::Timestamp) -> pbjson_types::Timestamp {
    pbjson_types::Timestamp {
        seconds: time.as_second(),
        nanos: time.subsec_nanosecond(),
    }
}

impl Event {
    /// When it was. `None` if it has no time, or none that [`from_message`] can read.
    #[must_use]
    pub fn moment(&self) -> Option<jiff::Timestamp> {
        self.time.as_ref().and_then(from_message)
    }
}

/// Milliseconds, as in the database.
impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_rounded_down_before_1970_too() {
        assert_eq!(Timestamp::from_millis(1_999).as_seconds(), 1);
        assert_eq!(Timestamp::from_millis(-1).as_seconds(), -1);
    }

    #[test]
    fn message_has_the_same_moment_before_1970_too() {
        for (milliseconds, seconds, nanos) in [
            (1_795_286_378_123, 1_795_286_378, 123_000_000),
            (-1, -1, 999_000_000),
            (0, 0, 0),
        ] {
            let at = Timestamp::from_millis(milliseconds);
            let message = pbjson_types::Timestamp::from(at);
            assert_eq!((message.seconds, message.nanos), (seconds, nanos));
            assert_eq!(Timestamp::from(&message), at);
        }
        let far = pbjson_types::Timestamp {
            seconds: i64::MAX,
            nanos: 0,
        };
        assert_eq!(Timestamp::from(&far), Timestamp::MAX);
    }

    #[test]
    fn time_of_a_message_keeps_its_nanoseconds() {
        let message = |seconds, nanos| pbjson_types::Timestamp { seconds, nanos };
        for written in [message(1_795_286_378, 123_456_789), message(-1, 0)] {
            assert_eq!(from_message(&written).map(to_message), Some(written));
        }
        assert_eq!(from_message(&message(i64::MAX, 0)), None);
        assert_eq!(Event::default().moment(), None);
    }

    #[test]
    fn arithmetic_saturates() {
        let hour = Duration::from_secs(3_600);
        assert_eq!(Timestamp::MAX.plus(hour), Timestamp::MAX);
        assert_eq!(Timestamp::MIN.minus(Duration::MAX), Timestamp::MIN);
        assert_eq!(
            Timestamp::from_millis(5).since(Timestamp::from_millis(9)),
            Duration::ZERO
        );
    }
}
