//! [`AuditStore`] on SQLite.

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, QueryBuilder, Row, SqliteConnection};

use super::Sqlite;
use crate::storage::StorageError;
use crate::storage::audit::{AuditStore, Entry, Kind, Query, Recorded};

#[async_trait]
impl AuditStore for Sqlite {
    async fn record(&self, entry: &Entry) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        record(&mut write, entry).await?;
        Ok(write.commit().await?)
    }

    async fn record_once(&self, entry: &Entry, since: i64) -> Result<(), StorageError> {
        let recorded: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM audit
                WHERE kind = $1 AND at > $2 AND subject IS $3 AND address IS $4)",
        )
        .bind(entry.kind.name())
        .bind(since)
        .bind(&entry.subject)
        .bind(&entry.address)
        .fetch_one(self.readers())
        .await?;
        if recorded {
            return Ok(());
        }
        self.record(entry).await
    }

    async fn audit(&self, query: &Query) -> Result<Vec<Recorded>, StorageError> {
        let mut select = QueryBuilder::new("SELECT * FROM audit WHERE TRUE");
        if let Some(subject) = &query.subject {
            select.push(" AND subject = ").push_bind(subject);
        }
        if let Some(actor) = &query.actor {
            select.push(" AND actor = ").push_bind(actor);
        }
        if let Some(organization) = &query.organization {
            select
                .push(" AND organization_id = ")
                .push_bind(organization);
        }
        if !query.kinds.is_empty() {
            let mut kinds = select.push(" AND kind IN (").separated(", ");
            for kind in &query.kinds {
                kinds.push_bind(kind.name());
            }
            select.push(")");
        }
        if let Some(from) = query.from {
            select.push(" AND at >= ").push_bind(from);
        }
        if let Some(to) = query.to {
            select.push(" AND at < ").push_bind(to);
        }
        if let Some((at, id)) = query.after {
            select
                .push(" AND (at, id) < (")
                .push_bind(at)
                .push(", ")
                .push_bind(id)
                .push(")");
        }
        select
            .push(" ORDER BY at DESC, id DESC LIMIT ")
            .push_bind(i64::from(query.size));
        Ok(select.build_query_as().fetch_all(self.readers()).await?)
    }
}

/// Keeps an entry: time, kind, subject, actor, organization, application, address, [`detail`].
pub(super) const INSERT: &str =
    "INSERT INTO audit (at, kind, subject, actor, organization_id, client_id, address, detail)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

/// What else there is to know of `entry`, as it is kept.
pub(super) fn detail(entry: &Entry) -> Result<String, StorageError> {
    serde_json::to_string(&entry.detail)
        .map_err(|error| StorageError::Unexpected(error.to_string()))
}

/// Records `entry` in the transaction of what it is about.
pub(super) async fn record(
    write: &mut SqliteConnection,
    entry: &Entry,
) -> Result<(), StorageError> {
    sqlx::query(INSERT)
        .bind(entry.at)
        .bind(entry.kind.name())
        .bind(&entry.subject)
        .bind(&entry.actor)
        .bind(&entry.organization)
        .bind(&entry.client_id)
        .bind(&entry.address)
        .bind(detail(entry)?)
        .execute(write)
        .await?;
    Ok(())
}

impl FromRow<'_, SqliteRow> for Recorded {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let kind: String = row.try_get("kind")?;
        let kind = Kind::named(&kind)
            .ok_or_else(|| sqlx::Error::Decode(format!("{kind:?} is no kind of event").into()))?;
        let detail: String = row.try_get("detail")?;
        let detail =
            serde_json::from_str(&detail).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
        Ok(Self {
            id: row.try_get("id")?,
            entry: Entry {
                at: row.try_get("at")?,
                kind,
                subject: row.try_get("subject")?,
                actor: row.try_get("actor")?,
                organization: row.try_get("organization_id")?,
                client_id: row.try_get("client_id")?,
                address: row.try_get("address")?,
                detail,
            },
        })
    }
}
