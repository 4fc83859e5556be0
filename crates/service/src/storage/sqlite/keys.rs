//! [`KeyStore`] on SQLite.

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};
use zeroize::Zeroizing;

use super::Sqlite;
use crate::storage::StorageError;
use crate::storage::keys::{KeyState, KeyStore, SigningAlgorithm, SigningKeyRecord};

#[async_trait]
impl KeyStore for Sqlite {
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        let rows = sqlx::query_as(
            "SELECT kid, algorithm, pkcs8, state, changed_at FROM signing_keys ORDER BY changed_at",
        );
        Ok(rows.fetch_all(self.readers()).await?)
    }

    async fn put_signing_keys(&self, keys: &[SigningKeyRecord]) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        for key in keys {
            sqlx::query(
                "INSERT INTO signing_keys (kid, algorithm, pkcs8, state, changed_at) VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT (kid) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at",
            )
            .bind(&key.kid)
            .bind(key.algorithm.name())
            .bind(key.pkcs8.as_slice())
            .bind(key.state.name())
            .bind(key.changed_at)
            .execute(&mut *write)
            .await?;
        }
        Ok(write.commit().await?)
    }
}

impl FromRow<'_, SqliteRow> for SigningKeyRecord {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let unknown = |name: &str, what: &str| -> sqlx::Error {
            sqlx::Error::Decode(format!("{name:?} is no {what}").into())
        };
        let state: String = row.try_get("state")?;
        let algorithm: String = row.try_get("algorithm")?;
        Ok(Self {
            kid: row.try_get("kid")?,
            algorithm: SigningAlgorithm::named(&algorithm)
                .ok_or_else(|| unknown(&algorithm, "signing algorithm"))?,
            pkcs8: Zeroizing::new(row.try_get("pkcs8")?),
            state: KeyState::named(&state).ok_or_else(|| unknown(&state, "state of a key"))?,
            changed_at: row.try_get("changed_at")?,
        })
    }
}
