//! The rate limit of an organization, by the generic cell rate algorithm (GCRA).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use invoicing_contract::OrganizationId;

const MINUTE: Duration = Duration::from_secs(60);

/// Counts requests by organization. It keeps one entry per organization in memory.
#[derive(Debug, Default)]
pub(crate) struct RateLimiter {
    /// GCRA's theoretical arrival time of each organization, in monotonic time: when its whole allowance is available again.
    arrival_times: Mutex<HashMap<OrganizationId, Duration>>,
}

impl RateLimiter {
    /// Counts one request at the monotonic time `now` (decision 0088). A whole minute's requests can arrive at once.
    ///
    /// # Errors
    /// The limit is reached: the time until the next request is accepted.
    pub(crate) fn admit(
        &self,
        organization: &OrganizationId,
        per_minute: u32,
        now: Duration,
    ) -> Result<(), Duration> {
        // A limit of 0 allows nothing (decision 0024).
        let Some(interval) = MINUTE.checked_div(per_minute) else {
            return Err(MINUTE);
        };
        // A panic cannot leave the map half changed: each change is one insertion.
        let mut arrival_times = self
            .arrival_times
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let earlier = arrival_times.get(organization).copied().unwrap_or(now);
        let next = earlier.max(now) + interval;
        let wait = next.saturating_sub(now + MINUTE);
        if !wait.is_zero() {
            return Err(wait);
        }
        arrival_times.insert(organization.clone(), next);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(limiter: &RateLimiter, organization: &str, milliseconds: u64) -> Result<(), Duration> {
        limiter.admit(
            &organization.into(),
            60,
            Duration::from_millis(milliseconds),
        )
    }

    #[test]
    fn limit_of_zero_admits_no_request() {
        let limiter = RateLimiter::default();
        for second in [0, 3_600] {
            let refused = limiter.admit(&"a".into(), 0, Duration::from_secs(second));
            assert_eq!(refused, Err(MINUTE));
        }
    }

    #[test]
    fn requests_over_the_limit_wait_for_the_next_interval() {
        let limiter = RateLimiter::default();
        for request in 0..60 {
            assert!(admit(&limiter, "a", 1_000_000).is_ok(), "request {request}");
        }
        assert_eq!(admit(&limiter, "a", 1_000_000), Err(Duration::from_secs(1)));
        assert!(
            admit(&limiter, "b", 1_000_000).is_ok(),
            "organizations are counted separately"
        );
        assert!(
            admit(&limiter, "a", 1_001_000).is_ok(),
            "one more after a second"
        );
        assert!(
            admit(&limiter, "a", 1_001_000).is_err(),
            "and no second one"
        );
    }
}
