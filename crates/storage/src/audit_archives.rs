//! Archives of the audit: which events have left the database, and the hash chain that proves that none is missing.

use std::ops::RangeInclusive;

use async_trait::async_trait;
use invoicing_contract::Timestamp;

use super::StorageError;
use super::audit::RecordedEvent;

/// The hash of a chain after one of its events (decision 0094).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ChainHash(pub [u8; 32]);

/// A file with events that are no longer in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditArchive {
    /// Position of its first event: the one after the last event of the archive before, or 1.
    pub first: i64,
    /// Position of its last event. None is missing in between.
    pub last: i64,
    /// The earliest time of its events. Times need not ascend with ids, since the wall clock can be set.
    pub earliest: Timestamp,
    /// The latest time of its events.
    pub latest: Timestamp,
    /// The hash of the chain before its first event: that of the archive before, or of 32 zero bytes.
    pub previous_hash: ChainHash,
    /// The hash of the chain after its last event.
    pub hash: ChainHash,
    /// Name of the file in the archive folder.
    pub file: String,
    /// The time of archiving.
    pub archived_at: Timestamp,
}

/// The outcome of [`AuditArchiveStore::record_archive`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchiveOutcome {
    /// The archive is recorded, and its events are deleted.
    Recorded,
    /// The archive does not continue the last one, or its events are not all there. Nothing was written.
    Outdated,
}

/// The move of events from the database into files. The ids of events are their positions in the chain here: they ascend by
/// one, and an engine leaves no gaps.
///
/// SQLite gives an event its position when it is recorded. PostgreSQL, where a counter of events would make all writers wait
/// for each other, gives it when the event is about to be archived, in the order of times (decision 0105).
#[async_trait]
pub trait AuditArchiveStore: Send + Sync {
    /// The oldest events in the order of their positions, at most `limit`: those up to the one with the latest time before
    /// `before`. Their positions are final. The newest event of all is not among them, so that positions continue to ascend.
    async fn archivable_events(
        &self,
        before: Timestamp,
        limit: u32,
    ) -> Result<Vec<RecordedEvent>, StorageError>;
    /// Records an archive of archivable events and deletes them, in one transaction. Its file must be on the disk before.
    async fn record_archive(&self, archive: &AuditArchive) -> Result<ArchiveOutcome, StorageError>;
    /// All archives, in the order of their events: as many as there ever were.
    async fn audit_archives(&self) -> Result<Vec<AuditArchive>, StorageError>;
    /// The archives that can have events of these times, in the order of their events.
    async fn audit_archives_of(
        &self,
        times: RangeInclusive<Timestamp>,
    ) -> Result<Vec<AuditArchive>, StorageError>;
    /// The archive with the last of the archived events.
    async fn last_audit_archive(&self) -> Result<Option<AuditArchive>, StorageError>;
    /// The stored events with this position or a higher one, in the order of their positions, at most `limit`. After
    /// [`AuditArchiveStore::last_position`], positions are those that the events would get now.
    async fn events_from(&self, id: i64, limit: u32) -> Result<Vec<RecordedEvent>, StorageError>;
    /// The last position that is final: that of the newest event on SQLite, that of the last event that was archived or about
    /// to be on PostgreSQL. 0 before the first.
    async fn last_position(&self) -> Result<i64, StorageError>;
}
