//! [`PatStore`] on SQLite.

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, Row};

use super::Sqlite;
use crate::identity::secret::TokenHash;
use crate::storage::StorageError;
use crate::storage::audit::Entry;
use crate::storage::pats::{PatStore, PersonalAccessToken};
use crate::storage::subjects::Subject;

#[async_trait]
impl PatStore for Sqlite {
    async fn add_pat(
        &self,
        pat: &PersonalAccessToken,
        hash: &TokenHash,
        entry: &Entry,
    ) -> Result<(), StorageError> {
        let insert = sqlx::query(
            "INSERT INTO personal_access_tokens (id, hash, subject, name, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(&pat.id)
        .bind(hash.as_bytes())
        .bind(&pat.subject)
        .bind(&pat.name)
        .bind(pat.created_at)
        .bind(pat.expires_at);
        self.change(insert, entry).await.map(drop)
    }

    async fn pat(
        &self,
        hash: &TokenHash,
        now: i64,
    ) -> Result<Option<(PersonalAccessToken, Subject)>, StorageError> {
        let pat: Option<PersonalAccessToken> = sqlx::query_as(
            "SELECT * FROM personal_access_tokens WHERE hash = $1 AND expires_at > $2 AND revoked_at IS NULL",
        )
        .bind(hash.as_bytes())
        .bind(now)
        .fetch_optional(self.readers())
        .await?;
        let Some(pat) = pat else { return Ok(None) };
        let subject: Option<Subject> = sqlx::query_as(
            "SELECT * FROM subjects WHERE id = $1 AND disabled_at IS NULL AND valid_from <= $2",
        )
        .bind(&pat.subject)
        .bind(pat.created_at)
        .fetch_optional(self.readers())
        .await?;
        Ok(subject.map(|subject| (pat, subject)))
    }

    async fn pats(&self, subject: &str) -> Result<Vec<PersonalAccessToken>, StorageError> {
        let rows = sqlx::query_as(
            "SELECT * FROM personal_access_tokens WHERE subject = $1 ORDER BY created_at DESC, id",
        );
        Ok(rows.bind(subject).fetch_all(self.readers()).await?)
    }

    async fn pat_by_id(&self, id: &str) -> Result<Option<PersonalAccessToken>, StorageError> {
        let row = sqlx::query_as("SELECT * FROM personal_access_tokens WHERE id = $1");
        Ok(row.bind(id).fetch_optional(self.readers()).await?)
    }

    async fn revoke_pat(&self, id: &str, now: i64, entry: &Entry) -> Result<bool, StorageError> {
        let update = sqlx::query(
            "UPDATE personal_access_tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL",
        );
        self.change(update.bind(id).bind(now), entry).await
    }
}

impl FromRow<'_, SqliteRow> for PersonalAccessToken {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        Ok(Self {
            id: row.try_get("id")?,
            subject: row.try_get("subject")?,
            name: row.try_get("name")?,
            created_at: row.try_get("created_at")?,
            expires_at: row.try_get("expires_at")?,
            revoked_at: row.try_get("revoked_at")?,
        })
    }
}
