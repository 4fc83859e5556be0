//! [`MasterDataStore`] on SQLite.

use async_trait::async_trait;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use uuid::Uuid;

use crate::Sqlite;
use crate::audit::record_event;
use crate::engine::{EngineError, Statement, TransactionEnd, timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::master_data::{
    MasterDataKind, MasterDataQuery, MasterDataStore, MasterRecord, MasterRevision, MasterWrite,
    MasterWriteOutcome,
};

/// The columns that [`write_record`] writes and [`record`] reads.
macro_rules! columns {
    () => {
        "organization_id, kind, key, concurrency_stamp, archived, identifier, search_text, last_used_at, body"
    };
}

const INSERT: &str = concat!(
    "INSERT INTO master_records (",
    columns!(),
    ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
);
const UPDATE: &str = "UPDATE master_records SET concurrency_stamp = ?4, archived = ?5, identifier = ?6, search_text = ?7,
         last_used_at = ?8, body = ?9
     WHERE organization_id = ?1 AND kind = ?2 AND key = ?3";
const SELECT: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM master_records WHERE organization_id = ?1 AND kind = ?2 AND key = ?3"
);
const SELECT_IDENTIFIED: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM master_records WHERE organization_id = ?1 AND kind = ?2 AND identifier = ?3"
);
const INSERT_REVISION: &str =
    "INSERT INTO master_record_history (organization_id, kind, key, revision, action, body)
     VALUES (?1, ?2, ?3, 1 + coalesce((SELECT max(revision) FROM master_record_history
         WHERE organization_id = ?1 AND kind = ?2 AND key = ?3), 0), ?4, ?5)";

#[async_trait]
impl MasterDataStore for Sqlite {
    async fn master_record(
        &self,
        organization: &OrganizationId,
        kind: MasterDataKind,
        key: Uuid,
    ) -> Result<Option<MasterRecord>, StorageError> {
        let organization = organization.clone();
        self.engine()
            .read(move |connection| find(connection, &organization, kind, key))
            .await
    }

    async fn master_record_identified(
        &self,
        organization: &OrganizationId,
        kind: MasterDataKind,
        identifier: &str,
    ) -> Result<Option<MasterRecord>, StorageError> {
        let (organization, identifier) = (organization.clone(), identifier.to_owned());
        self.engine()
            .read(move |connection| identified(connection, &organization, kind, &identifier))
            .await
    }

    async fn add_master_record(
        &self,
        write: MasterWrite<'_>,
    ) -> Result<MasterWriteOutcome, StorageError> {
        let (record, event) = (write.record.clone(), write.event.clone());
        self.engine()
            .transact(move |transaction| {
                let known = find(transaction, &record.organization, record.kind, record.key)?;
                if known.is_some() {
                    return Ok(TransactionEnd::Rollback(MasterWriteOutcome::KeyTaken));
                }
                write_record(transaction, INSERT, &record, &event)
            })
            .await
    }

    async fn replace_master_record(
        &self,
        write: MasterWrite<'_>,
        expected: &ConcurrencyStamp,
    ) -> Result<MasterWriteOutcome, StorageError> {
        let (record, event) = (write.record.clone(), write.event.clone());
        let expected = expected.clone();
        self.engine()
            .transact(move |transaction| {
                let stored = find(transaction, &record.organization, record.kind, record.key)?;
                if stored.is_none_or(|stored| stored.concurrency_stamp != expected) {
                    return Ok(TransactionEnd::Rollback(MasterWriteOutcome::Stale));
                }
                write_record(transaction, UPDATE, &record, &event)
            })
            .await
    }

    async fn use_master_record(
        &self,
        organization: &OrganizationId,
        kind: MasterDataKind,
        key: Uuid,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let organization = organization.clone();
        self.engine()
            .write(move |transaction| {
                let update = "UPDATE master_records SET last_used_at = ?4
                     WHERE organization_id = ?1 AND kind = ?2 AND key = ?3 AND last_used_at < ?4";
                transaction.prepare_cached(update)?.execute(params![
                    organization.as_str(),
                    kind.number(),
                    key.as_bytes(),
                    at.as_millis()
                ])?;
                Ok(())
            })
            .await
    }

    async fn master_record_history(
        &self,
        organization: &OrganizationId,
        kind: MasterDataKind,
        key: Uuid,
        before: Option<i32>,
        limit: u32,
    ) -> Result<Vec<MasterRevision>, StorageError> {
        let organization = organization.clone();
        self.engine()
            .read(move |connection| {
                let mut select = connection.prepare_cached(
                    "SELECT revision, action, body FROM master_record_history
                     WHERE organization_id = ?1 AND kind = ?2 AND key = ?3 AND revision < ?4
                     ORDER BY revision DESC LIMIT ?5",
                )?;
                let parameters = params![
                    organization.as_str(),
                    kind.number(),
                    key.as_bytes(),
                    before.unwrap_or(i32::MAX),
                    limit
                ];
                let revisions = select.query_map(parameters, |row| {
                    Ok(MasterRevision {
                        number: row.get(0)?,
                        action: row.get(1)?,
                        body: row.get(2)?,
                    })
                })?;
                Ok(revisions.collect::<Result<_, _>>()?)
            })
            .await
    }

    async fn master_records(
        &self,
        query: &MasterDataQuery,
    ) -> Result<Vec<MasterRecord>, StorageError> {
        let query = query.clone();
        self.engine()
            .read(move |connection| {
                page(&query).all(connection, |row| {
                    record(row, &query.organization, query.kind)
                })
            })
            .await
    }
}

fn find(
    connection: &Connection,
    organization: &OrganizationId,
    kind: MasterDataKind,
    key: Uuid,
) -> Result<Option<MasterRecord>, EngineError> {
    let mut select = connection.prepare_cached(SELECT)?;
    let found = select.query_row(
        params![organization.as_str(), kind.number(), key.as_bytes()],
        |row| record(row, organization, kind),
    );
    Ok(found.optional()?)
}

fn identified(
    connection: &Connection,
    organization: &OrganizationId,
    kind: MasterDataKind,
    identifier: &str,
) -> Result<Option<MasterRecord>, EngineError> {
    let mut select = connection.prepare_cached(SELECT_IDENTIFIED)?;
    let found = select.query_row(
        params![organization.as_str(), kind.number(), identifier],
        |row| record(row, organization, kind),
    );
    Ok(found.optional()?)
}

/// Writes a record with its revision and event, unless another record has its identifier.
fn write_record(
    transaction: &Transaction<'_>,
    statement: &'static str,
    record: &MasterRecord,
    event: &AuditEvent,
) -> Result<TransactionEnd<MasterWriteOutcome>, EngineError> {
    if let Some(identifier) = &record.identifier {
        let other = identified(transaction, &record.organization, record.kind, identifier)?;
        if let Some(other) = other.filter(|other| other.key != record.key) {
            let taken = MasterWriteOutcome::IdentifierTaken(other.key);
            return Ok(TransactionEnd::Rollback(taken));
        }
    }
    let (organization, kind) = (record.organization.as_str(), record.kind.number());
    transaction.prepare_cached(statement)?.execute(params![
        organization,
        kind,
        record.key.as_bytes(),
        record.concurrency_stamp.as_str(),
        record.archived,
        record.identifier,
        record.search_text,
        record.last_used_at.as_millis(),
        record.body,
    ])?;
    let action = MasterWrite { record, event }.action().to_owned();
    let revision = params![
        organization,
        kind,
        record.key.as_bytes(),
        action,
        record.body
    ];
    transaction
        .prepare_cached(INSERT_REVISION)?
        .execute(revision)?;
    record_event(transaction, event)?;
    Ok(TransactionEnd::Commit(MasterWriteOutcome::Stored))
}

/// The keys of the page come from the index alone, and the records by key.
fn page(query: &MasterDataQuery) -> Statement {
    let mut statement = Statement::new(concat!(
        "SELECT ",
        columns!(),
        " FROM master_records WHERE rowid IN (SELECT rowid FROM master_records INDEXED BY master_records_last_use
             WHERE organization_id = "
    ));
    statement
        .bind(query.organization.as_str())
        .push(" AND kind = ")
        .bind(query.kind.number());
    if let Some(archived) = query.archived {
        statement.push(" AND archived = ").bind(i32::from(archived));
    }
    if let Some((at, key)) = query.after {
        statement
            .push(" AND (last_used_at, key) < (")
            .bind(at)
            .push(", ")
            .bind(rusqlite::types::Value::Blob(key.as_bytes().to_vec()))
            .push(")");
    }
    for word in &query.words {
        statement
            .push(" AND instr(search_text, ")
            .bind(&*format!(" {word}"))
            .push(") > 0");
    }
    statement
        .push(" ORDER BY last_used_at DESC, key DESC LIMIT ")
        .bind(i64::from(query.size))
        .push(") ORDER BY last_used_at DESC, key DESC");
    statement
}

fn record(
    row: &Row<'_>,
    organization: &OrganizationId,
    kind: MasterDataKind,
) -> rusqlite::Result<MasterRecord> {
    Ok(MasterRecord {
        organization: organization.clone(),
        kind,
        key: crate::values::key(row, "key")?,
        concurrency_stamp: row.get::<_, String>("concurrency_stamp")?.into(),
        archived: row.get("archived")?,
        identifier: row.get("identifier")?,
        search_text: row.get("search_text")?,
        last_used_at: timestamp(row, "last_used_at")?,
        body: row.get("body")?,
    })
}
