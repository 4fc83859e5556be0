//! [`AuditArchiveStore`] on PostgreSQL. Functions of the owner change the chain; the application may only call them (decision
//! 0105).

use std::ops::RangeInclusive;

use async_trait::async_trait;
use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;
use invoicing_storage::audit::RecordedEvent;
use invoicing_storage::audit_archives::{
    ArchiveOutcome, AuditArchive, AuditArchiveStore, ChainHash,
};
use tokio_postgres::Row;

use super::{EventId, columns, recorded};
use crate::Postgres;
use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork, timestamp};

/// Events that have positions, in their order, up to the last one before the time $1. The newest event has one only after a move
/// from another engine.
const SELECT_ARCHIVABLE: &str = concat!(
    "SELECT position AS id, event.at, ",
    columns!(),
    " FROM audit_positions AS place JOIN audit_events AS event ON event.at = place.at AND event.id = place.id
      WHERE position <= (SELECT max(position) FROM audit_positions WHERE at < $1)
          AND NOT EXISTS (
              SELECT FROM audit_positions AS newest
              WHERE (newest.at, newest.id) = (SELECT at, id FROM audit_events ORDER BY at DESC, id DESC LIMIT 1)
                  AND newest.position <= place.position)
      ORDER BY position LIMIT $2"
);

const SELECT_NUMBERED: &str = concat!(
    "SELECT position AS id, event.at, ",
    columns!(),
    " FROM audit_positions AS place JOIN audit_events AS event ON event.at = place.at AND event.id = place.id
      WHERE position >= $1 ORDER BY position LIMIT $2"
);

/// Events without a position, in the order in which they would get one, after the first $1.
const SELECT_UNNUMBERED: &str = concat!(
    "SELECT id, at, ",
    columns!(),
    " FROM audit_events AS event
      WHERE NOT EXISTS (SELECT FROM audit_positions AS known WHERE known.at = event.at AND known.id = event.id)
      ORDER BY at, id OFFSET $1 LIMIT $2"
);

const SELECT_LAST_POSITION: &str = "SELECT last_position FROM audit_chain";

/// The columns of an archive, as [`archive`] reads them.
macro_rules! archive_columns {
    () => {
        "first_event, last_event, earliest, latest, previous_hash, hash, file, archived_at"
    };
}

const SELECT_ARCHIVES_OF: &str = concat!(
    "SELECT ",
    archive_columns!(),
    " FROM audit_archives WHERE latest >= $1 AND earliest <= $2 ORDER BY last_event"
);

const SELECT_LAST_ARCHIVE: &str = concat!(
    "SELECT ",
    archive_columns!(),
    " FROM audit_archives ORDER BY last_event DESC LIMIT 1"
);

/// Gives positions to the oldest events, and reads them.
struct NumberEvents {
    before: Timestamp,
    limit: i64,
}

#[async_trait]
impl TransactionWork for NumberEvents {
    type Output = Vec<RecordedEvent>;

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Self::Output>, EngineError> {
        let bounds = (self.before.as_millis(), self.limit);
        let number = "SELECT number_audit_events($1, $2)";
        transaction.execute(number, &[&bounds.0, &bounds.1]).await?;
        let rows = transaction
            .rows(SELECT_ARCHIVABLE, &[&bounds.0, &bounds.1])
            .await?;
        let events = rows.iter().map(recorded).collect::<Result<_, _>>()?;
        Ok(TransactionEnd::Commit(events))
    }
}

/// Records an archive and deletes its events.
struct RecordArchive<'a> {
    archive: &'a AuditArchive,
    /// The row of an attempt before has it too.
    recording: EventId,
}

#[async_trait]
impl TransactionWork for RecordArchive<'_> {
    type Output = ArchiveOutcome;

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<ArchiveOutcome>, EngineError> {
        let record = "SELECT record_audit_archive($1, $2, $3, $4, $5, $6, $7, $8, $9) AS recorded";
        let row = transaction
            .row(
                record,
                &[
                    &self.archive.first,
                    &self.archive.last,
                    &self.archive.earliest.as_millis(),
                    &self.archive.latest.as_millis(),
                    &&self.archive.previous_hash.0[..],
                    &&self.archive.hash.0[..],
                    &self.archive.file,
                    &self.archive.archived_at.as_millis(),
                    &self.recording.0,
                ],
            )
            .await?;
        let recorded = row.map(|row| row.try_get("recorded")).transpose()?;
        Ok(match recorded {
            Some(true) => TransactionEnd::Commit(ArchiveOutcome::Recorded),
            Some(false) | None => TransactionEnd::Rollback(ArchiveOutcome::Outdated),
        })
    }
}

/// Drops the partitions that the archive has emptied.
struct DropPartitions;

#[async_trait]
impl TransactionWork for DropPartitions {
    type Output = ();

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<()>, EngineError> {
        let drop = "SELECT drop_archived_audit_partitions()";
        transaction.execute(drop, &[]).await?;
        Ok(TransactionEnd::Commit(()))
    }
}

/// Events from a position on: those that have one, and then the others in the order in which they would get theirs.
struct EventsFrom {
    first: i64,
    limit: i64,
}

#[async_trait]
impl TransactionWork for EventsFrom {
    type Output = Vec<RecordedEvent>;

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Self::Output>, EngineError> {
        let numbered = transaction
            .rows(SELECT_NUMBERED, &[&self.first, &self.limit])
            .await?;
        let mut events: Vec<_> = numbered.iter().map(recorded).collect::<Result<_, _>>()?;
        let missing = self.limit - i64::try_from(events.len()).unwrap_or(i64::MAX);
        if missing > 0 {
            let last = transaction.row(SELECT_LAST_POSITION, &[]).await?;
            let last = last.ok_or_else(|| StorageError::corrupt("the chain has no row"))?;
            let last: i64 = last.try_get("last_position")?;
            let skipped = (self.first - last - 1).max(0);
            let others = transaction
                .rows(SELECT_UNNUMBERED, &[&skipped, &missing])
                .await?;
            for (row, id) in others.iter().zip(last + skipped + 1..) {
                let event = recorded(row)?.event;
                events.push(RecordedEvent { id, event });
            }
        }
        Ok(TransactionEnd::Rollback(events))
    }
}

#[async_trait]
impl AuditArchiveStore for Postgres {
    async fn archivable_events(
        &self,
        before: Timestamp,
        limit: u32,
    ) -> Result<Vec<RecordedEvent>, StorageError> {
        let limit = i64::from(limit);
        self.engine().write(&NumberEvents { before, limit }).await
    }

    async fn record_archive(&self, archive: &AuditArchive) -> Result<ArchiveOutcome, StorageError> {
        let engine = self.engine();
        let recording = EventId::random(engine.rng());
        let outcome = engine.write(&RecordArchive { archive, recording }).await?;
        if outcome == ArchiveOutcome::Recorded
            && let Err(error) = engine.write(&DropPartitions).await
        {
            tracing::info!(%error, "empty partitions of the audit stay until the next archive");
        }
        Ok(outcome)
    }

    async fn audit_archives(&self) -> Result<Vec<AuditArchive>, StorageError> {
        self.audit_archives_of(Timestamp::MIN..=Timestamp::MAX)
            .await
    }

    async fn audit_archives_of(
        &self,
        times: RangeInclusive<Timestamp>,
    ) -> Result<Vec<AuditArchive>, StorageError> {
        let (start, end) = (times.start().as_millis(), times.end().as_millis());
        self.engine()
            .lookup_all(SELECT_ARCHIVES_OF, &[&start, &end], archive)
            .await
    }

    async fn last_audit_archive(&self) -> Result<Option<AuditArchive>, StorageError> {
        self.engine()
            .lookup_one(SELECT_LAST_ARCHIVE, &[], archive)
            .await
    }

    async fn events_from(&self, id: i64, limit: u32) -> Result<Vec<RecordedEvent>, StorageError> {
        let (first, limit) = (id, i64::from(limit));
        self.engine().read(&EventsFrom { first, limit }).await
    }

    async fn last_position(&self) -> Result<i64, StorageError> {
        let row = self.engine().row(None, SELECT_LAST_POSITION, &[]).await?;
        let row = row.ok_or_else(|| StorageError::corrupt("the chain has no row"))?;
        let last = row.try_get("last_position").map_err(EngineError::from);
        Ok(last?)
    }
}

fn archive(row: &Row) -> Result<AuditArchive, EngineError> {
    Ok(AuditArchive {
        first: row.try_get("first_event")?,
        last: row.try_get("last_event")?,
        earliest: timestamp(row, "earliest")?,
        latest: timestamp(row, "latest")?,
        previous_hash: chain_hash(row, "previous_hash")?,
        hash: chain_hash(row, "hash")?,
        file: row.try_get("file")?,
        archived_at: timestamp(row, "archived_at")?,
    })
}

fn chain_hash(row: &Row, column: &str) -> Result<ChainHash, EngineError> {
    let bytes: &[u8] = row.try_get(column)?;
    let bytes = bytes.try_into().map_err(StorageError::corrupt)?;
    Ok(ChainHash(bytes))
}
