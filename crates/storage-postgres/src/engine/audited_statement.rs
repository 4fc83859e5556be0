//! One statement and the audit events of the change that it makes.

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use invoicing_storage::Rng;
use invoicing_storage::audit::AuditEvent;

use super::connection::Parameter;
use super::error::EngineError;
use super::transaction::{Transaction, TransactionEnd, TransactionWork};
use crate::audit::NewEvents;

/// One statement, which records events if it changes a row.
pub(crate) struct AuditedStatement<'a> {
    statement: &'static str,
    parameters: &'a [Parameter<'a>],
    events: NewEvents<'a>,
    /// Whether the row belongs to a record that processes cache.
    cached: bool,
}

impl<'a> AuditedStatement<'a> {
    pub(crate) fn new(
        statement: &'static str,
        parameters: &'a [Parameter<'a>],
        events: &'a [AuditEvent],
        rng: &dyn Rng,
    ) -> Self {
        Self {
            statement,
            parameters,
            events: NewEvents::new(events, rng),
            cached: false,
        }
    }

    /// The row belongs to a record that processes cache: a change increments the version.
    pub(crate) fn of_cached_record(mut self) -> Self {
        self.cached = true;
        self
    }
}

#[async_trait]
impl TransactionWork for AuditedStatement<'_> {
    /// Whether a row was changed.
    type Output = bool;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<bool>, EngineError> {
        let changed = transaction.execute(self.statement, self.parameters).await? > 0;
        self.events.end(transaction, changed, self.cached).await
    }
}
