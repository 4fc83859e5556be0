//! [`BudgetStore`] of one process: in memory.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use invoicing_storage::budgets::{
    Admission, AdmissionRequest, BudgetStore, Decision, admit, nanoseconds, units_in_use,
};
use invoicing_storage::{Clock, StorageError};
use quick_cache::sync::Cache;

use crate::Sqlite;

/// Budgets that are kept at the same time. Beyond that the least used one makes room and begins again, full.
const CAPACITY: usize = 65_536;

/// The arrival time of each budget, in nanoseconds of monotonic time (decision 0088).
pub(crate) struct Budgets(Cache<String, Arc<Mutex<i64>>>);

impl Budgets {
    pub(crate) fn new() -> Self {
        Self(Cache::new(CAPACITY))
    }
}

#[async_trait]
impl BudgetStore for Sqlite {
    async fn acquire(
        &self,
        request: &AdmissionRequest<'_>,
        clock: &dyn Clock,
    ) -> Result<Admission, StorageError> {
        let inserted = self.budgets().0.get_or_insert_with(request.key, || {
            Ok::<_, std::convert::Infallible>(Arc::default())
        });
        let Ok(budget) = inserted;
        // A panic cannot leave a number half changed.
        let mut stored = budget.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(
            match admit(request, *stored, nanoseconds(clock.monotonic())) {
                Decision::Units { units, arrival } => {
                    *stored = arrival;
                    Admission::Units(units)
                }
                Decision::Wait(wait) => Admission::Wait(wait),
            },
        )
    }

    async fn units_in_use(
        &self,
        request: &AdmissionRequest<'_>,
        clock: &dyn Clock,
    ) -> Result<i64, StorageError> {
        let Some(budget) = self.budgets().0.get(request.key) else {
            return Ok(0);
        };
        let arrival = *budget.lock().unwrap_or_else(PoisonError::into_inner);
        let now = nanoseconds(clock.monotonic());
        Ok(units_in_use(request, arrival, now))
    }
}
