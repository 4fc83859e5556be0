//! Budgets of requests that all processes of an environment share (decision 0108).

use std::time::Duration;

use async_trait::async_trait;

use crate::{Clock, StorageError};

/// A request for units of a budget, by the generic cell rate algorithm (GCRA).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdmissionRequest<'a> {
    /// Whose budget.
    pub key: &'a str,
    /// The time in which one unit is regained.
    pub unit: Duration,
    /// The time in which an empty budget is full again: a full one has `capacity / unit` units.
    pub capacity: Duration,
    /// How many units are wanted, at least 1.
    pub units: u32,
}

/// The outcome of an [`AdmissionRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// So many units, at least 1 and at most those wanted.
    Units(u32),
    /// None: the time until one unit is available.
    Wait(Duration),
}

/// Shared budgets.
#[async_trait]
pub trait BudgetStore: Send + Sync {
    /// Takes units from a budget: all that are wanted, or as many as it has. Of all units that are taken at the same time, by
    /// any number of processes, none is given twice.
    ///
    /// A store of one process keeps budgets in memory, in the monotonic time of `clock`; one of several processes stores them,
    /// in its wall clock. A budget is never empty for longer than its capacity, however the clock is set.
    async fn acquire(
        &self,
        request: &AdmissionRequest<'_>,
        clock: &dyn Clock,
    ) -> Result<Admission, StorageError>;

    /// How many units of a budget are taken and not yet regained. `units` of `request` has no effect.
    async fn units_in_use(
        &self,
        request: &AdmissionRequest<'_>,
        clock: &dyn Clock,
    ) -> Result<i64, StorageError>;
}

/// What a request does to a budget whose last unit is regained at `arrival` (GCRA's theoretical arrival time), in nanoseconds
/// of any clock: the units, and the new arrival time. Without units the time until there is one.
#[must_use]
pub fn admit(request: &AdmissionRequest<'_>, arrival: i64, now: i64) -> Decision {
    let unit = nanoseconds(request.unit).max(1);
    let full = now.saturating_add(nanoseconds(request.capacity));
    let arrival = arrival.clamp(now, full);
    let available = (full - arrival) / unit;
    let units = available.min(i64::from(request.units));
    if units < 1 {
        let wait = u64::try_from(unit - (full - arrival)).unwrap_or_default();
        return Decision::Wait(Duration::from_nanos(wait));
    }
    Decision::Units {
        units: u32::try_from(units).unwrap_or(request.units),
        arrival: arrival + units * unit,
    }
}

/// How many units of a budget are taken and not yet regained, rounded up. The arguments are those of [`admit`].
#[must_use]
pub fn units_in_use(request: &AdmissionRequest<'_>, arrival: i64, now: i64) -> i64 {
    let unit = nanoseconds(request.unit).max(1);
    let full = now.saturating_add(nanoseconds(request.capacity));
    (arrival.clamp(now, full) - now + unit - 1) / unit
}

/// The outcome of [`admit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
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

    fn request(units: u32) -> AdmissionRequest<'static> {
        AdmissionRequest {
            key: "a",
            unit: Duration::from_secs(1),
            capacity: Duration::from_secs(60),
            units,
        }
    }

    #[test]
    fn full_budget_sells_its_capacity_and_one_more_unit_after_each_interval() {
        let now = 1_000 * SECOND;
        let Decision::Units { units: 60, arrival } = admit(&request(100), 0, now) else {
            panic!("a full budget has 60 units");
        };
        assert_eq!(units_in_use(&request(1), arrival, now), 60);
        assert_eq!(units_in_use(&request(1), arrival, now + 30 * SECOND), 30);
        assert_eq!(
            admit(&request(1), arrival, now),
            Decision::Wait(Duration::from_secs(1))
        );
        let later = now + SECOND;
        assert!(matches!(
            admit(&request(5), arrival, later),
            Decision::Units { units: 1, .. }
        ));
    }

    #[test]
    fn clock_that_is_set_back_empties_a_budget_for_its_capacity_at_most() {
        let hour = 3_600 * SECOND;
        let Decision::Wait(wait) = admit(&request(1), 2 * hour, hour) else {
            panic!("the budget is empty");
        };
        assert_eq!(wait, Duration::from_secs(1));
        let later = hour + 60 * SECOND;
        assert!(matches!(
            admit(&request(1), hour + 60 * SECOND, later),
            Decision::Units { .. }
        ));
    }
}
