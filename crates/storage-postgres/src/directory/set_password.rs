//! Sets a password and tells the epoch that the change has begun (decision 0106).

use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use invoicing_contract::{SubjectId, Timestamp};

use super::increment_version;
use crate::audit::NewEvents;
use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork};
use invoicing_storage::secret::PasswordHash;

/// Sets a password. The number is the epoch that this change has begun.
pub(super) struct SetPassword<'a> {
    id: &'a SubjectId,
    /// The epoch of the proof, if the change needs one.
    expected: Option<i64>,
    password_hash: &'a PasswordHash,
    must_change: bool,
    events: NewEvents<'a>,
    /// The epoch that the latest attempt has written. If a repetition finds the events, it is the one of this change: the epoch
    /// of the subject may be that of a later change by then, whose sessions this caller must not join.
    written: AtomicI64,
}

impl<'a> SetPassword<'a> {
    /// A change with its events.
    pub(super) const fn new(
        id: &'a SubjectId,
        expected: Option<i64>,
        password_hash: &'a PasswordHash,
        must_change: bool,
        events: NewEvents<'a>,
    ) -> Self {
        Self {
            id,
            expected,
            password_hash,
            must_change,
            events,
            written: AtomicI64::new(0),
        }
    }
}

#[async_trait]
impl TransactionWork for SetPassword<'_> {
    type Output = Option<i64>;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Option<i64>>, EngineError> {
        let id = self.id.as_str();
        let lock =
            "SELECT epoch FROM subjects WHERE id = $1 AND password_hash IS NOT NULL FOR UPDATE";
        let Some(row) = transaction.row(lock, &[&id]).await? else {
            return Ok(TransactionEnd::Rollback(None));
        };
        if self.events.are_recorded(transaction).await? {
            let written = self.written.load(Ordering::Relaxed);
            return Ok(TransactionEnd::Rollback(Some(written)));
        }
        let present: i64 = row.try_get("epoch")?;
        // After the events are looked for: a change that was made has begun another epoch itself.
        if self.expected.is_some_and(|expected| expected != present) {
            return Ok(TransactionEnd::Rollback(None));
        }
        let epoch = present + 1;
        self.written.store(epoch, Ordering::Relaxed);
        let update = "UPDATE subjects SET password_hash = $2, must_change_password = $3, epoch = $4 WHERE id = $1";
        let row: [Parameter<'_>; 4] =
            [&id, &self.password_hash.as_str(), &self.must_change, &epoch];
        transaction.execute(update, &row).await?;
        let delete = "DELETE FROM password_codes WHERE subject = $1";
        transaction.execute(delete, &[&id]).await?;
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        Ok(TransactionEnd::Commit(Some(epoch)))
    }
}

#[cfg(test)]
mod tests {
    use std::slice;
    use std::sync::Arc;

    use invoicing_storage::SystemRng;
    use invoicing_storage::audit::AuditEventKind;
    use invoicing_storage::subjects::SubjectStore as _;
    use invoicing_storage::suite::fixtures::{audit_event, populate, subject};
    use invoicing_test_postgres::Server;

    use super::*;
    use crate::{Options, Postgres, migrate, schema_name};

    #[tokio::test]
    async fn repeated_change_of_a_password_returns_its_own_epoch_after_a_later_change() {
        let database = Server::shared()
            .database(&schema_name(), async |owner_url| {
                let options = Options::from_url(owner_url).unwrap();
                migrate(&options, Timestamp::from_millis(0)).await.unwrap();
            })
            .await;
        let options = Options::from_url(database.application_url()).unwrap();
        let store = Postgres::open(options, Arc::new(SystemRng)).await.unwrap();
        populate(&store).await;
        let noura = subject("noura");
        let event = audit_event(AuditEventKind::PasswordChanged);
        let [first, second] = ["first", "second"].map(PasswordHash::new);
        let events = NewEvents::new(slice::from_ref(&event), store.engine().rng());
        let change = SetPassword::new(&noura, Some(0), &first, false, events);
        assert_eq!(store.engine().write(&change).await.unwrap(), Some(1));
        let later = store
            .set_password(&noura, Some(1), &second, false, &event)
            .await;
        assert_eq!(later.unwrap(), Some(2));
        // As when the answer to the first COMMIT was lost.
        assert_eq!(store.engine().write_again(&change).await, Some(Some(1)));
        let stored = store.account("noura").await.unwrap().unwrap().subject;
        assert_eq!(stored.password_hash, Some(second));
        assert_eq!(stored.epoch, 2);
    }
}
