//! Partitions by time: created before rows of their time are written.

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};

use async_trait::async_trait;
use invoicing_storage::StorageError;

use super::Engine;
use super::beginning::Isolation;
use super::error::EngineError;
use super::transaction::{Transaction, TransactionEnd, TransactionWork};

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;
/// Days for which partitions are known to exist. Few: a process writes rows of now.
const KNOWN_DAYS: usize = 64;

/// The days for which this process has seen that partitions exist.
#[derive(Default)]
pub(super) struct Partitions(RwLock<KnownDays>);

#[derive(Default)]
struct KnownDays {
    /// How many connections had been opened before they were seen. With another one they are unknown again: a failover can have lost
    /// them (decision 0172).
    opened: u64,
    days: BTreeSet<i64>,
}

impl Partitions {
    /// Creates the partitions of the day of `milliseconds`, unless they are known to exist.
    pub(super) async fn ensure(
        &self,
        engine: &Engine,
        milliseconds: i64,
    ) -> Result<(), StorageError> {
        let opened = engine.opened_connections();
        if self.are_known(opened, milliseconds) {
            return Ok(());
        }
        let create = CreatePartitions { milliseconds };
        engine.repeat(Isolation::ReadCommitted, &create).await?;
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.opened != opened || known.days.len() >= KNOWN_DAYS {
            known.opened = opened;
            known.days.clear();
        }
        known.days.insert(milliseconds.div_euclid(DAY));
        Ok(())
    }

    /// Whether this process has seen the partitions of the day of `milliseconds` since it has `opened` this many connections.
    pub(super) fn are_known(&self, opened: u64, milliseconds: i64) -> bool {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.opened == opened && known.days.contains(&milliseconds.div_euclid(DAY))
    }
}

/// Calls the function of the schema, which belongs to the owner of the tables: the application role may create none.
struct CreatePartitions {
    milliseconds: i64,
}

#[async_trait]
impl TransactionWork for CreatePartitions {
    type Output = ();

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<()>, EngineError> {
        transaction
            .execute("SELECT create_partitions($1)", &[&self.milliseconds])
            .await?;
        Ok(TransactionEnd::Commit(()))
    }
}
