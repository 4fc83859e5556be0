//! [`AuditStore`] on PostgreSQL.

mod new_events;

pub(crate) use self::new_events::NewEvents;

use async_trait::async_trait;
use invoicing_contract::{ClientId, OrganizationId, SubjectId, Timestamp};
use invoicing_storage::audit::{AuditEvent, AuditStore, Query, RecordedEvent};
use invoicing_storage::audit_archives::{ArchiveOutcome, AuditArchive, AuditArchiveStore};
use invoicing_storage::{Rng, StorageError};

use crate::Postgres;
use crate::engine::{EngineError, Transaction};

/// The id of an event, made before the transaction that records it. A repetition recognises its event by it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventId(i64);

impl EventId {
    pub(crate) fn random(rng: &dyn Rng) -> Self {
        let mut bytes = [0; 8];
        rng.fill(&mut bytes);
        Self(i64::from_be_bytes(bytes) & i64::MAX)
    }

    const fn number(self) -> i64 {
        self.0
    }
}

/// A statement that records the events of the JSON array `$1` ([`NewEvents::to_json`]) if `$condition` holds. Events that an
/// attempt before has recorded stay as they are.
macro_rules! insert_events_where {
    ($condition:literal) => {
        concat!(
            "INSERT INTO audit_events (at, id, kind, subject, actor, organization_id, client_id, address, detail)
             SELECT at, id, kind, subject, actor, organization_id, client_id, address, detail
             FROM jsonb_to_recordset($1::text::jsonb) AS event (at bigint, id bigint, kind text, subject text, actor text,
                organization_id text, client_id text, address text, detail text)
             WHERE ",
            $condition,
            " ON CONFLICT DO NOTHING"
        )
    };
}
pub(crate) use insert_events_where;

/// Records `event` in the transaction of the change that it is about. Its partition must exist
/// ([`TransactionWork::partition_times`](crate::engine::TransactionWork::partition_times)).
pub(crate) async fn record_event(
    transaction: &Transaction,
    event: &AuditEvent,
    id: EventId,
) -> Result<(), EngineError> {
    let detail = serde_json::to_string(&event.detail).map_err(StorageError::unexpected)?;
    let insert = "INSERT INTO audit_events (at, id, kind, subject, actor, organization_id, client_id, address, detail)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    transaction
        .execute(
            insert,
            &[
                &event.at.as_millis(),
                &id.0,
                &event.kind.name(),
                &event.subject.as_ref().map(SubjectId::as_str),
                &event.actor,
                &event.organization.as_ref().map(OrganizationId::as_str),
                &event.client_id.as_ref().map(ClientId::as_str),
                &event.address,
                &detail,
            ],
        )
        .await?;
    Ok(())
}

/// Whether an attempt before has recorded `event`.
pub(crate) async fn is_recorded(
    transaction: &Transaction,
    event: &AuditEvent,
    id: EventId,
) -> Result<bool, EngineError> {
    let select = "SELECT 1 FROM audit_events WHERE at = $1 AND id = $2";
    let found = transaction
        .row(select, &[&event.at.as_millis(), &id.0])
        .await?;
    Ok(found.is_some())
}

#[async_trait]
impl AuditStore for Postgres {
    async fn record(&self, _event: &AuditEvent) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn record_once(
        &self,
        _event: &AuditEvent,
        _since: Timestamp,
    ) -> Result<(), StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn audit(&self, _query: &Query) -> Result<Vec<RecordedEvent>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
}

#[async_trait]
impl AuditArchiveStore for Postgres {
    async fn archivable_events(
        &self,
        _before: Timestamp,
        _limit: u32,
    ) -> Result<Vec<RecordedEvent>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn record_archive(
        &self,
        _archive: &AuditArchive,
    ) -> Result<ArchiveOutcome, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn audit_archives(&self) -> Result<Vec<AuditArchive>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
    async fn events_from(&self, _id: i64, _limit: u32) -> Result<Vec<RecordedEvent>, StorageError> {
        Err(StorageError::unexpected("not built yet"))
    }
}
