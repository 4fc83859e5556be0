//! The rate limit of an organization, by the generic cell rate algorithm (GCRA).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const MINUTE_MICROS: i64 = 60_000_000;

/// Counts requests by organization. It keeps one entry per organization in memory.
#[derive(Debug, Default)]
pub(crate) struct RateLimiter {
    /// GCRA's theoretical arrival time of each organization, in microseconds since 1970: when its whole allowance is
    /// available again.
    arrival_times: Mutex<HashMap<String, i64>>,
}

impl RateLimiter {
    /// Counts one request. A whole minute's requests can arrive at once.
    ///
    /// # Errors
    /// The limit is reached: the time until the next request is accepted.
    pub(crate) fn admit(
        &self,
        organization: &str,
        per_minute: u32,
        now_ms: i64,
    ) -> Result<(), Duration> {
        let now = now_ms.saturating_mul(1000);
        let interval = MINUTE_MICROS / i64::from(per_minute.max(1));
        // A panic cannot leave the map half changed: each change is one insertion.
        let mut arrival_times = self
            .arrival_times
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let earlier = arrival_times.get(organization).copied().unwrap_or(now);
        let next = earlier.max(now) + interval;
        let wait = next - now - MINUTE_MICROS;
        if wait > 0 {
            return Err(Duration::from_micros(wait.unsigned_abs()));
        }
        arrival_times.insert(organization.to_owned(), next);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_over_the_limit_wait_for_the_next_interval() {
        let limiter = RateLimiter::default();
        for request in 0..60 {
            assert!(
                limiter.admit("a", 60, 1_000_000).is_ok(),
                "request {request}"
            );
        }
        assert_eq!(
            limiter.admit("a", 60, 1_000_000),
            Err(Duration::from_secs(1))
        );
        assert!(
            limiter.admit("b", 60, 1_000_000).is_ok(),
            "organizations are counted separately"
        );
        assert!(
            limiter.admit("a", 60, 1_001_000).is_ok(),
            "one more after a second"
        );
        assert!(
            limiter.admit("a", 60, 1_001_000).is_err(),
            "and no second one"
        );
    }
}
