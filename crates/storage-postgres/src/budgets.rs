//! [`BudgetStore`] on PostgreSQL: a row for each budget, which all processes take units from.

use async_trait::async_trait;
use invoicing_storage::budgets::{
    Admission, AdmissionRequest, BudgetStore, Decision, admit, units_in_use,
};
use invoicing_storage::{Clock, StorageError};

use crate::Postgres;
use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork};

#[async_trait]
impl BudgetStore for Postgres {
    async fn acquire(
        &self,
        request: &AdmissionRequest<'_>,
        clock: &dyn Clock,
    ) -> Result<Admission, StorageError> {
        let now = clock.timestamp().as_millis().saturating_mul(1_000_000);
        self.engine().write(&Acquire { request, now }).await
    }

    async fn units_in_use(
        &self,
        request: &AdmissionRequest<'_>,
        clock: &dyn Clock,
    ) -> Result<i64, StorageError> {
        let select = "SELECT arrival FROM budgets WHERE key = $1";
        let arrival = self
            .engine()
            .lookup_one(select, &[&request.key], |row| Ok(row.try_get("arrival")?))
            .await?;
        let now = clock.timestamp().as_millis().saturating_mul(1_000_000);
        Ok(arrival.map_or(0, |arrival| units_in_use(request, arrival, now)))
    }
}

/// A request. A repetition after a commit whose answer was lost takes units a second time: the first are lost, never given twice.
struct Acquire<'a> {
    request: &'a AdmissionRequest<'a>,
    /// Nanoseconds since 1970.
    now: i64,
}

#[async_trait]
impl TransactionWork for Acquire<'_> {
    type Output = Admission;

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Admission>, EngineError> {
        // A crash of the server may forget the last requests; no caller waits for the disk because of them.
        transaction
            .execute("SET LOCAL synchronous_commit = off", &[])
            .await?;
        let key = self.request.key;
        let insert =
            "INSERT INTO budgets (key, arrival) VALUES ($1, 0) ON CONFLICT (key) DO NOTHING";
        let select = "SELECT arrival FROM budgets WHERE key = $1 FOR UPDATE";
        let mut row = transaction.row(select, &[&key]).await?;
        if row.is_none() {
            transaction.execute(insert, &[&key]).await?;
            row = transaction.row(select, &[&key]).await?;
        }
        let row = row.ok_or_else(|| StorageError::corrupt("a budget was deleted"))?;
        match admit(self.request, row.try_get("arrival")?, self.now) {
            Decision::Wait(wait) => Ok(TransactionEnd::Rollback(Admission::Wait(wait))),
            Decision::Units { units, arrival } => {
                let update = "UPDATE budgets SET arrival = $2 WHERE key = $1";
                transaction.execute(update, &[&key, &arrival]).await?;
                Ok(TransactionEnd::Commit(Admission::Units(units)))
            }
        }
    }
}
