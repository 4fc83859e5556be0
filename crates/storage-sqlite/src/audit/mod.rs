//! [`AuditStore`] on SQLite; archives in a module.

mod archives;

use async_trait::async_trait;
use invoicing_contract::{ClientId, OrganizationId, SubjectId, Timestamp};
use rusqlite::types::Type;
use rusqlite::{CachedStatement, Connection, Row, params};

use crate::Sqlite;
use crate::engine::{EngineError, Statement, invalid_value, optional_identifier, timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::{AuditEvent, AuditEventKind, AuditStore, Query, RecordedEvent};

/// The columns of an event, as [`insert`] writes and [`recorded`] reads them.
macro_rules! columns {
    () => {
        "at, kind, subject, actor, organization_id, client_id, address, detail"
    };
}
use columns;

/// Inserts an event, for [`insert`].
pub(crate) const INSERT: &str = concat!(
    "INSERT INTO audit_events (",
    columns!(),
    ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
);

const SELECT: &str = concat!("SELECT id, ", columns!(), " FROM audit_events WHERE ");

/// The numbers of the blocks of 256 events, by which the indexes of subject and organization are partitioned.
const BLOCKS: &str = "WITH RECURSIVE blocks (block) AS
    (SELECT max(id) >> 8 FROM audit_events UNION ALL
     SELECT block - 1 FROM blocks WHERE block > (SELECT min(id) >> 8 FROM audit_events)) ";

const NEWEST_FIRST: &str = " ORDER BY at DESC, id DESC";

#[async_trait]
impl AuditStore for Sqlite {
    async fn record(&self, event: &AuditEvent) -> Result<(), StorageError> {
        let event = event.clone();
        self.engine()
            .write(move |transaction| record_event(transaction, &event))
            .await
    }

    async fn record_once(&self, event: &AuditEvent, since: Timestamp) -> Result<(), StorageError> {
        let event = event.clone();
        self.engine()
            .write(move |transaction| {
                let mut exists = transaction.prepare_cached(
                    "SELECT 1 FROM audit_events
                     WHERE kind = ?1 AND kind <> 'token_issued' AND at > ?2 AND at <= ?5 AND subject IS ?3 AND address IS ?4",
                )?;
                let subject = event.subject.as_ref().map(SubjectId::as_str);
                let key = params![
                    event.kind.name(),
                    since.as_millis(),
                    subject,
                    event.address,
                    event.at.as_millis()
                ];
                if exists.exists(key)? {
                    return Ok(());
                }
                record_event(transaction, &event)
            })
            .await
    }

    async fn audit(&self, query: &Query) -> Result<Vec<RecordedEvent>, StorageError> {
        let query = query.clone();
        self.engine()
            .read(move |connection| select(&query).all(connection, recorded))
            .await
    }
}

fn select(query: &Query) -> Statement {
    // The index is named, because SQLite would choose one that visits every event.
    let index = match (&query.subject, &query.organization) {
        (Some(_), _) => Some("audit_events_subject"),
        (None, Some(_)) => Some("audit_events_organization"),
        (None, None) => None,
    };
    let mut statement = Statement::new("");
    match (index, &query.person) {
        (Some(index), _) => statement
            .push(BLOCKS)
            .push(SELECT)
            .push("id IN (SELECT id FROM blocks CROSS JOIN audit_events INDEXED BY ")
            .push(index)
            .push(" ON id >> 8 = block WHERE TRUE"),
        (None, Some(person)) => statement
            .push(BLOCKS)
            .push(SELECT)
            .push(
                "id IN (SELECT id FROM blocks CROSS JOIN audit_events INDEXED BY audit_events_subject
                    ON id >> 8 = block WHERE subject = ",
            )
            .bind(person.as_str())
            .push(
                " UNION ALL SELECT id FROM audit_events INDEXED BY audit_events_actor WHERE actor = ",
            )
            .bind(person.as_str())
            .push(")"),
        (None, None) => statement.push(SELECT).push("TRUE"),
    };
    push_conditions(&mut statement, query);
    statement
        .push(NEWEST_FIRST)
        .push(" LIMIT ")
        .bind(i64::from(query.size));
    if index.is_some() {
        statement.push(")").push(NEWEST_FIRST);
    }
    statement
}

fn push_conditions(statement: &mut Statement, query: &Query) {
    let texts = [
        (
            " AND subject = ",
            query.subject.as_ref().map(SubjectId::as_str),
        ),
        (" AND actor = ", query.actor.as_deref()),
        (
            " AND organization_id = ",
            query.organization.as_ref().map(OrganizationId::as_str),
        ),
        (
            " AND client_id = ",
            query.client_id.as_ref().map(ClientId::as_str),
        ),
        (
            // Issued tokens have none, and the indexes without them are a hundredth as large.
            " AND kind <> 'token_issued' AND detail ->> '$.correlation_id' = ",
            query.correlation_id.as_deref(),
        ),
    ];
    for (condition, value) in texts {
        if let Some(value) = value {
            statement.push(condition).bind(value);
        }
    }
    if let Some(person) = &query.person {
        statement.push(" AND (subject = ").bind(person.as_str());
        statement
            .push(" OR actor = ")
            .bind(person.as_str())
            .push(")");
    }
    if !query.kinds.is_empty() {
        match &*query.kinds {
            // The index of kinds then has the order of the result.
            [kind] => statement.push(" AND kind = ").bind(kind.name()),
            kinds => statement
                .push(" AND kind IN ")
                .bind_rows(kinds.iter().map(|kind| kind.name())),
        };
        if !query.kinds.contains(&AuditEventKind::TokenIssued) {
            // The condition of the index of all other kinds.
            statement.push(" AND kind <> 'token_issued'");
        }
    }
    for (condition, bound) in [(" AND at >= ", query.from), (" AND at < ", query.to)] {
        if let Some(bound) = bound {
            statement.push(condition).bind(bound);
        }
    }
    if let Some((at, id)) = query.after {
        statement.push(" AND (at, id) < (").bind(at).push(", ");
        statement.bind(id).push(")");
    }
}

/// Records `event` in the transaction of the change that it is about.
pub(crate) fn record_event(connection: &Connection, event: &AuditEvent) -> Result<(), EngineError> {
    insert(&mut connection.prepare_cached(INSERT)?, event)
}

/// Runs `statement`, which is prepared from [`INSERT`].
pub(crate) fn insert(
    statement: &mut CachedStatement<'_>,
    event: &AuditEvent,
) -> Result<(), EngineError> {
    let detail = serde_json::to_string(&event.detail).map_err(StorageError::unexpected)?;
    statement.execute(params![
        event.at.as_millis(),
        event.kind.name(),
        event.subject.as_ref().map(SubjectId::as_str),
        event.actor,
        event.organization.as_ref().map(OrganizationId::as_str),
        event.client_id.as_ref().map(ClientId::as_str),
        event.address,
        detail
    ])?;
    Ok(())
}

fn recorded(row: &Row<'_>) -> rusqlite::Result<RecordedEvent> {
    let kind = row.get_ref("kind")?.as_str()?;
    let detail = row.get_ref("detail")?.as_str()?;
    Ok(RecordedEvent {
        id: row.get("id")?,
        event: AuditEvent {
            at: timestamp(row, "at")?,
            kind: AuditEventKind::named(kind)
                .ok_or_else(|| invalid_value(kind, "kind of audit event"))?,
            subject: optional_identifier(row, "subject")?,
            actor: row.get("actor")?,
            organization: optional_identifier(row, "organization_id")?,
            client_id: optional_identifier(row, "client_id")?,
            address: row.get("address")?,
            detail: serde_json::from_str(detail).map_err(|error| {
                rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error))
            })?,
        },
    })
}
