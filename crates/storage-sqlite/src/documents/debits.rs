//! The documents that numbered debit notes name as preceding.

use invoicing_contract::OrganizationId;
use invoicing_storage::documents::{DocumentRow, debited_documents};
use rusqlite::{Connection, Transaction, params};
use uuid::Uuid;

use crate::engine::EngineError;
use crate::values::uuid;

/// What [`invoicing_storage::documents::DocumentStore::debit_notes`] answers.
pub(super) fn notes(
    connection: &Connection,
    organization: &OrganizationId,
    original: Uuid,
    limit: u32,
) -> Result<Vec<Uuid>, EngineError> {
    let mut select = connection.prepare_cached(
        "SELECT note FROM document_debits WHERE organization_id = ?1 AND original = ?2 ORDER BY note LIMIT ?3",
    )?;
    let parameters = params![organization.as_str(), original.as_bytes(), limit];
    let notes = select.query_map(parameters, |row| uuid(row.get_ref(0)?.as_blob()?))?;
    Ok(notes.collect::<Result<_, _>>()?)
}

/// Stores which documents numbered debit notes name.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    rows: &[DocumentRow],
) -> Result<(), EngineError> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO document_debits (organization_id, original, note) VALUES (?1, ?2, ?3)",
    )?;
    for note in rows {
        for original in debited_documents(note) {
            insert.execute(params![
                note.organization.as_str(),
                original.as_bytes(),
                note.key.as_bytes()
            ])?;
        }
    }
    Ok(())
}

/// Removes what a note named, before it is numbered again with another content.
pub(super) fn delete(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    note: Uuid,
) -> Result<(), EngineError> {
    transaction
        .prepare_cached("DELETE FROM document_debits WHERE organization_id = ?1 AND note = ?2")?
        .execute(params![organization.as_str(), note.as_bytes()])?;
    Ok(())
}
