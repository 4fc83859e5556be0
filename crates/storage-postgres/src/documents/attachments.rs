//! The contents of attachments, in parts.

use invoicing_storage::documents::{Action, AttachmentChange, DocumentRow, PART_BYTES};

use crate::engine::{EngineError, Transaction};

const INSERT: &str =
    "INSERT INTO document_attachments (organization_id, document_key, id, part, content)
    SELECT $1, $2, $3, part.number, part.content
    FROM unnest($4::bytea[]) WITH ORDINALITY AS part (content, number)";
const DELETE: &str =
    "DELETE FROM document_attachments WHERE organization_id = $1 AND document_key = $2 AND id = $3";
const DELETE_ALL: &str =
    "DELETE FROM document_attachments WHERE organization_id = $1 AND document_key = $2";
pub(super) const SELECT: &str = "SELECT content FROM document_attachments
    WHERE organization_id = $1 AND document_key = $2 AND id = $3 ORDER BY part";

/// What a change is called in the history.
pub(super) const fn action(change: &AttachmentChange) -> Action {
    match change {
        AttachmentChange::Add { .. } => Action::AttachmentAdded,
        AttachmentChange::Remove { .. } => Action::AttachmentRemoved,
    }
}

/// Stores or removes a content of the document of `row`.
pub(super) async fn change(
    transaction: &Transaction,
    row: &DocumentRow,
    change: &AttachmentChange,
) -> Result<(), EngineError> {
    let organization = row.organization.as_str();
    match change {
        AttachmentChange::Add { id, content } => {
            let parts: Vec<&[u8]> = content.chunks(PART_BYTES).collect();
            let parameters = [&organization as _, &row.key as _, id as _, &parts as _];
            transaction.execute(INSERT, &parameters).await?;
        }
        AttachmentChange::Remove { id } => {
            let parameters = [&organization as _, &row.key as _, id as _];
            transaction.execute(DELETE, &parameters).await?;
        }
    }
    Ok(())
}

/// Removes all contents of the document of `row`. One without attachments costs nothing.
pub(super) async fn remove_all(
    transaction: &Transaction,
    row: &DocumentRow,
) -> Result<(), EngineError> {
    if row.document.attachments.is_empty() {
        return Ok(());
    }
    let organization = row.organization.as_str();
    let parameters = [&organization as _, &row.key as _];
    transaction.execute(DELETE_ALL, &parameters).await?;
    Ok(())
}
