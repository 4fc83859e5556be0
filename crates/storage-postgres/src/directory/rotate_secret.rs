//! Replaces a client secret; the one before is accepted until its own end (decision 0081).

use async_trait::async_trait;
use invoicing_contract::{ClientId, Timestamp};
use invoicing_storage::applications::{MAX_RETIRED_SECRETS, SecretRotation};
use invoicing_storage::secret::TokenHash;

use super::increment_version;
use crate::audit::NewEvents;
use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork};

/// Replaces a secret.
pub(super) struct RotateSecret<'a> {
    pub(super) client_id: &'a ClientId,
    pub(super) secret: &'a TokenHash,
    pub(super) now: Timestamp,
    pub(super) overlap_until: Timestamp,
    pub(super) events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for RotateSecret<'_> {
    type Output = SecretRotation;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<SecretRotation>, EngineError> {
        let client_id = self.client_id.as_str();
        // Rotations of one application happen one after the other: each sees the secrets that those before it have retired.
        let lock = "SELECT secret_hash FROM applications WHERE client_id = $1 AND secret_hash IS NOT NULL FOR UPDATE";
        let Some(row) = transaction.row(lock, &[&client_id]).await? else {
            return Ok(TransactionEnd::Rollback(SecretRotation::NoSecret));
        };
        if self.events.are_recorded(transaction).await? {
            return Ok(TransactionEnd::Rollback(SecretRotation::Rotated));
        }
        let present: Vec<u8> = row.try_get("secret_hash")?;
        if self.now < self.overlap_until {
            if self.retired(transaction).await? >= i64::from(MAX_RETIRED_SECRETS) {
                return Ok(TransactionEnd::Rollback(SecretRotation::TooManyRetired));
            }
            self.delete_retired(transaction, self.now).await?;
            let insert =
                "INSERT INTO retired_client_secrets (client_id, hash, until) VALUES ($1, $2, $3)";
            let until = self.overlap_until.as_millis();
            transaction
                .execute(insert, &[&client_id, &present, &until])
                .await?;
        } else {
            let all = Timestamp::from_millis(i64::MAX);
            self.delete_retired(transaction, all).await?;
        }
        let update = "UPDATE applications SET secret_hash = $2 WHERE client_id = $1";
        transaction
            .execute(update, &[&client_id, &self.secret.as_bytes()])
            .await?;
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        Ok(TransactionEnd::Commit(SecretRotation::Rotated))
    }
}

impl RotateSecret<'_> {
    /// How many retired secrets are still accepted.
    async fn retired(&self, transaction: &Transaction) -> Result<i64, EngineError> {
        let count = "SELECT count(*) AS retired FROM retired_client_secrets WHERE client_id = $1 AND until > $2";
        let key = self.client_id.as_str();
        let row = transaction
            .row(count, &[&key, &self.now.as_millis()])
            .await?;
        Ok(row.map_or(Ok(0), |row| row.try_get("retired"))?)
    }

    /// Deletes those that ended by `until`.
    async fn delete_retired(
        &self,
        transaction: &Transaction,
        until: Timestamp,
    ) -> Result<(), EngineError> {
        let delete = "DELETE FROM retired_client_secrets WHERE client_id = $1 AND until <= $2";
        let key = self.client_id.as_str();
        transaction
            .execute(delete, &[&key, &until.as_millis()])
            .await?;
        Ok(())
    }
}
