//! Codes to set a password: made and redeemed (decision 0116). Both begin with the lock of the subject.

use async_trait::async_trait;
use invoicing_contract::{SubjectId, Timestamp};
use invoicing_storage::secret::{PasswordHash, TokenHash};
use invoicing_storage::users::{CodePurpose, PasswordCode};

use super::increment_version;
use crate::audit::NewEvents;
use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork};

const SET_PASSWORD: &str = "UPDATE subjects SET password_hash = $2, must_change_password = FALSE, epoch = epoch + 1 WHERE id = $1";

/// Takes the password of a person away and stores a code to set another.
pub(super) struct IssueCode<'a> {
    id: &'a SubjectId,
    /// The epoch by which the caller has decided, if it matters.
    expected: Option<i64>,
    unusable_hash: &'a PasswordHash,
    code: &'a PasswordCode,
    events: NewEvents<'a>,
}

impl<'a> IssueCode<'a> {
    /// A code with its events.
    pub(super) const fn new(
        id: &'a SubjectId,
        expected: Option<i64>,
        unusable_hash: &'a PasswordHash,
        code: &'a PasswordCode,
        events: NewEvents<'a>,
    ) -> Self {
        Self {
            id,
            expected,
            unusable_hash,
            code,
            events,
        }
    }
}

#[async_trait]
impl TransactionWork for IssueCode<'_> {
    /// Whether there is such a person, with the epoch that was expected.
    type Output = bool;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<bool>, EngineError> {
        let id = self.id.as_str();
        let lock =
            "SELECT epoch FROM subjects WHERE id = $1 AND password_hash IS NOT NULL FOR UPDATE";
        let Some(row) = transaction.row(lock, &[&id]).await? else {
            return Ok(TransactionEnd::Rollback(false));
        };
        if self.events.are_recorded(transaction).await? {
            return Ok(TransactionEnd::Rollback(true));
        }
        let present: i64 = row.try_get("epoch")?;
        // After the events are looked for: a change that was made has begun another epoch itself.
        if self.expected.is_some_and(|expected| expected != present) {
            return Ok(TransactionEnd::Rollback(false));
        }
        let epoch = present + 1;
        transaction
            .execute(SET_PASSWORD, &[&id, &self.unusable_hash.as_str()])
            .await?;
        upsert_code(transaction, self.id, CodePurpose::Reset, epoch, self.code).await?;
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        Ok(TransactionEnd::Commit(true))
    }
}

/// Sets a password with a code, which is gone then.
pub(super) struct RedeemCode<'a> {
    id: &'a SubjectId,
    code: &'a TokenHash,
    password_hash: &'a PasswordHash,
    now: Timestamp,
    events: NewEvents<'a>,
}

impl<'a> RedeemCode<'a> {
    /// A redemption with its events.
    pub(super) const fn new(
        id: &'a SubjectId,
        code: &'a TokenHash,
        password_hash: &'a PasswordHash,
        now: Timestamp,
        events: NewEvents<'a>,
    ) -> Self {
        Self {
            id,
            code,
            password_hash,
            now,
            events,
        }
    }
}

#[async_trait]
impl TransactionWork for RedeemCode<'_> {
    /// Whether the code was the present one, and valid.
    type Output = bool;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<bool>, EngineError> {
        let id = self.id.as_str();
        let lock = "SELECT epoch FROM subjects WHERE id = $1 AND disabled_at IS NULL FOR UPDATE";
        let Some(row) = transaction.row(lock, &[&id]).await? else {
            return Ok(TransactionEnd::Rollback(false));
        };
        if self.events.are_recorded(transaction).await? {
            return Ok(TransactionEnd::Rollback(true));
        }
        let epoch: i64 = row.try_get("epoch")?;
        let delete = "DELETE FROM password_codes WHERE subject = $1 AND hash = $2 AND expires_at > $3 AND epoch = $4";
        let key: [Parameter<'_>; 4] = [&id, &self.code.as_bytes(), &self.now.as_millis(), &epoch];
        if transaction.execute(delete, &key).await? == 0 {
            return Ok(TransactionEnd::Rollback(false));
        }
        transaction
            .execute(SET_PASSWORD, &[&id, &self.password_hash.as_str()])
            .await?;
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        Ok(TransactionEnd::Commit(true))
    }
}

/// Stores the code of a subject in place of one before, whose purpose it keeps.
pub(super) async fn upsert_code(
    transaction: &Transaction,
    id: &SubjectId,
    purpose: CodePurpose,
    epoch: i64,
    code: &PasswordCode,
) -> Result<(), EngineError> {
    let upsert = "INSERT INTO password_codes (subject, hash, purpose, epoch, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (subject) DO UPDATE SET hash = excluded.hash, epoch = excluded.epoch, created_at = excluded.created_at,
            expires_at = excluded.expires_at";
    let row: [Parameter<'_>; 6] = [
        &id.as_str(),
        &code.hash.as_bytes(),
        &purpose.name(),
        &epoch,
        &code.created_at.as_millis(),
        &code.expires_at.as_millis(),
    ];
    transaction.execute(upsert, &row).await?;
    Ok(())
}
