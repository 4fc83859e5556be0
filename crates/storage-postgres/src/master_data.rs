//! [`MasterDataStore`] on PostgreSQL.

use std::slice;

use async_trait::async_trait;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::master_data::{
    MasterDataKind, MasterDataQuery, MasterDataStore, MasterRecord, MasterRevision, MasterWrite,
    MasterWriteOutcome,
};
use tokio_postgres::Row;
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{
    EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, identifier, timestamp,
};

/// The columns that [`record`] reads.
macro_rules! columns {
    () => {
        "r.key, r.concurrency_stamp, r.archived, r.identifier, r.search_text, r.last_used_at, r.body"
    };
}

const SELECT: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM master_records r WHERE r.organization_id = $1 AND r.kind = $2 AND r.key = $3"
);
const SELECT_IDENTIFIED: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM master_records r WHERE r.organization_id = $1 AND r.kind = $2 AND r.identifier = $3"
);
/// The keys of the page come from the index alone, and the records by key.
const SELECT_PAGE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM (SELECT key FROM master_records
         WHERE organization_id = $1 AND kind = $2 AND (last_used_at, key) < ($3, $4) AND archived = ANY ($5::boolean[])
             AND search_text LIKE ALL ($6::text[])
         ORDER BY last_used_at DESC, key DESC LIMIT $7) AS hit
     JOIN master_records r ON r.organization_id = $1 AND r.kind = $2 AND r.key = hit.key
     ORDER BY r.last_used_at DESC, r.key DESC"
);
const SELECT_HISTORY: &str = "SELECT revision, action, body FROM master_record_history
     WHERE organization_id = $1 AND kind = $2 AND key = $3 AND revision < $4 ORDER BY revision DESC LIMIT $5";

/// Appends the revision of the record that `$source` returns: `$9` is the body and `$10` the action.
macro_rules! with_revision {
    ($source:literal) => {
        concat!(
            "WITH written AS (",
            $source,
            " RETURNING organization_id), revision AS (
                 INSERT INTO master_record_history (organization_id, kind, key, revision, action, body)
                 SELECT organization_id, $2::integer, $3::uuid, 1 + coalesce((SELECT max(revision) FROM master_record_history
                     WHERE organization_id = $1 AND kind = $2 AND key = $3), 0), $10::text, $9::bytea FROM written)
             SELECT count(*) FROM written"
        )
    };
}

/// A conflict is one of the key or of the identifier.
const INSERT: &str = with_revision!(
    "INSERT INTO master_records (organization_id, kind, key, concurrency_stamp, archived, identifier, search_text,
         last_used_at, body)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING"
);
const UPDATE: &str = with_revision!(
    "UPDATE master_records SET concurrency_stamp = $4, archived = $5, identifier = $6, search_text = $7, last_used_at = $8,
         body = $9
     WHERE organization_id = $1 AND kind = $2 AND key = $3 AND concurrency_stamp = $11
         AND NOT EXISTS (SELECT FROM master_records other
             WHERE other.organization_id = $1 AND other.kind = $2 AND other.identifier = $6 AND other.key <> $3)"
);
const USE: &str = "UPDATE master_records SET last_used_at = $4
     WHERE organization_id = $1 AND kind = $2 AND key = $3 AND last_used_at < $4";

/// Adds a record, or replaces the one with the stamp `expected`.
struct WriteRecord<'a> {
    write: MasterWrite<'a>,
    expected: Option<&'a ConcurrencyStamp>,
    events: NewEvents<'a>,
}

impl WriteRecord<'_> {
    /// Whether the record was written.
    async fn write(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        let record = self.write.record;
        let organization = record.organization.as_str();
        let (kind, stamp) = (record.kind.number(), record.concurrency_stamp.as_str());
        let (last_used_at, action) = (record.last_used_at.as_millis(), self.write.action());
        let expected = self.expected.map(ConcurrencyStamp::as_str);
        let mut parameters: Vec<Parameter<'_>> = vec![
            &organization,
            &kind,
            &record.key,
            &stamp,
            &record.archived,
            &record.identifier,
            &record.search_text,
            &last_used_at,
            &record.body,
            &action,
        ];
        let statement = match &expected {
            Some(expected) => {
                parameters.push(expected);
                UPDATE
            }
            None => INSERT,
        };
        let written = transaction.row(statement, &parameters).await;
        match written {
            Ok(row) => {
                let count: i64 = row.map_or(Ok(0), |row| row.try_get(0))?;
                Ok(count > 0)
            }
            // Another transaction gave the identifier to another record at the same time. A repetition finds that.
            Err(EngineError::Postgres(error))
                if error.code() == Some(&SqlState::UNIQUE_VIOLATION) =>
            {
                Err(StorageError::Busy.into())
            }
            Err(error) => Err(error),
        }
    }

    /// Why nothing was written, in a statement of its own that sees what the write waited for.
    async fn obstacle(&self, transaction: &Transaction) -> Result<MasterWriteOutcome, EngineError> {
        let record = self.write.record;
        let (organization, kind) = (record.organization.as_str(), record.kind.number());
        let stored = transaction
            .row(SELECT, &[&organization, &kind, &record.key])
            .await?;
        match (self.expected, stored) {
            (None, Some(_)) => return Ok(MasterWriteOutcome::KeyTaken),
            (Some(expected), stored) => {
                let stamp = stored.map(|row| row.try_get::<_, String>("concurrency_stamp"));
                if stamp.transpose()?.as_deref() != Some(expected.as_str()) {
                    return Ok(MasterWriteOutcome::Stale);
                }
            }
            (None, None) => {}
        }
        let owner = transaction
            .row(
                SELECT_IDENTIFIED,
                &[&organization, &kind, &record.identifier],
            )
            .await?;
        match owner {
            Some(owner) => Ok(MasterWriteOutcome::IdentifierTaken(owner.try_get("key")?)),
            // The owner gave it up since.
            None => Err(StorageError::Busy.into()),
        }
    }
}

#[async_trait]
impl TransactionWork for WriteRecord<'_> {
    type Output = MasterWriteOutcome;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(&self.write.record.organization)
    }

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<MasterWriteOutcome>, EngineError> {
        let written = self.write(transaction).await?;
        Ok(match self.events.end(transaction, written, false).await? {
            TransactionEnd::Commit(_) => TransactionEnd::Commit(MasterWriteOutcome::Stored),
            TransactionEnd::Rollback(true) => TransactionEnd::Rollback(MasterWriteOutcome::Stored),
            TransactionEnd::Rollback(false) => {
                TransactionEnd::Rollback(self.obstacle(transaction).await?)
            }
        })
    }
}

/// One statement that is the same when it is repeated.
struct UseRecord<'a> {
    organization: &'a OrganizationId,
    kind: MasterDataKind,
    key: Uuid,
    at: Timestamp,
}

#[async_trait]
impl TransactionWork for UseRecord<'_> {
    type Output = ();

    fn organization(&self) -> Option<&OrganizationId> {
        Some(self.organization)
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<()>, EngineError> {
        let (kind, at) = (self.kind.number(), self.at.as_millis());
        let parameters: [Parameter<'_>; 4] = [&self.organization.as_str(), &kind, &self.key, &at];
        transaction.execute(USE, &parameters).await?;
        Ok(TransactionEnd::Commit(()))
    }
}

impl Postgres {
    async fn write_master_record(
        &self,
        write: MasterWrite<'_>,
        expected: Option<&ConcurrencyStamp>,
    ) -> Result<MasterWriteOutcome, StorageError> {
        let events = slice::from_ref(write.event);
        let work = WriteRecord {
            write,
            expected,
            events: NewEvents::new(events, self.engine().rng()),
        };
        self.engine().write(&work).await
    }
}

#[async_trait]
impl MasterDataStore for Postgres {
    async fn master_record(
        &self,
        organization: &OrganizationId,
        kind: MasterDataKind,
        key: Uuid,
    ) -> Result<Option<MasterRecord>, StorageError> {
        let parameters: [Parameter<'_>; 3] = [&organization.as_str(), &kind.number(), &key];
        let row = self
            .engine()
            .row(Some(organization), SELECT, &parameters)
            .await?;
        let record = row.map(|row| record(&row, organization, kind));
        Ok(record.transpose()?)
    }

    async fn master_record_identified(
        &self,
        organization: &OrganizationId,
        kind: MasterDataKind,
        identifier: &str,
    ) -> Result<Option<MasterRecord>, StorageError> {
        let parameters: [Parameter<'_>; 3] = [&organization.as_str(), &kind.number(), &identifier];
        let row = self
            .engine()
            .row(Some(organization), SELECT_IDENTIFIED, &parameters)
            .await?;
        let record = row.map(|row| record(&row, organization, kind));
        Ok(record.transpose()?)
    }

    async fn add_master_record(
        &self,
        write: MasterWrite<'_>,
    ) -> Result<MasterWriteOutcome, StorageError> {
        self.write_master_record(write, None).await
    }

    async fn replace_master_record(
        &self,
        write: MasterWrite<'_>,
        expected: &ConcurrencyStamp,
    ) -> Result<MasterWriteOutcome, StorageError> {
        self.write_master_record(write, Some(expected)).await
    }

    async fn use_master_record(
        &self,
        organization: &OrganizationId,
        kind: MasterDataKind,
        key: Uuid,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let work = UseRecord {
            organization,
            kind,
            key,
            at,
        };
        self.engine().write(&work).await
    }

    async fn master_record_history(
        &self,
        organization: &OrganizationId,
        kind: MasterDataKind,
        key: Uuid,
        before: Option<i32>,
        limit: u32,
    ) -> Result<Vec<MasterRevision>, StorageError> {
        let (before, limit) = (before.unwrap_or(i32::MAX), i64::from(limit));
        let parameters: [Parameter<'_>; 5] = [
            &organization.as_str(),
            &kind.number(),
            &key,
            &before,
            &limit,
        ];
        let rows = self
            .engine()
            .rows(Some(organization), SELECT_HISTORY, &parameters)
            .await?;
        let revisions = rows.iter().map(|row| {
            Ok::<_, EngineError>(MasterRevision {
                number: row.try_get("revision")?,
                action: row.try_get("action")?,
                body: row.try_get("body")?,
            })
        });
        Ok(revisions.collect::<Result<_, _>>()?)
    }

    async fn master_records(
        &self,
        query: &MasterDataQuery,
    ) -> Result<Vec<MasterRecord>, StorageError> {
        let (at, key) = query.after.unwrap_or((Timestamp::MAX, Uuid::max()));
        let (kind, at) = (query.kind.number(), at.as_millis());
        let archived = query
            .archived
            .map_or_else(|| vec![false, true], |archived| vec![archived]);
        // Words are of letters and digits, so that nothing in a pattern has a meaning of its own.
        let words = query.words.iter().map(|word| format!("% {word}%"));
        let words: Vec<String> = words.collect();
        let size = i64::from(query.size);
        let parameters: [Parameter<'_>; 7] = [
            &query.organization.as_str(),
            &kind,
            &at,
            &key,
            &archived,
            &words,
            &size,
        ];
        let rows = self
            .engine()
            .rows(Some(&query.organization), SELECT_PAGE, &parameters)
            .await?;
        let records = rows
            .iter()
            .map(|row| record(row, &query.organization, query.kind));
        Ok(records.collect::<Result<_, _>>()?)
    }
}

fn record(
    row: &Row,
    organization: &OrganizationId,
    kind: MasterDataKind,
) -> Result<MasterRecord, EngineError> {
    Ok(MasterRecord {
        organization: organization.clone(),
        kind,
        key: row.try_get("key")?,
        concurrency_stamp: identifier(row, "concurrency_stamp")?,
        archived: row.try_get("archived")?,
        identifier: row.try_get("identifier")?,
        search_text: row.try_get("search_text")?,
        last_used_at: timestamp(row, "last_used_at")?,
        body: row.try_get("body")?,
    })
}
