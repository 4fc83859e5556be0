//! The rate limit of an organization. A process acquires units of the budget that all processes share, and spends them by itself
//! (decision 0108).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use invoicing_contract::OrganizationId;
use invoicing_storage::access::Tenant;
use invoicing_storage::budgets::{Admission, AdmissionRequest};
use invoicing_storage::{BudgetStore, Clock, StorageError, Store};
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

/// Counts the requests of tenants.
pub(crate) struct RequestRates {
    limiter: RateLimiter,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    /// Requests per minute of a tenant without a limit.
    default_per_minute: u32,
}

/// The limit of a tenant is reached.
#[derive(Debug)]
pub(crate) struct RateLimited {
    /// The limit.
    pub(crate) per_minute: u32,
    /// The time until the same is accepted, if there are no other requests meanwhile.
    pub(crate) wait: Duration,
}

impl RequestRates {
    /// Nothing is counted yet.
    pub(crate) fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        default_per_minute: u32,
    ) -> Self {
        Self {
            limiter: RateLimiter::new(),
            store,
            clock,
            default_per_minute,
        }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// Storage fails. Inside: the limit is reached.
    pub(crate) async fn admit(
        &self,
        tenant: &Tenant,
    ) -> Result<Result<(), RateLimited>, StorageError> {
        self.charge(tenant, 1).await
    }

    /// Counts a batch with so many entries, whose request is counted already (decision 0179).
    ///
    /// # Errors
    /// Storage fails. Inside: the limit is reached.
    pub(crate) async fn admit_batch(
        &self,
        tenant: &Tenant,
        entries: usize,
    ) -> Result<Result<(), RateLimited>, StorageError> {
        match batch_cost(entries, self.per_minute(tenant)) - 1 {
            0 => Ok(Ok(())),
            requests => self.charge(tenant, requests).await,
        }
    }

    async fn charge(
        &self,
        tenant: &Tenant,
        requests: u32,
    ) -> Result<Result<(), RateLimited>, StorageError> {
        let per_minute = self.per_minute(tenant);
        let organization = &tenant.organization.id;
        let (store, clock) = (&*self.store, &*self.clock);
        let admitted = self
            .limiter
            .admit(organization, requests, per_minute, store, clock);
        let admitted = admitted.await?;
        Ok(admitted.map_err(|wait| RateLimited { per_minute, wait }))
    }

    fn per_minute(&self, tenant: &Tenant) -> u32 {
        let own = tenant.limits().requests_per_minute;
        let own = own.map(|limit| u32::try_from(limit.max(0)).unwrap_or(u32::MAX));
        own.unwrap_or(self.default_per_minute)
    }
}

/// How many requests a batch counts for: its entries, and at most half of a minute's requests. A whole minute's are hardly ever
/// left, since other requests come and each process keeps some.
fn batch_cost(entries: usize, per_minute: u32) -> u32 {
    let entries = u32::try_from(entries).unwrap_or(u32::MAX);
    entries.min(per_minute / 2).max(1)
}

/// Counts requests by organization.
struct RateLimiter {
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
    /// Requests since the last acquisition.
    spent: u32,
}

/// Requests that are counted together.
#[derive(Debug, Clone, Copy)]
struct Charge {
    requests: u32,
    /// The limit.
    per_minute: u32,
    /// The time in which one request is regained.
    unit: Duration,
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
    fn new() -> Self {
        Self {
            allowances: Cache::new(CAPACITY),
        }
    }

    /// Counts requests, all or none. A whole minute's requests can arrive at once.
    ///
    /// # Errors
    /// Storage fails. Inside: the limit is reached: the time until so many requests are accepted, if there are no others meanwhile.
    async fn admit(
        &self,
        organization: &OrganizationId,
        requests: u32,
        per_minute: u32,
        store: &dyn BudgetStore,
        clock: &dyn Clock,
    ) -> Result<Result<(), Duration>, StorageError> {
        // A limit of 0 allows nothing (decision 0024).
        let Some(unit) = MINUTE.checked_div(per_minute) else {
            return Ok(Err(MINUTE));
        };
        let charge = Charge {
            requests,
            per_minute,
            unit,
        };
        let allowance = self.allowance(organization);
        if let Some(outcome) = allowance.spend(charge, clock.monotonic()).outcome() {
            return Ok(outcome);
        }
        let _turn = allowance.acquiring.lock().await;
        let mut turn = allowance.spend(charge, clock.monotonic());
        loop {
            let units = match turn {
                Turn::Acquire(units) => units,
                Turn::Admitted => return Ok(Ok(())),
                Turn::Refused(wait) => return Ok(Err(wait)),
            };
            let acquired = store
                .acquire(&request(organization, unit, units), clock)
                .await?;
            turn = allowance.add(charge, units, acquired, clock.monotonic());
        }
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
    /// Spends the units of a charge, if there are so many.
    fn spend(&self, charge: Charge, now: Duration) -> Turn {
        let Charge {
            requests,
            per_minute,
            unit,
        } = charge;
        // A panic cannot leave the units half changed: nothing in these methods panics.
        let mut units = self.units.lock().unwrap_or_else(PoisonError::into_inner);
        if units.per_minute != per_minute {
            *units = Units {
                per_minute,
                ..Units::default()
            };
        }
        if now < units.refused_until {
            let others = unit.saturating_mul(requests.saturating_sub(1));
            return Turn::Refused(units.refused_until - now + others);
        }
        if now >= units.expire_at {
            units.left = 0;
        }
        if let Some(left) = units.left.checked_sub(requests) {
            units.left = left;
            units.note_spent();
            return Turn::Admitted;
        }
        let smallest = (per_minute / SMALLEST_PART).max(1);
        let missing = requests - units.left;
        Turn::Acquire(units.spent_in_an_interval(now).max(smallest).max(missing))
    }

    /// Adds what was acquired of the units that were wanted, and spends those of a charge. What is acquired and too little for it
    /// is left to other requests, and to a repetition.
    fn add(&self, charge: Charge, wanted: u32, acquired: Admission, now: Duration) -> Turn {
        let Charge {
            requests,
            per_minute,
            unit,
        } = charge;
        let mut units = self.units.lock().unwrap_or_else(PoisonError::into_inner);
        let number = match acquired {
            Admission::Units(number) => number,
            Admission::Wait(wait) => {
                if units.left == 0 {
                    units.refused_until = now + wait;
                }
                let missing = requests.saturating_sub(units.left);
                return Turn::Refused(wait + unit.saturating_mul(missing.saturating_sub(1)));
            }
        };
        // Those that are left from before end when they did.
        let expire_at = if units.left == 0 {
            now + UNITS_LIFETIME
        } else {
            units.expire_at
        };
        *units = Units {
            per_minute,
            left: units.left.saturating_add(number),
            acquired_at: now,
            expire_at,
            refused_until: Duration::ZERO,
            spent: 0,
        };
        match units.left.checked_sub(requests) {
            Some(left) => {
                units.left = left;
                units.note_spent();
                Turn::Admitted
            }
            None if number < wanted => Turn::Refused(unit.saturating_mul(requests - units.left)),
            // Other requests have spent some meanwhile.
            None => Turn::Acquire(requests - units.left),
        }
    }
}

impl Units {
    /// A batch counts as one request here: what is acquired in advance is for those that follow, which are rarely as large.
    fn note_spent(&mut self) {
        self.spent = self.spent.saturating_add(1);
    }

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
