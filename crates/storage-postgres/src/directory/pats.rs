//! [`PatStore`] on PostgreSQL.

use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::{SubjectId, Timestamp};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::pats::{PatPosition, PatStore, PersonalAccessToken};
use invoicing_storage::secret::TokenHash;
use invoicing_storage::subjects::{Member, SubjectStore as _};
use invoicing_storage::{Basis, StorageError};
use tokio_postgres::Row;

use crate::Postgres;
use crate::engine::{EngineError, Parameter, identifier, optional_timestamp, timestamp};

/// The columns that [`pat`] reads.
macro_rules! columns {
    () => {
        "id, subject, epoch, name, created_at, expires_at, revoked_at"
    };
}

#[async_trait]
impl PatStore for Postgres {
    async fn add_pat(
        &self,
        pat: &PersonalAccessToken,
        hash: &TokenHash,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let insert =
            "INSERT INTO personal_access_tokens (id, hash, subject, epoch, name, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING";
        let row: [Parameter<'_>; 7] = [
            &pat.id,
            &hash.as_bytes(),
            &pat.subject.as_str(),
            &pat.epoch,
            &pat.name,
            &pat.created_at.as_millis(),
            &pat.expires_at.as_millis(),
        ];
        self.execute_audited(insert, &row, event).await
    }

    async fn pat(
        &self,
        hash: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<(PersonalAccessToken, Arc<Member>, Basis)>, StorageError> {
        let select = concat!(
            "SELECT ",
            columns!(),
            ", (SELECT v.number FROM versions v WHERE v.name = 'directory') AS version
             FROM personal_access_tokens WHERE hash = $1 AND expires_at > $2 AND revoked_at IS NULL"
        );
        let key: [Parameter<'_>; 2] = [&hash.as_bytes(), &now.as_millis()];
        let found = self
            .engine()
            .lookup_one(select, &key, |row| Ok((pat(row)?, row.try_get("version")?)));
        let Some((pat, version)) = found.await? else {
            return Ok(None);
        };
        let basis = self.read_cache().basis(version);
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
            "SELECT ",
            columns!(),
            " FROM personal_access_tokens
             WHERE subject = $1 AND ($2::bigint IS NULL OR (created_at, id) < ($2, $3))
             ORDER BY created_at DESC, id DESC LIMIT $4"
        );
        let (created_at, id) = after.map(|(at, id)| (*at, id.as_str())).unzip();
        let parameters: [Parameter<'_>; 4] =
            [&subject.as_str(), &created_at, &id, &i64::from(limit)];
        self.engine().lookup_all(select, &parameters, pat).await
    }

    async fn count_valid_pats(
        &self,
        subject: &SubjectId,
        now: Timestamp,
    ) -> Result<i64, StorageError> {
        let select = "SELECT count(*) FROM personal_access_tokens
             WHERE subject = $1 AND expires_at > $2 AND revoked_at IS NULL";
        let key: [Parameter<'_>; 2] = [&subject.as_str(), &now.as_millis()];
        let count = self
            .engine()
            .lookup_one(select, &key, |row| Ok(row.try_get(0)?));
        Ok(count.await?.unwrap_or_default())
    }

    async fn pat_by_id(&self, id: &str) -> Result<Option<PersonalAccessToken>, StorageError> {
        let select = concat!(
            "SELECT ",
            columns!(),
            " FROM personal_access_tokens WHERE id = $1"
        );
        self.engine().lookup_one(select, &[&id], pat).await
    }

    async fn revoke_pat(
        &self,
        id: &str,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE personal_access_tokens SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
        self.execute_audited(update, &[&id, &now.as_millis()], event)
            .await
    }
}

fn pat(row: &Row) -> Result<PersonalAccessToken, EngineError> {
    Ok(PersonalAccessToken {
        id: row.try_get("id")?,
        subject: identifier(row, "subject")?,
        epoch: row.try_get("epoch")?,
        name: row.try_get("name")?,
        created_at: timestamp(row, "created_at")?,
        expires_at: timestamp(row, "expires_at")?,
        revoked_at: optional_timestamp(row, "revoked_at")?,
    })
}
