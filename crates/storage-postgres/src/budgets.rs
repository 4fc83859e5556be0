//! [`BudgetStore`] on PostgreSQL: a row for each budget, which all processes buy from.

use async_trait::async_trait;
use invoicing_storage::budgets::{Bought, BudgetStore, Purchase, Sale, sell, units_in_use};
use invoicing_storage::{Clock, StorageError};

use crate::Postgres;
use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork};

#[async_trait]
impl BudgetStore for Postgres {
    async fn buy(
        &self,
        purchase: &Purchase<'_>,
        clock: &dyn Clock,
    ) -> Result<Bought, StorageError> {
        let now = clock.timestamp().as_millis().saturating_mul(1_000_000);
        self.engine().write(&Buy { purchase, now }).await
    }

    async fn units_in_use(
        &self,
        purchase: &Purchase<'_>,
        clock: &dyn Clock,
    ) -> Result<i64, StorageError> {
        let select = "SELECT arrival FROM budgets WHERE key = $1";
        let arrival = self
            .engine()
            .lookup_one(select, &[&purchase.key], |row| Ok(row.try_get("arrival")?))
            .await?;
        let now = clock.timestamp().as_millis().saturating_mul(1_000_000);
        Ok(arrival.map_or(0, |arrival| units_in_use(purchase, arrival, now)))
    }
}

/// A purchase. A repetition after a commit whose answer was lost buys a second time: the first units are lost, never sold twice.
struct Buy<'a> {
    purchase: &'a Purchase<'a>,
    /// Nanoseconds since 1970.
    now: i64,
}

#[async_trait]
impl TransactionWork for Buy<'_> {
    type Output = Bought;

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<Bought>, EngineError> {
        // A crash of the server may forget the last purchases; no caller waits for the disk because of them.
        transaction
            .execute("SET LOCAL synchronous_commit = off", &[])
            .await?;
        let key = self.purchase.key;
        let insert =
            "INSERT INTO budgets (key, arrival) VALUES ($1, 0) ON CONFLICT (key) DO NOTHING";
        let select = "SELECT arrival FROM budgets WHERE key = $1 FOR UPDATE";
        let mut row = transaction.row(select, &[&key]).await?;
        if row.is_none() {
            transaction.execute(insert, &[&key]).await?;
            row = transaction.row(select, &[&key]).await?;
        }
        let row = row.ok_or_else(|| StorageError::corrupt("a budget was deleted"))?;
        match sell(self.purchase, row.try_get("arrival")?, self.now) {
            Sale::Wait(wait) => Ok(TransactionEnd::Rollback(Bought::Wait(wait))),
            Sale::Units { units, arrival } => {
                let update = "UPDATE budgets SET arrival = $2 WHERE key = $1";
                transaction.execute(update, &[&key, &arrival]).await?;
                Ok(TransactionEnd::Commit(Bought::Units(units)))
            }
        }
    }
}
