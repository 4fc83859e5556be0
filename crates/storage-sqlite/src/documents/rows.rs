//! Rows of documents, their contents and their history.

use invoicing_contract::messages::documents::{Document, Event, Revision};
use invoicing_contract::{ConcurrencyStamp, OrganizationId};
use prost::Message;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, named_params, params};
use uuid::Uuid;

use super::sums::{self, CountedDocument};
use crate::engine::EngineError;
use invoicing_storage::StorageError;
use invoicing_storage::documents::{Action, DocumentRow, PAGE_BYTES};

/// The columns of `documents` that a write can change.
macro_rules! row_columns {
    () => {
        "concurrency_stamp, status, kind, number, number_sort_key, issue_date, due_date, currency, net, tax, gross,
         gross_sort_key, buyer_sort_key, buyer_text_id, updated_at"
    };
}
/// Their parameters.
macro_rules! row_parameters {
    () => {
        ":concurrency_stamp, :status, :kind, :number, :number_sort_key, :issue_date, :due_date, :currency, :net, :tax,
         :gross, :gross_sort_key, :buyer_sort_key, :buyer_text_id, :updated_at"
    };
}
/// The columns of `document_contents` that a write can change.
macro_rules! content_columns {
    () => {
        "supply_date, payable, note, buyer, created, updated, issued, frozen, body"
    };
}
/// Their parameters.
macro_rules! content_parameters {
    () => {
        ":supply_date, :payable, :note, :buyer, :created, :updated, :issued, :frozen, :body"
    };
}

const INSERT_ROW: &str = concat!(
    "INSERT INTO documents (organization_id, key, ",
    row_columns!(),
    ") VALUES (:organization_id, :key, ",
    row_parameters!(),
    ") RETURNING id"
);
const UPDATE_ROW: &str = concat!(
    "UPDATE documents SET (",
    row_columns!(),
    ") = (",
    row_parameters!(),
    ") WHERE organization_id = :organization_id AND key = :key RETURNING id"
);
const INSERT_CONTENT: &str = concat!(
    "INSERT INTO document_contents (id, ",
    content_columns!(),
    ") VALUES (:id, ",
    content_parameters!(),
    ")"
);
const UPDATE_CONTENT: &str = concat!(
    "UPDATE document_contents SET (",
    content_columns!(),
    ") = (",
    content_parameters!(),
    ") WHERE id = :id"
);
/// The body of a document.
pub(super) const SELECT_BODY: &str =
    "SELECT c.body FROM documents d JOIN document_contents c ON c.id = d.id
     WHERE d.organization_id = ?1 AND d.key = ?2";

/// A stored document and the id of its row.
pub(super) struct StoredDocument {
    pub(super) id: i64,
    pub(super) document: Document,
}

/// The document with this key.
pub(super) fn find(
    connection: &Connection,
    organization: &OrganizationId,
    key: Uuid,
) -> Result<Option<StoredDocument>, EngineError> {
    let mut select = connection.prepare_cached(
        "SELECT d.id, c.body FROM documents d JOIN document_contents c ON c.id = d.id
         WHERE d.organization_id = ?1 AND d.key = ?2",
    )?;
    let found = select.query_row(params![organization.as_str(), key.as_bytes()], |row| {
        Ok(StoredDocument {
            id: row.get(0)?,
            document: message(row, 1)?,
        })
    });
    Ok(found.optional()?)
}

/// The document with this key, if it has the stamp `expected`.
pub(super) fn find_expected(
    connection: &Connection,
    organization: &OrganizationId,
    key: Uuid,
    expected: &ConcurrencyStamp,
) -> Result<Option<StoredDocument>, EngineError> {
    let found = find(connection, organization, key)?;
    Ok(found.filter(|found| found.document.concurrency_stamp == expected.as_str()))
}

/// Inserts a document. Sums and history are not written.
pub(super) fn insert(transaction: &Transaction<'_>, row: &DocumentRow) -> Result<(), EngineError> {
    let id = write_row(transaction, INSERT_ROW, row)?;
    write_content(transaction, INSERT_CONTENT, id, row)
}

/// Replaces a stored document: its row, content, sums and history.
pub(super) fn replace(
    transaction: &Transaction<'_>,
    stored: &StoredDocument,
    row: &DocumentRow,
    action: Action,
) -> Result<(), EngineError> {
    let removed = CountedDocument::stored(transaction, stored.id)?;
    let id = write_row(transaction, UPDATE_ROW, row)?;
    write_content(transaction, UPDATE_CONTENT, id, row)?;
    let written = CountedDocument::new(row);
    sums::change(transaction, &row.organization, &[written], &[removed])?;
    insert_revision(transaction, row, action)
}

/// Deletes a stored document and appends the deletion to its history.
pub(super) fn delete(
    transaction: &Transaction<'_>,
    stored: &StoredDocument,
    row: &DocumentRow,
) -> Result<(), EngineError> {
    let removed = CountedDocument::stored(transaction, stored.id)?;
    sums::change(transaction, &row.organization, &[], &[removed])?;
    transaction
        .prepare_cached("DELETE FROM documents WHERE id = ?1")?
        .execute([stored.id])?;
    insert_revision(transaction, row, Action::Deleted)
}

fn write_row(
    transaction: &Transaction<'_>,
    statement: &'static str,
    row: &DocumentRow,
) -> Result<i64, EngineError> {
    let buyer_text_id = buyer_text_id(transaction, &row.organization, &row.buyer_text)?;
    let mut statement = transaction.prepare_cached(statement)?;
    Ok(statement.query_row(
        named_params! {
            ":organization_id": row.organization.as_str(),
            ":key": row.key.as_bytes(),
            ":concurrency_stamp": row.document.concurrency_stamp,
            ":status": row.status as i32,
            ":kind": row.kind as i32,
            ":number": row.number,
            ":number_sort_key": row.number_sort_key,
            ":issue_date": row.issue_date,
            ":due_date": row.due_date,
            ":currency": row.currency.code(),
            ":net": row.net,
            ":tax": row.tax,
            ":gross": row.gross,
            ":gross_sort_key": row.gross_sort_key,
            ":buyer_sort_key": row.buyer_sort_key,
            ":buyer_text_id": buyer_text_id,
            ":updated_at": row.updated_at.as_millis(),
        },
        |row| row.get(0),
    )?)
}

fn write_content(
    transaction: &Transaction<'_>,
    statement: &'static str,
    id: i64,
    row: &DocumentRow,
) -> Result<(), EngineError> {
    let document = &row.document;
    let content = document.content.as_ref();
    let invoice = content.and_then(|content| content.invoice.as_ref());
    let event = |event: &Option<Event>| event.as_ref().map(Message::encode_to_vec);
    transaction
        .prepare_cached(statement)?
        .execute(named_params! {
            ":id": id,
            ":supply_date": invoice.map_or("", |invoice| &invoice.supply_date),
            ":payable": row.payable,
            ":note": invoice.map_or("", |invoice| &invoice.note),
            ":buyer": invoice
                .and_then(|invoice| invoice.buyer.as_ref())
                .map(Message::encode_to_vec),
            ":created": event(&document.created),
            ":updated": event(&document.updated),
            ":issued": event(&document.issued),
            ":frozen": event(&document.frozen),
            ":body": document.encode_to_vec(),
        })?;
    Ok(())
}

/// The id of a text in `buyer_texts`, which is inserted if it is new.
fn buyer_text_id(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    text: &str,
) -> Result<i64, EngineError> {
    let mut select = transaction
        .prepare_cached("SELECT id FROM buyer_texts WHERE organization_id = ?1 AND text = ?2")?;
    let key = params![organization.as_str(), text];
    let known: Option<i64> = select.query_row(key, |row| row.get(0)).optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    let mut insert = transaction
        .prepare_cached("INSERT INTO buyer_texts (organization_id, text) VALUES (?1, ?2)")?;
    Ok(insert.insert(key)?)
}

/// Appends a write to the history of its document.
pub(super) fn insert_revision(
    transaction: &Transaction<'_>,
    row: &DocumentRow,
    action: Action,
) -> Result<(), EngineError> {
    let author = row.document.updated.clone().unwrap_or_default();
    let mut insert = transaction.prepare_cached(
        "INSERT INTO document_history (organization_id, key, action, at, subject, subject_name, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    insert.execute(params![
        row.organization.as_str(),
        row.key.as_bytes(),
        action.name(),
        row.updated_at.as_millis(),
        author.by,
        author.by_name,
        row.document.encode_to_vec(),
    ])?;
    Ok(())
}

/// The latest `limit` writes to a document, or those before the one with the number `before`, newest first, until they reach
/// [`PAGE_BYTES`]. Writes are only ever added, so that the number of one is the count of those up to it.
pub(super) fn history(
    connection: &Connection,
    organization: &OrganizationId,
    key: Uuid,
    before: Option<i32>,
    limit: u32,
) -> Result<Vec<Revision>, EngineError> {
    let mut count = connection.prepare_cached(
        "SELECT count(*) FROM document_history WHERE organization_id = ?1 AND key = ?2",
    )?;
    let count: i32 = count.query_one((organization.as_str(), key.as_bytes()), |row| row.get(0))?;
    let latest = before.map_or(count, |before| count.min(before.saturating_sub(1)));
    let mut select = connection.prepare_cached(
        "SELECT action, body FROM document_history
         WHERE organization_id = ?1 AND key = ?2 ORDER BY id DESC LIMIT ?3 OFFSET ?4",
    )?;
    let mut numbers = (1..=latest).rev();
    let mut rows = select.query_map(
        params![organization.as_str(), key.as_bytes(), limit, count - latest],
        |row| {
            let bytes = row.get_ref(1)?.as_blob()?;
            let document: Document = decode(bytes)?;
            let revision = Revision {
                action: row.get(0)?,
                // Every write stores in the document who made it.
                event: document.updated.clone(),
                document: Some(document),
                number: numbers.next().unwrap_or_default(),
            };
            Ok((revision, bytes.len()))
        },
    )?;
    let mut revisions = Vec::new();
    let mut bytes = 0;
    while bytes < PAGE_BYTES
        && let Some(row) = rows.next()
    {
        let (revision, size) = row?;
        revisions.push(revision);
        bytes += size;
    }
    Ok(revisions)
}

/// A protobuf message in a column.
fn message<M: Message + Default>(row: &Row<'_>, column: usize) -> rusqlite::Result<M> {
    decode(row.get_ref(column)?.as_blob()?)
}

/// A protobuf message from its bytes.
pub(super) fn decode<M: Message + Default>(bytes: &[u8]) -> rusqlite::Result<M> {
    M::decode(bytes)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Blob, Box::new(error)))
}

/// The error of a document without content.
pub(super) fn missing_content() -> EngineError {
    StorageError::corrupt("a document without content").into()
}
