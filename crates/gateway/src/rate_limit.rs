//! The rate limit of an organization. A process acquires units of the budget that all processes share, and spends them by itself
//! (decision 0108).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use invoicing_contract::OrganizationId;
use invoicing_storage::budgets::{Admission, AdmissionRequest};
use invoicing_storage::{BudgetStore, Clock, StorageError};
use quick_cache::sync::Cache;

const MINUTE: Duration = Duration::from_secs(60);
/// How long acquired units can be spent.
const UNITS_LIFETIME: Duration = MINUTE;
/// A process acquires what it spent in this time, so that it writes twice a second for an organization at most.
const ACQUISITION_INTERVAL: Duration = Duration::from_millis(500);
/// It acquires at least this part of a minute's requests, so that an organization with few requests costs few acquisitions.
const SMALLEST_PART: u32 = 60;
/// Organizations whose units are kept at the same time.
const CAPACITY: usize = 65_536;

/// How many requests of an organization's last minute processes have acquired.
///
/// # Errors
/// Storage fails.
pub(crate) async fn requests_in_use(
    organization: &OrganizationId,
    per_minute: u32,
    store: &(impl BudgetStore + ?Sized),
    clock: &dyn Clock,
) -> Result<i64, StorageError> {
    match MINUTE.checked_div(per_minute) {
        Some(unit) => {
            store
                .units_in_use(&request(organization, unit, 1), clock)
                .await
        }
        None => Ok(0),
    }
}

fn request(organization: &OrganizationId, unit: Duration, units: u32) -> AdmissionRequest<'_> {
    AdmissionRequest {
        key: organization.as_str(),
        unit,
        capacity: MINUTE,
        units,
    }
}

/// Counts requests by organization.
pub(crate) struct RateLimiter {
    allowances: Cache<OrganizationId, Arc<Allowance>>,
}

/// What one organization may still send through this process.
#[derive(Default)]
struct Allowance {
    units: Mutex<Units>,
    /// Held while units are acquired: requests that arrive meanwhile wait for it.
    acquiring: tokio::sync::Mutex<()>,
}

/// Acquired units, in monotonic time (decision 0088).
#[derive(Debug, Default)]
struct Units {
    /// The limit that they were acquired under.
    per_minute: u32,
    left: u32,
    acquired_at: Duration,
    expire_at: Duration,
    refused_until: Duration,
    /// Spent since the last acquisition.
    spent: u32,
}

/// What a request gets.
enum Turn {
    Admitted,
    Refused(Duration),
    /// So many units have to be acquired first.
    Acquire(u32),
}

impl RateLimiter {
    /// Nothing is acquired yet.
    pub(crate) fn new() -> Self {
        Self {
            allowances: Cache::new(CAPACITY),
        }
    }

    /// Counts one request. A whole minute's requests can arrive at once.
    ///
    /// # Errors
    /// Storage fails. Inside: the limit is reached: the time until the next request is accepted.
    pub(crate) async fn admit(
        &self,
        organization: &OrganizationId,
        per_minute: u32,
        store: &dyn BudgetStore,
        clock: &dyn Clock,
    ) -> Result<Result<(), Duration>, StorageError> {
        // A limit of 0 allows nothing (decision 0024).
        let Some(unit) = MINUTE.checked_div(per_minute) else {
            return Ok(Err(MINUTE));
        };
        let allowance = self.allowance(organization);
        if let Some(outcome) = allowance.spend(per_minute, clock.monotonic()).outcome() {
            return Ok(outcome);
        }
        let _turn = allowance.acquiring.lock().await;
        let units = match allowance.spend(per_minute, clock.monotonic()) {
            Turn::Acquire(units) => units,
            Turn::Admitted => return Ok(Ok(())),
            Turn::Refused(wait) => return Ok(Err(wait)),
        };
        let admission = store
            .acquire(&request(organization, unit, units), clock)
            .await?;
        Ok(allowance.add(admission, per_minute, clock.monotonic()))
    }

    fn allowance(&self, organization: &OrganizationId) -> Arc<Allowance> {
        let inserted = self.allowances.get_or_insert_with(organization, || {
            Ok::<_, std::convert::Infallible>(Arc::default())
        });
        let Ok(allowance) = inserted;
        allowance
    }
}

impl Allowance {
    /// Spends one unit, if there is one.
    fn spend(&self, per_minute: u32, now: Duration) -> Turn {
        // A panic cannot leave the units half changed: nothing in these methods panics.
        let mut units = self.units.lock().unwrap_or_else(PoisonError::into_inner);
        if units.per_minute != per_minute {
            *units = Units {
                per_minute,
                ..Units::default()
            };
        }
        if now < units.refused_until {
            return Turn::Refused(units.refused_until - now);
        }
        if now >= units.expire_at {
            units.left = 0;
        }
        if let Some(left) = units.left.checked_sub(1) {
            units.left = left;
            units.spent = units.spent.saturating_add(1);
            return Turn::Admitted;
        }
        let smallest = (per_minute / SMALLEST_PART).max(1);
        Turn::Acquire(units.spent_in_an_interval(now).max(smallest))
    }

    /// Adds acquired units and spends one of them.
    fn add(&self, admission: Admission, per_minute: u32, now: Duration) -> Result<(), Duration> {
        let mut units = self.units.lock().unwrap_or_else(PoisonError::into_inner);
        match admission {
            Admission::Units(number) => {
                *units = Units {
                    per_minute,
                    left: number.saturating_sub(1),
                    acquired_at: now,
                    expire_at: now + UNITS_LIFETIME,
                    refused_until: Duration::ZERO,
                    spent: 1,
                };
                Ok(())
            }
            Admission::Wait(wait) => {
                units.refused_until = now + wait;
                Err(wait)
            }
        }
    }
}

impl Units {
    /// How many would be spent in [`ACQUISITION_INTERVAL`] at the rate since the last acquisition.
    fn spent_in_an_interval(&self, now: Duration) -> u32 {
        let passed = now
            .saturating_sub(self.acquired_at)
            .max(Duration::from_millis(1));
        let spent = u128::from(self.spent) * ACQUISITION_INTERVAL.as_nanos() / passed.as_nanos();
        u32::try_from(spent).unwrap_or(u32::MAX)
    }
}

impl Turn {
    /// The end of the request's turn, unless units have to be acquired.
    const fn outcome(self) -> Option<Result<(), Duration>> {
        match self {
            Self::Admitted => Some(Ok(())),
            Self::Refused(wait) => Some(Err(wait)),
            Self::Acquire(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
