//! Insertion of one cached record.

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;

use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork};

/// A record that is to be stored.
#[async_trait]
pub(super) trait NewRecord: Sync {
    /// Inserts it, unless its id or another unique value is taken. Returns whether it did. If it did not, the transaction is
    /// rolled back.
    async fn insert(&self, transaction: &Transaction) -> Result<bool, EngineError>;
}

/// Inserts a record with its events, unless its id or another unique value is taken. Returns whether it did.
pub(super) async fn insert_record(
    store: &Postgres,
    record: &dyn NewRecord,
    events: &[AuditEvent],
) -> Result<bool, StorageError> {
    let work = InsertRecord {
        record,
        events: NewEvents::new(events, store.engine().rng()),
    };
    store.engine().write(&work).await
}

struct InsertRecord<'a> {
    record: &'a dyn NewRecord,
    events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for InsertRecord<'_> {
    /// Whether the record was stored.
    type Output = bool;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<bool>, EngineError> {
        let inserted = self.record.insert(transaction).await?;
        self.events.end(transaction, inserted, true).await
    }
}
