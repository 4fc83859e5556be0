//! [`AuditStore`] on PostgreSQL; archives in a module.

mod archives;
mod new_events;
mod query;
mod record_once;
#[cfg(test)]
mod tests;

pub(crate) use self::new_events::NewEvents;

use async_trait::async_trait;
use invoicing_contract::{ClientId, OrganizationId, SubjectId, Timestamp};
use invoicing_storage::audit::{AuditEvent, AuditEventKind, AuditStore, Query, RecordedEvent};
use invoicing_storage::{Rng, StorageError};
use tokio_postgres::Row;

use self::record_once::RecordOnce;
use crate::Postgres;
use crate::engine::{
    EngineError, Transaction, TransactionEnd, TransactionWork, invalid_value, optional_identifier,
    timestamp,
};

/// The columns of an event, as [`record_event`] writes and [`recorded`] reads them.
macro_rules! columns {
    () => {
        "kind, subject, actor, organization_id, client_id, address, detail"
    };
}
use columns;

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

/// A statement that records the events of the JSON array `$1` ([`NewEvents::to_json`]) for which `$condition` holds, in which
/// `event.position` counts from 1. Events that an attempt before has recorded stay as they are.
macro_rules! insert_events_where {
    ($condition:literal) => {
        concat!(
            "INSERT INTO audit_events (at, id, kind, subject, actor, organization_id, client_id, address, detail)
             SELECT at, id, kind, subject, actor, organization_id, client_id, address, detail
             FROM ROWS FROM (jsonb_to_recordset($1::text::jsonb) AS (at bigint, id bigint, kind text, subject text, actor text,
                organization_id text, client_id text, address text, detail text)) WITH ORDINALITY
                AS event (at, id, kind, subject, actor, organization_id, client_id, address, detail, position)
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
    let insert = concat!(
        "INSERT INTO audit_events (at, id, ",
        columns!(),
        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    );
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
    let select = "SELECT 1 WHERE is_event_recorded($1, $2)";
    let found = transaction
        .row(select, &[&event.at.as_millis(), &id.0])
        .await?;
    Ok(found.is_some())
}

/// An event of no other write.
struct Record<'a> {
    event: &'a AuditEvent,
    id: EventId,
}

#[async_trait]
impl TransactionWork for Record<'_> {
    type Output = ();

    fn partition_times(&self) -> Vec<Timestamp> {
        vec![self.event.at]
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<()>, EngineError> {
        if is_recorded(transaction, self.event, self.id).await? {
            return Ok(TransactionEnd::Rollback(()));
        }
        record_event(transaction, self.event, self.id).await?;
        Ok(TransactionEnd::Commit(()))
    }
}

#[async_trait]
impl AuditStore for Postgres {
    async fn record(&self, event: &AuditEvent) -> Result<(), StorageError> {
        let engine = self.engine();
        let id = EventId::random(engine.rng());
        engine.write(&Record { event, id }).await
    }

    async fn record_once(&self, event: &AuditEvent, since: Timestamp) -> Result<(), StorageError> {
        let engine = self.engine();
        engine
            .write(&RecordOnce::new(event, since, engine.rng()))
            .await
    }

    async fn audit(&self, query: &Query) -> Result<Vec<RecordedEvent>, StorageError> {
        let rows = query::rows(self.engine(), query).await?;
        let events = rows.iter().map(recorded).collect::<Result<_, _>>();
        Ok(events?)
    }
}

/// The event of a row with `at`, the columns, and the id that the caller gets in `id`.
fn recorded(row: &Row) -> Result<RecordedEvent, EngineError> {
    let kind: &str = row.try_get("kind")?;
    let detail: &str = row.try_get("detail")?;
    Ok(RecordedEvent {
        id: row.try_get("id")?,
        event: AuditEvent {
            at: timestamp(row, "at")?,
            kind: AuditEventKind::named(kind)
                .ok_or_else(|| invalid_value(kind, "kind of audit event"))?,
            subject: optional_identifier(row, "subject")?,
            actor: row.try_get("actor")?,
            organization: optional_identifier(row, "organization_id")?,
            client_id: optional_identifier(row, "client_id")?,
            address: row.try_get("address")?,
            detail: serde_json::from_str(detail).map_err(StorageError::corrupt)?,
        },
    })
}
