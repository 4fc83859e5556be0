//! The contents of attachments, in parts.

use invoicing_contract::OrganizationId;
use invoicing_storage::documents::{AttachmentChange, DocumentRow, PART_BYTES};
use rusqlite::{Connection, Transaction, params};
use uuid::Uuid;

use crate::engine::EngineError;

/// Stores or removes a content of the document of `row`.
pub(super) fn change(
    transaction: &Transaction<'_>,
    row: &DocumentRow,
    change: &AttachmentChange,
) -> Result<(), EngineError> {
    let (organization, key) = (row.organization.as_str(), row.key.as_bytes());
    match change {
        AttachmentChange::Add { id, content } => {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO document_attachments (organization_id, document_key, id, part, content)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for (part, bytes) in (1_i64..).zip(content.chunks(PART_BYTES)) {
                insert.execute(params![organization, key, id.as_bytes(), part, bytes])?;
            }
        }
        AttachmentChange::Remove { id } => {
            let mut delete = transaction.prepare_cached(
                "DELETE FROM document_attachments WHERE organization_id = ?1 AND document_key = ?2 AND id = ?3",
            )?;
            delete.execute(params![organization, key, id.as_bytes()])?;
        }
    }
    Ok(())
}

/// Removes all contents of the document of `row`.
pub(super) fn remove_all(
    transaction: &Transaction<'_>,
    row: &DocumentRow,
) -> Result<(), EngineError> {
    let mut delete = transaction.prepare_cached(
        "DELETE FROM document_attachments WHERE organization_id = ?1 AND document_key = ?2",
    )?;
    delete.execute(params![row.organization.as_str(), row.key.as_bytes()])?;
    Ok(())
}

/// A content.
pub(super) fn find(
    connection: &Connection,
    organization: &OrganizationId,
    key: Uuid,
    id: Uuid,
) -> Result<Option<Vec<u8>>, EngineError> {
    let mut select = connection.prepare_cached(
        "SELECT content FROM document_attachments WHERE organization_id = ?1 AND document_key = ?2 AND id = ?3
         ORDER BY part",
    )?;
    let key = params![organization.as_str(), key.as_bytes(), id.as_bytes()];
    let parts = select.query_map(key, |row| row.get::<_, Vec<u8>>(0))?;
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    Ok((!parts.is_empty()).then(|| parts.concat()))
}
