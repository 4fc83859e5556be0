//! [`AuditStore`] on SQLite.

use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;
use sqlx::{FromRow, QueryBuilder, Row, SqliteConnection};

use super::Sqlite;
use super::engine::EngineError;
use invoicing_storage::StorageError;
use invoicing_storage::audit::{AuditStore, Entry, Kind, Query, Recorded};

#[async_trait]
impl AuditStore for Sqlite {
    async fn record(&self, entry: &Entry) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        record(&mut write, entry).await?;
        Ok(write.commit().await?)
    }

    async fn record_once(&self, entry: &Entry, since: i64) -> Result<(), StorageError> {
        let recorded: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM audit_events
                WHERE kind = $1 AND kind <> 'token_issued' AND at > $2 AND subject IS $3 AND address IS $4)",
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
        // An index is named so that no other is taken: it would look at every entry.
        let of_one = match (&query.subject, &query.organization) {
            (Some(_), _) => Some("audit_events_subject"),
            (None, Some(_)) => Some("audit_events_organization"),
            (None, None) => None,
        };
        let mut select = QueryBuilder::new("");
        match of_one {
            Some(index) => select
                .push(PARTS)
                .push("SELECT * FROM audit_events WHERE id IN (SELECT id FROM parts CROSS JOIN audit_events INDEXED BY ")
                .push(index)
                .push(" ON id >> 8 = part WHERE TRUE"),
            None => select.push("SELECT * FROM audit_events WHERE TRUE"),
        };
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
            if !query.kinds.contains(&Kind::TokenIssued) {
                // Said, so that the index of all others is taken.
                select.push(" AND kind <> 'token_issued'");
            }
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
        const NEWEST_FIRST: &str = " ORDER BY at DESC, id DESC";
        select
            .push(NEWEST_FIRST)
            .push(" LIMIT ")
            .push_bind(i64::from(query.size));
        if of_one.is_some() {
            select.push(")").push(NEWEST_FIRST);
        }
        let rows: Vec<RecordedRow> = select.build_query_as().fetch_all(self.readers()).await?;
        Ok(rows
            .into_iter()
            .map(|RecordedRow(recorded)| recorded)
            .collect())
    }
}

/// The parts in which those entries stand that are about somebody.
const PARTS: &str = "WITH RECURSIVE parts (part) AS
    (SELECT max(id) >> 8 FROM audit_events UNION ALL SELECT part - 1 FROM parts WHERE part > 0) ";

/// Keeps an entry: time, kind, subject, actor, organization, application, address, [`detail`].
pub(super) const INSERT: &str =
    "INSERT INTO audit_events (at, kind, subject, actor, organization_id, client_id, address, detail)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

/// What else there is to know of `entry`, as it is kept.
pub(super) fn detail(entry: &Entry) -> Result<String, StorageError> {
    serde_json::to_string(&entry.detail)
        .map_err(|error| StorageError::unexpected(error.to_string()))
}

/// Runs `statement`, which is prepared from [`INSERT`].
pub(crate) fn insert(
    statement: &mut rusqlite::CachedStatement<'_>,
    entry: &Entry,
) -> Result<(), EngineError> {
    statement.execute(rusqlite::params![
        entry.at,
        entry.kind.name(),
        entry.subject,
        entry.actor,
        entry.organization,
        entry.client_id,
        entry.address,
        detail(entry)?
    ])?;
    Ok(())
}

/// Records `entry` in the transaction of the change that it is about.
pub(crate) fn record_event(
    connection: &rusqlite::Connection,
    entry: &Entry,
) -> Result<(), EngineError> {
    insert(&mut connection.prepare_cached(INSERT)?, entry)
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

/// A row as its record.
pub(super) struct RecordedRow(pub(super) Recorded);

impl FromRow<'_, SqliteRow> for RecordedRow {
    fn from_row(row: &SqliteRow) -> sqlx::Result<Self> {
        let kind: String = row.try_get("kind")?;
        let kind = Kind::named(&kind)
            .ok_or_else(|| sqlx::Error::Decode(format!("{kind:?} is no kind of event").into()))?;
        let detail: String = row.try_get("detail")?;
        let detail =
            serde_json::from_str(&detail).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
        Ok(Self(Recorded {
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
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Several parts of it, about a few, not quite in the order of their times.
    const ENTRIES: i64 = 2_500;

    fn entry(number: i64) -> Entry {
        let kinds = [Kind::TokenIssued, Kind::SignedIn, Kind::SignInFailed];
        let turn = |of: i64| usize::try_from(number % of).unwrap();
        let mut entry = Entry::new(1_000 + number - number % 7 * 2, kinds[turn(3)]);
        if number % 5 > 0 {
            entry = entry.about(["noura", "salem"][turn(2)]);
        }
        if number % 11 > 0 {
            entry = entry.of(["riyadh", "jeddah", "tabuk"][turn(3)]);
        }
        if number % 13 == 0 {
            entry = entry.by("an administrator");
        }
        entry
    }

    fn fits(query: &Query, Recorded { id, entry }: &Recorded) -> bool {
        let is = |asked: &Option<String>, kept: &Option<String>| asked.is_none() || asked == kept;
        is(&query.subject, &entry.subject)
            && is(&query.organization, &entry.organization)
            && is(&query.actor, &entry.actor)
            && (query.kinds.is_empty() || query.kinds.contains(&entry.kind))
            && query.from.is_none_or(|from| entry.at >= from)
            && query.to.is_none_or(|to| entry.at < to)
            && query.after.is_none_or(|after| (entry.at, *id) < after)
    }

    async fn store_in(folder: &tempfile::TempDir) -> Sqlite {
        let path = folder.path().join("invoicing.db");
        let url = format!("sqlite:{}", path.display());
        Sqlite::open(&url).await.unwrap()
    }

    #[tokio::test]
    async fn who_is_looked_for_is_found_in_every_part_newest_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = store_in(&folder).await;
        let mut write = store.write().await.unwrap();
        for number in 0..ENTRIES {
            record(&mut write, &entry(number)).await.unwrap();
        }
        write.commit().await.unwrap();
        let all = Query {
            size: 10_000,
            ..Query::default()
        };
        let recorded = store.audit(&all).await.unwrap();
        assert!(recorded.len() >= usize::try_from(ENTRIES).unwrap());
        assert!(
            recorded.is_sorted_by_key(|recorded| {
                std::cmp::Reverse((recorded.entry.at, recorded.id))
            })
        );

        let noura = Query {
            subject: Some("noura".to_owned()),
            ..all.clone()
        };
        let jeddah = Query {
            organization: Some("jeddah".to_owned()),
            ..all.clone()
        };
        for query in [
            noura.clone(),
            jeddah.clone(),
            Query {
                subject: Some("nobody".to_owned()),
                ..all.clone()
            },
            Query {
                organization: jeddah.organization.clone(),
                kinds: vec![Kind::SignedIn, Kind::SignInFailed],
                ..noura.clone()
            },
            Query {
                actor: Some("an administrator".to_owned()),
                size: 7,
                ..jeddah.clone()
            },
            Query {
                from: Some(1_500),
                to: Some(3_000),
                size: 100,
                ..noura.clone()
            },
            Query {
                after: Some((2_000, recorded[900].id)),
                size: 50,
                ..jeddah
            },
        ] {
            let expected: Vec<_> = recorded
                .iter()
                .filter(|recorded| fits(&query, recorded))
                .take(usize::try_from(query.size).unwrap())
                .cloned()
                .collect();
            assert_eq!(store.audit(&query).await.unwrap(), expected, "{query:?}");
        }
        store.close().await;
    }

    #[tokio::test]
    async fn where_nothing_was_recorded_nobody_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let store = store_in(&folder).await;
        let query = Query {
            subject: Some("noura".to_owned()),
            size: 10,
            ..Query::default()
        };
        assert_eq!(store.audit(&query).await.unwrap(), []);
        store.close().await;
    }
}
