//! Budgets of requests that all processes of an environment share (decision 0108).

use std::time::Duration;

use async_trait::async_trait;

use crate::{Clock, StorageError};

/// A purchase of units from a budget, by the generic cell rate algorithm (GCRA).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purchase<'a> {
    /// Whose budget.
    pub key: &'a str,
    /// The time in which one unit is regained.
    pub unit: Duration,
    /// The time in which an empty budget is full again: a full one has `capacity / unit` units.
    pub capacity: Duration,
    /// How many units are wanted, at least 1.
    pub units: u32,
}

/// The outcome of a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bought {
    /// So many units, at least 1 and at most those wanted.
    Units(u32),
    /// None: the time until one unit is available.
    Wait(Duration),
}

/// Shared budgets.
#[async_trait]
pub trait BudgetStore: Send + Sync {
    /// Takes units from a budget: all that are wanted, or as many as it has. Of all units that are bought at the same time, by
    /// any number of processes, none is sold twice.
    ///
    /// A store of one process keeps budgets in memory, in the monotonic time of `clock`; one of several processes stores them,
    /// in its wall clock. A budget is never empty for longer than its capacity, however the clock is set.
    async fn buy(&self, purchase: &Purchase<'_>, clock: &dyn Clock)
    -> Result<Bought, StorageError>;

    /// How many units of a budget are bought and not yet regained. `purchase.units` has no effect.
    async fn units_in_use(
        &self,
        purchase: &Purchase<'_>,
        clock: &dyn Clock,
    ) -> Result<i64, StorageError>;
}

/// What a purchase does to a budget whose last unit is regained at `arrival` (GCRA's theoretical arrival time), in nanoseconds
/// of any clock: the units, and the new arrival time. Without units the time until there is one.
#[must_use]
pub fn sell(purchase: &Purchase<'_>, arrival: i64, now: i64) -> Sale {
    let unit = nanoseconds(purchase.unit).max(1);
    let full = now.saturating_add(nanoseconds(purchase.capacity));
    let arrival = arrival.clamp(now, full);
    let available = (full - arrival) / unit;
    let units = available.min(i64::from(purchase.units));
    if units < 1 {
        let wait = u64::try_from(unit - (full - arrival)).unwrap_or_default();
        return Sale::Wait(Duration::from_nanos(wait));
    }
    Sale::Units {
        units: u32::try_from(units).unwrap_or(purchase.units),
        arrival: arrival + units * unit,
    }
}

/// How many units of a budget are bought and not yet regained, rounded up. The arguments are those of [`sell`].
#[must_use]
pub fn units_in_use(purchase: &Purchase<'_>, arrival: i64, now: i64) -> i64 {
    let unit = nanoseconds(purchase.unit).max(1);
    let full = now.saturating_add(nanoseconds(purchase.capacity));
    (arrival.clamp(now, full) - now + unit - 1) / unit
}

/// The outcome of [`sell`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sale {
    /// Units, and the arrival time to store.
    Units {
        /// How many.
        units: u32,
        /// The new arrival time.
        arrival: i64,
    },
    /// The time until one unit is available.
    Wait(Duration),
}

/// Nanoseconds; almost three centuries fit.
#[must_use]
pub fn nanoseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn purchase(units: u32) -> Purchase<'static> {
        Purchase {
            key: "a",
            unit: Duration::from_secs(1),
            capacity: Duration::from_secs(60),
            units,
        }
    }

    #[test]
    fn full_budget_sells_its_capacity_and_one_more_unit_after_each_interval() {
        let now = 1_000 * SECOND;
        let Sale::Units { units: 60, arrival } = sell(&purchase(100), 0, now) else {
            panic!("a full budget has 60 units");
        };
        assert_eq!(units_in_use(&purchase(1), arrival, now), 60);
        assert_eq!(units_in_use(&purchase(1), arrival, now + 30 * SECOND), 30);
        assert_eq!(
            sell(&purchase(1), arrival, now),
            Sale::Wait(Duration::from_secs(1))
        );
        let later = now + SECOND;
        assert!(matches!(
            sell(&purchase(5), arrival, later),
            Sale::Units { units: 1, .. }
        ));
    }

    #[test]
    fn clock_that_is_set_back_empties_a_budget_for_its_capacity_at_most() {
        let hour = 3_600 * SECOND;
        let Sale::Wait(wait) = sell(&purchase(1), 2 * hour, hour) else {
            panic!("the budget is empty");
        };
        assert_eq!(wait, Duration::from_secs(1));
        let later = hour + 60 * SECOND;
        assert!(matches!(
            sell(&purchase(1), hour + 60 * SECOND, later),
            Sale::Units { .. }
        ));
    }
}
