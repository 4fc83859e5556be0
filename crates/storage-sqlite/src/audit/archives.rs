//! [`AuditArchiveStore`] on SQLite.

use std::ops::RangeInclusive;

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use rusqlite::{OptionalExtension as _, Row, Transaction, params};

use super::{columns, recorded};
use crate::Sqlite;
use crate::engine::{EngineError, TransactionEnd, timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::RecordedEvent;
use invoicing_storage::audit_archives::{
    ArchiveOutcome, AuditArchive, AuditArchiveStore, ChainHash,
};

/// The event with the latest time before ?1 is found by the index of times; all up to it are read in the order of the table.
const SELECT_ARCHIVABLE: &str = concat!(
    "SELECT id, ",
    columns!(),
    " FROM audit_events
      WHERE id <= (SELECT id FROM audit_events WHERE at < ?1 ORDER BY at DESC, id DESC LIMIT 1)
        AND id < (SELECT max(id) FROM audit_events)
      ORDER BY id LIMIT ?2"
);

const SELECT_FROM: &str = concat!(
    "SELECT id, ",
    columns!(),
    " FROM audit_events WHERE id >= ?1 ORDER BY id LIMIT ?2"
);

/// The columns of an archive, as [`archive`] reads them.
macro_rules! archive_columns {
    () => {
        "first_event, last_event, earliest, latest, previous_hash, hash, file, archived_at"
    };
}

const SELECT_ARCHIVES_OF: &str = concat!(
    "SELECT ",
    archive_columns!(),
    " FROM audit_archives WHERE latest >= ?1 AND earliest <= ?2 ORDER BY last_event"
);

const SELECT_LAST_ARCHIVE: &str = concat!(
    "SELECT ",
    archive_columns!(),
    " FROM audit_archives ORDER BY last_event DESC LIMIT 1"
);

#[async_trait]
impl AuditArchiveStore for Sqlite {
    async fn archivable_events(
        &self,
        before: Timestamp,
        limit: u32,
    ) -> Result<Vec<RecordedEvent>, StorageError> {
        self.events_in_order(SELECT_ARCHIVABLE, before.as_millis(), limit)
            .await
    }

    async fn record_archive(&self, archive: &AuditArchive) -> Result<ArchiveOutcome, StorageError> {
        let archive = archive.clone();
        self.engine()
            .transact(move |transaction| {
                if !continues(transaction, &archive)? {
                    return Ok(TransactionEnd::Rollback(ArchiveOutcome::Outdated));
                }
                let insert = "INSERT INTO audit_archives
                     (last_event, first_event, earliest, latest, previous_hash, hash, file, archived_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
                transaction.prepare_cached(insert)?.execute(params![
                    archive.last,
                    archive.first,
                    archive.earliest.as_millis(),
                    archive.latest.as_millis(),
                    archive.previous_hash.0,
                    archive.hash.0,
                    archive.file,
                    archive.archived_at.as_millis()
                ])?;
                let deleted = transaction
                    .prepare_cached("DELETE FROM audit_events WHERE id BETWEEN ?1 AND ?2")?
                    .execute([archive.first, archive.last])?;
                let expected = usize::try_from(archive.last - archive.first + 1);
                if Ok(deleted) != expected {
                    return Ok(TransactionEnd::Rollback(ArchiveOutcome::Outdated));
                }
                Ok(TransactionEnd::Commit(ArchiveOutcome::Recorded))
            })
            .await
    }

    async fn audit_archives(&self) -> Result<Vec<AuditArchive>, StorageError> {
        self.audit_archives_of(Timestamp::MIN..=Timestamp::MAX)
            .await
    }

    async fn audit_archives_of(
        &self,
        times: RangeInclusive<Timestamp>,
    ) -> Result<Vec<AuditArchive>, StorageError> {
        self.engine()
            .read(move |connection| {
                let mut select = connection.prepare_cached(SELECT_ARCHIVES_OF)?;
                let bounds = (times.start().as_millis(), times.end().as_millis());
                let archives = select.query_map(bounds, archive)?;
                Ok(archives.collect::<Result<_, _>>()?)
            })
            .await
    }

    async fn last_audit_archive(&self) -> Result<Option<AuditArchive>, StorageError> {
        self.engine()
            .lookup_one(SELECT_LAST_ARCHIVE, (), archive)
            .await
    }

    async fn events_from(&self, id: i64, limit: u32) -> Result<Vec<RecordedEvent>, StorageError> {
        self.events_in_order(SELECT_FROM, id, limit).await
    }

    async fn last_position(&self) -> Result<i64, StorageError> {
        self.engine()
            .read(|connection| {
                let select = "SELECT coalesce(max(id), 0) FROM audit_events";
                Ok(connection.query_row(select, (), |row| row.get(0))?)
            })
            .await
    }
}

impl Sqlite {
    async fn events_in_order(
        &self,
        select: &'static str,
        bound: i64,
        limit: u32,
    ) -> Result<Vec<RecordedEvent>, StorageError> {
        self.engine()
            .read(move |connection| {
                let mut select = connection.prepare_cached(select)?;
                let events = select.query_map((bound, limit), recorded)?;
                Ok(events.collect::<Result<_, _>>()?)
            })
            .await
    }
}

/// Whether `archive` begins where the last one ended, and leaves the newest event.
fn continues(transaction: &Transaction<'_>, archive: &AuditArchive) -> Result<bool, EngineError> {
    let head = "SELECT last_event, hash FROM audit_archives ORDER BY last_event DESC LIMIT 1";
    let head = transaction
        .prepare_cached(head)?
        .query_row((), |row| Ok((row.get(0)?, ChainHash(row.get(1)?))))
        .optional()?;
    let (last, hash) = head.unwrap_or((0, ChainHash::default()));
    let newest = "SELECT max(id) FROM audit_events";
    let newest: Option<i64> = transaction
        .prepare_cached(newest)?
        .query_row((), |row| row.get(0))?;
    Ok(archive.first == last + 1
        && archive.first <= archive.last
        && archive.previous_hash == hash
        && newest.is_some_and(|newest| archive.last < newest))
}

fn archive(row: &Row<'_>) -> rusqlite::Result<AuditArchive> {
    Ok(AuditArchive {
        first: row.get(0)?,
        last: row.get(1)?,
        earliest: timestamp(row, 2)?,
        latest: timestamp(row, 3)?,
        previous_hash: ChainHash(row.get(4)?),
        hash: ChainHash(row.get(5)?),
        file: row.get(6)?,
        archived_at: timestamp(row, 7)?,
    })
}
