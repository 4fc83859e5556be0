//! The rate limit of an organization: so many requests a minute, all at once if they were saved up (GCRA).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const MINUTE: i64 = 60_000_000;

/// Counts requests by organization. Tenants are few; each costs one entry.
#[derive(Debug, Default)]
pub(super) struct Rate {
    /// For each organization the moment, in microseconds, at which its allowance would be whole again.
    whole_at: Mutex<HashMap<String, i64>>,
}

impl Rate {
    /// Counts one request, if `per_minute` allows it; else says how long to wait.
    pub(super) fn admit(
        &self,
        organization: &str,
        per_minute: u32,
        now_ms: i64,
    ) -> Result<(), Duration> {
        let now = now_ms.saturating_mul(1000);
        let cost = MINUTE / i64::from(per_minute.max(1));
        // Nothing is left half done in a panic: the map only ever gets one value at a time.
        let mut whole_at = self.whole_at.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = whole_at.get(organization).copied().unwrap_or(now).max(now);
        let after = whole + cost;
        let wait = after - now - MINUTE;
        if wait > 0 {
            return Err(Duration::from_micros(wait.unsigned_abs()));
        }
        whole_at.insert(organization.to_owned(), after);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minutes_requests_can_come_at_once_and_then_one_by_one() {
        let rate = Rate::default();
        for request in 0..60 {
            assert!(rate.admit("a", 60, 1_000_000).is_ok(), "request {request}");
        }
        assert_eq!(rate.admit("a", 60, 1_000_000), Err(Duration::from_secs(1)));
        assert!(
            rate.admit("b", 60, 1_000_000).is_ok(),
            "another organization is not held up"
        );
        assert!(
            rate.admit("a", 60, 1_001_000).is_ok(),
            "one more after a second"
        );
        assert!(rate.admit("a", 60, 1_001_000).is_err(), "and no second one");
    }
}
