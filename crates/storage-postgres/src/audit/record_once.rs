//! An event that is recorded unless there is one like it, whichever processes record it at the same time.

use async_trait::async_trait;
use invoicing_contract::{SubjectId, Timestamp};
use invoicing_storage::Rng;
use invoicing_storage::audit::AuditEvent;
use sha2::{Digest as _, Sha256};

use super::{EventId, record_event};
use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork};

/// Rows of `audit_locks`.
const SLOTS: u8 = 64;

/// Records `event`, unless one of its kind, subject and address is newer than `since`.
pub(super) struct RecordOnce<'a> {
    event: &'a AuditEvent,
    since: Timestamp,
    id: EventId,
}

impl<'a> RecordOnce<'a> {
    pub(super) fn new(event: &'a AuditEvent, since: Timestamp, rng: &dyn Rng) -> Self {
        Self {
            event,
            since,
            id: EventId::random(rng),
        }
    }

    /// The row that callers with like events lock: the same in every process.
    fn slot(&self) -> i64 {
        let mut digest = Sha256::new();
        for part in [
            Some(self.event.kind.name()),
            self.event.subject.as_ref().map(SubjectId::as_str),
            self.event.address.as_deref(),
        ] {
            digest.update(part.unwrap_or_default());
            digest.update([0]);
        }
        i64::from(digest.finalize()[0] % SLOTS)
    }

    async fn exists(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        let select = "SELECT 1 FROM audit_events
             WHERE kind = $1 AND kind <> 'token_issued' AND at > $2 AND at <= $3
                 AND subject IS NOT DISTINCT FROM $4 AND address IS NOT DISTINCT FROM $5
             LIMIT 1";
        let found = transaction
            .row(
                select,
                &[
                    &self.event.kind.name(),
                    &self.since.as_millis(),
                    &self.event.at.as_millis(),
                    &self.event.subject.as_ref().map(SubjectId::as_str),
                    &self.event.address,
                ],
            )
            .await?;
        Ok(found.is_some())
    }
}

#[async_trait]
impl TransactionWork for RecordOnce<'_> {
    type Output = ();

    fn partition_times(&self) -> Vec<Timestamp> {
        vec![self.event.at]
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<()>, EngineError> {
        // Without the lock: most callers repeat an event that is there.
        if self.exists(transaction).await? {
            return Ok(TransactionEnd::Rollback(()));
        }
        let lock = "SELECT slot FROM audit_locks WHERE slot = $1 FOR UPDATE";
        transaction.execute(lock, &[&self.slot()]).await?;
        // In a statement of its own: it sees what the one that held the lock has committed.
        if self.exists(transaction).await? {
            return Ok(TransactionEnd::Rollback(()));
        }
        record_event(transaction, self.event, self.id).await?;
        Ok(TransactionEnd::Commit(()))
    }
}
