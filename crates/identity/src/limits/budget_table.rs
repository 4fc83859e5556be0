//! Budgets by key in a table of bounded size, by the generic cell rate algorithm (GCRA).

use std::hash::{BuildHasher as _, Hash, RandomState};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quick_cache::sync::Cache;

const MINUTE_NANOS: u64 = 60_000_000_000;

/// How many units a key may spend: so many per minute, all of which may be spent at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    /// The time in which one unit is regained, in nanoseconds.
    unit: u64,
    /// The time in which an empty budget is full again, in nanoseconds.
    capacity: u64,
}

impl Budget {
    /// `units` per minute.
    pub(crate) fn per_minute(units: NonZeroU32) -> Self {
        Self {
            unit: (MINUTE_NANOS / u64::from(units.get())).max(1),
            capacity: MINUTE_NANOS,
        }
    }

    /// A budget of `units` that is full again after `period`.
    pub(crate) fn per(units: NonZeroU32, period: Duration) -> Self {
        let capacity = nanos(period);
        Self {
            unit: (capacity / u64::from(units.get())).max(1),
            capacity,
        }
    }

    /// A budget that is `factor` times as large.
    pub(crate) fn times(self, factor: u32) -> Self {
        Self {
            unit: (self.unit / u64::from(factor.max(1))).max(1),
            capacity: self.capacity,
        }
    }
}

/// What keys have spent, in monotonic time. The table holds a bounded number of keys; when it is full, a key that was not
/// used for long makes room, and begins again with a full budget.
///
/// Only a keyed hash of 64 bits of each key is kept: two keys share a budget with a probability of one in 2^64, and nobody
/// outside can choose them to do so.
pub(crate) struct BudgetTable {
    /// GCRA's theoretical arrival time: when the whole budget is available again, in nanoseconds of monotonic time.
    arrivals: Cache<u64, Arc<AtomicU64>>,
    hasher: RandomState,
}

impl BudgetTable {
    /// An empty table for at most `capacity` keys.
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            arrivals: Cache::new(capacity),
            hasher: RandomState::new(),
        }
    }

    /// The time until `key` has a unit to spend, if it has none at `now`.
    pub(crate) fn wait(&self, key: impl Hash, budget: Budget, now: Duration) -> Option<Duration> {
        let arrival = self.arrivals.get(&self.hasher.hash_one(key))?;
        excess(arrival.load(Ordering::Relaxed), budget, now)
    }

    /// Spends one unit of `key`.
    ///
    /// # Errors
    /// The budget is empty: the time until it has a unit. Nothing is spent then.
    pub(crate) fn spend(
        &self,
        key: impl Hash,
        budget: Budget,
        now: Duration,
    ) -> Result<(), Duration> {
        let arrival = self.arrival(key);
        let mut seen = arrival.load(Ordering::Relaxed);
        loop {
            if let Some(wait) = excess(seen, budget, now) {
                return Err(wait);
            }
            let next = seen.max(nanos(now)) + budget.unit;
            match arrival.compare_exchange_weak(seen, next, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Ok(()),
                Err(other) => seen = other,
            }
        }
    }

    /// Takes `units` from `key`, or what is left of its budget.
    pub(crate) fn take(&self, key: impl Hash, units: u32, budget: Budget, now: Duration) {
        let now = nanos(now);
        let taken = budget.unit.saturating_mul(u64::from(units));
        let next = |seen: u64| {
            let next = seen.max(now).saturating_add(taken);
            Some(next.min(now.saturating_add(budget.capacity)))
        };
        let arrival = self.arrival(key);
        // The closure never declines, so the update succeeds.
        let _ = arrival.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
    }

    /// Makes sure that the budget of `key` is not full again before `level` has passed, as others have counted. What is counted here
    /// stays as it is, if it is less by not more than half a unit.
    pub(crate) fn raise(&self, key: impl Hash, level: Duration, budget: Budget, now: Duration) {
        let raised = nanos(now).saturating_add(nanos(level).min(budget.capacity));
        let next = |seen: u64| (raised > seen.saturating_add(budget.unit / 2)).then_some(raised);
        let arrival = self.arrival(key);
        // An error says that nothing was raised.
        let _ = arrival.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
    }

    fn arrival(&self, key: impl Hash) -> Arc<AtomicU64> {
        let key = self.hasher.hash_one(key);
        let inserted = self.arrivals.get_or_insert_with(&key, || {
            Ok::<_, std::convert::Infallible>(Arc::new(AtomicU64::new(0)))
        });
        let Ok(arrival) = inserted;
        arrival
    }
}

/// How long after `now` one more unit is within the budget, if it is not yet.
fn excess(arrival: u64, budget: Budget, now: Duration) -> Option<Duration> {
    let now = nanos(now);
    let spent = arrival.saturating_sub(now).saturating_add(budget.unit);
    let excess = spent.saturating_sub(budget.capacity);
    (excess > 0).then(|| Duration::from_nanos(excess))
}

/// Nanoseconds; five centuries fit.
fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn budget(per_minute: u32) -> Budget {
        Budget::per_minute(NonZeroU32::new(per_minute).unwrap())
    }

    #[test]
    fn minute_of_units_can_be_spent_at_once_and_one_more_after_each_interval() {
        let table = BudgetTable::new(16);
        for unit in 0..60 {
            assert_eq!(table.wait("a", budget(60), SECOND), None, "unit {unit}");
            assert_eq!(table.spend("a", budget(60), SECOND), Ok(()), "unit {unit}");
        }
        assert_eq!(table.spend("a", budget(60), SECOND), Err(SECOND));
        assert_eq!(table.wait("a", budget(60), SECOND), Some(SECOND));
        assert_eq!(table.spend("b", budget(60), SECOND), Ok(()), "another key");
        assert_eq!(table.spend("a", budget(60), SECOND * 2), Ok(()));
        assert_eq!(table.spend("a", budget(60), SECOND * 2), Err(SECOND));
    }

    #[test]
    fn units_taken_beyond_the_budget_leave_no_debt() {
        let table = BudgetTable::new(16);
        table.take("a", 1_000, budget(60), SECOND);
        assert_eq!(table.wait("a", budget(60), SECOND), Some(SECOND));
        assert_eq!(table.spend("a", budget(60), SECOND * 2), Ok(()));
    }

    #[test]
    fn budget_of_one_unit_admits_one() {
        let table = BudgetTable::new(16);
        assert_eq!(table.spend("a", budget(1), SECOND), Ok(()));
        assert_eq!(table.spend("a", budget(1), SECOND), Err(SECOND * 60));
    }

    #[test]
    fn table_holds_no_more_keys_than_its_capacity() {
        let table = BudgetTable::new(1_000);
        for key in 0..100_000 {
            let _ = table.spend(key, budget(60), SECOND);
        }
        assert!(table.arrivals.len() <= 1_000, "{}", table.arrivals.len());
    }

    #[test]
    fn units_spent_by_many_threads_are_all_counted() {
        let table = BudgetTable::new(16);
        let spent: usize = std::thread::scope(|scope| {
            let spend = || {
                (0..1_000)
                    .filter(|_| table.spend("a", budget(600), SECOND).is_ok())
                    .count()
            };
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(spend)).collect();
            threads.into_iter().map(|one| one.join().unwrap()).sum()
        });
        assert_eq!(spent, 600);
    }
}
