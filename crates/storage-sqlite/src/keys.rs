//! [`KeyStore`] on SQLite.

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};
use zeroize::Zeroizing;

use super::Sqlite;
use super::audit::record;
use invoicing_storage::StorageError;
use invoicing_storage::audit::Entry;
use invoicing_storage::keys::{
    KeyRotation, KeyState, KeyStore, SigningAlgorithm, SigningKeyRecord,
};

#[async_trait]
impl KeyStore for Sqlite {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        let rows = sqlx::query_as(
            "SELECT kid, algorithm, pkcs8, state, changed_at FROM signing_keys ORDER BY changed_at",
        );
        let rows: Vec<SigningKeyRecordRow> = rows.fetch_all(self.readers()).await?;
        Ok(rows
            .into_iter()
            .map(|SigningKeyRecordRow(record)| record)
            .collect())
    }

    async fn add_signing_key(&self, key: &SigningKeyRecord) -> Result<bool, StorageError> {
        let mut write = self.write().await?;
        let added = sqlx::query(
            "INSERT INTO signing_keys (kid, algorithm, pkcs8, state, changed_at) SELECT $1, $2, $3, $4, $5
             WHERE NOT EXISTS (SELECT 1 FROM signing_keys WHERE algorithm = $2 AND state = $4)",
        )
        .bind(&key.kid)
        .bind(key.algorithm.name())
        .bind(key.pkcs8.as_slice())
        .bind(key.state.name())
        .bind(key.changed_at)
        .execute(&mut *write)
        .await?;
        write.commit().await?;
        Ok(added.rows_affected() == 1)
    }

    async fn rotate_signing_keys(
        &self,
        rotations: &[KeyRotation],
        now: i64,
        entry: &Entry,
    ) -> Result<bool, StorageError> {
        let mut write = self.write().await?;
        for KeyRotation {
            current,
            next,
            retired_before,
        } in rotations
        {
            let moved = sqlx::query(
                "UPDATE signing_keys SET state = 'previous', changed_at = $2 WHERE kid = $1 AND state = 'current'",
            )
            .bind(current)
            .bind(now)
            .execute(&mut *write)
            .await?;
            if moved.rows_affected() == 0 {
                return Ok(false);
            }
            sqlx::query(
                "UPDATE signing_keys SET state = 'current', changed_at = $2 WHERE algorithm = $1 AND state = 'next'",
            )
            .bind(next.algorithm.name())
            .bind(now)
            .execute(&mut *write)
            .await?;
            sqlx::query(
                "INSERT INTO signing_keys (kid, algorithm, pkcs8, state, changed_at) VALUES ($1, $2, $3, 'next', $4)",
            )
            .bind(&next.kid)
            .bind(next.algorithm.name())
            .bind(next.pkcs8.as_slice())
            .bind(now)
            .execute(&mut *write)
            .await?;
            sqlx::query(
                "DELETE FROM signing_keys WHERE algorithm = $1 AND state = 'previous' AND changed_at < $2",
            )
            .bind(next.algorithm.name())
            .bind(retired_before)
            .execute(&mut *write)
            .await?;
        }
        record(&mut write, entry).await?;
        write.commit().await?;
        Ok(true)
    }
}

/// A row as its record.
pub(super) struct SigningKeyRecordRow(pub(super) SigningKeyRecord);

impl FromRow<'_, SqliteRow> for SigningKeyRecordRow {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let unknown = |name: &str, what: &str| -> sqlx::Error {
            sqlx::Error::Decode(format!("{name:?} is no {what}").into())
        };
        let state: String = row.try_get("state")?;
        let algorithm: String = row.try_get("algorithm")?;
        Ok(Self(SigningKeyRecord {
            kid: row.try_get("kid")?,
            algorithm: SigningAlgorithm::named(&algorithm)
                .ok_or_else(|| unknown(&algorithm, "signing algorithm"))?,
            pkcs8: Zeroizing::new(row.try_get("pkcs8")?),
            state: KeyState::named(&state).ok_or_else(|| unknown(&state, "state of a key"))?,
            changed_at: row.try_get("changed_at")?,
        }))
    }
}
