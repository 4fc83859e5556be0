//! One statement and the audit event of the change that it makes.

use async_trait::async_trait;
use invoicing_storage::Rng;
use invoicing_storage::audit::AuditEvent;

use super::error::EngineError;
use super::transaction::{Parameter, Transaction, TransactionEnd, TransactionWork};
use crate::audit::{self, EventId};

/// One statement, which records an event if it changes a row.
pub(crate) struct AuditedStatement<'a> {
    statement: &'static str,
    parameters: &'a [Parameter<'a>],
    event: &'a AuditEvent,
    /// Made before the first attempt: a repetition that finds it changes nothing, because the first one did.
    id: EventId,
}

impl<'a> AuditedStatement<'a> {
    pub(crate) fn new(
        statement: &'static str,
        parameters: &'a [Parameter<'a>],
        event: &'a AuditEvent,
        rng: &dyn Rng,
    ) -> Self {
        Self {
            statement,
            parameters,
            event,
            id: EventId::random(rng),
        }
    }
}

#[async_trait]
impl TransactionWork for AuditedStatement<'_> {
    /// Whether a row was changed.
    type Output = bool;

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<bool>, EngineError> {
        let changed = transaction.execute(self.statement, self.parameters).await? > 0;
        if changed {
            audit::record_event(transaction, self.event, self.id).await?;
            return Ok(TransactionEnd::Commit(true));
        }
        // Nothing to change, or the commit of an attempt before whose answer was lost.
        let recorded = audit::is_recorded(transaction, self.event, self.id).await?;
        Ok(TransactionEnd::Rollback(recorded))
    }
}
