//! [`PatStore`] on SQLite.

use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::{SubjectId, Timestamp};
use rusqlite::Row;

use crate::Sqlite;
use crate::engine::{optional_timestamp, timestamp};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::pats::{PatPosition, PatStore, PersonalAccessToken};
use invoicing_storage::secret::TokenHash;
use invoicing_storage::subjects::{Member, SubjectStore as _};
use invoicing_storage::tokens::TokenStore as _;
use invoicing_storage::{Basis, StorageError};

/// Selects the columns that [`pat`] reads.
macro_rules! select_pats {
    () => {
        "SELECT id, subject, epoch, name, created_at, expires_at, revoked_at FROM personal_access_tokens"
    };
}

#[async_trait]
impl PatStore for Sqlite {
    async fn add_pat(
        &self,
        pat: &PersonalAccessToken,
        hash: &TokenHash,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let insert =
            "INSERT INTO personal_access_tokens (id, hash, subject, epoch, name, created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO NOTHING";
        let row = (
            pat.id.clone(),
            hash.as_bytes().to_vec(),
            pat.subject.as_str().to_owned(),
            pat.epoch,
            pat.name.clone(),
            pat.created_at.as_millis(),
            pat.expires_at.as_millis(),
        );
        self.execute_audited(insert, row, event).await
    }

    async fn pat(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<(PersonalAccessToken, Arc<Member>, Basis)>, StorageError> {
        let select = concat!(
            select_pats!(),
            " WHERE hash = ?1 AND expires_at > ?2 AND revoked_at IS NULL"
        );
        let found = self
            .engine()
            .lookup_one(select, (hash.as_bytes(), now.as_millis()), pat);
        let Some(pat) = found.await? else {
            return Ok(None);
        };
        let basis = self.basis().await?;
        let member = self.member(&pat.subject, basis).await?;
        Ok(member
            .filter(|member| member.subject.epoch == pat.epoch)
            .map(|member| (pat, member, basis)))
    }

    async fn pats(
        &self,
        subject: &SubjectId,
        after: Option<&PatPosition>,
        limit: u32,
    ) -> Result<Vec<PersonalAccessToken>, StorageError> {
        let select = concat!(
            select_pats!(),
            " WHERE subject = ?1 AND (?2 IS NULL OR (created_at, id) < (?2, ?3))
              ORDER BY created_at DESC, id DESC LIMIT ?4"
        );
        let (created_at, id) = after.cloned().unzip();
        self.engine()
            .lookup_all(select, (subject.as_str(), created_at, id, limit), pat)
            .await
    }

    async fn count_valid_pats(
        &self,
        subject: &SubjectId,
        now: Timestamp,
    ) -> Result<i64, StorageError> {
        let select = "SELECT count(*) FROM personal_access_tokens
             WHERE subject = ?1 AND expires_at > ?2 AND revoked_at IS NULL";
        let count = self
            .engine()
            .lookup_one(select, (subject.as_str(), now.as_millis()), |row| {
                row.get(0)
            });
        Ok(count.await?.unwrap_or_default())
    }

    async fn pat_by_id(&self, id: &str) -> Result<Option<PersonalAccessToken>, StorageError> {
        let select = concat!(select_pats!(), " WHERE id = ?1");
        self.engine().lookup_one(select, [id], pat).await
    }

    async fn revoke_pat(
        &self,
        id: &str,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE personal_access_tokens SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
        self.execute_audited(update, (id.to_owned(), now.as_millis()), event)
            .await
    }
}

fn pat(row: &Row<'_>) -> rusqlite::Result<PersonalAccessToken> {
    Ok(PersonalAccessToken {
        id: row.get("id")?,
        subject: SubjectId::new(row.get::<_, String>("subject")?),
        epoch: row.get("epoch")?,
        name: row.get("name")?,
        created_at: timestamp(row, "created_at")?,
        expires_at: timestamp(row, "expires_at")?,
        revoked_at: optional_timestamp(row, "revoked_at")?,
    })
}
