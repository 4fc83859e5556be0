//! The documents that numbered debit notes name as preceding.

use invoicing_contract::OrganizationId;
use invoicing_storage::documents::{DocumentRow, debited_documents};
use uuid::Uuid;

use crate::engine::{EngineError, Transaction};

/// What [`invoicing_storage::documents::DocumentStore::debit_notes`] answers.
pub(super) const SELECT: &str = "SELECT note FROM document_debits
     WHERE organization_id = $1 AND original = $2 ORDER BY note LIMIT $3";
const INSERT: &str = "INSERT INTO document_debits (organization_id, original, note)
     SELECT $1, debit.* FROM unnest($2::uuid[], $3::uuid[]) AS debit (original, note)
     ON CONFLICT (organization_id, original, note) DO NOTHING";
const DELETE: &str = "DELETE FROM document_debits WHERE organization_id = $1 AND note = $2";

/// Stores which documents numbered debit notes of one organization name.
pub(super) async fn insert(
    transaction: &Transaction,
    rows: &[&DocumentRow],
) -> Result<(), EngineError> {
    let (mut originals, mut notes) = (Vec::new(), Vec::new());
    for note in rows {
        for original in debited_documents(note) {
            originals.push(original);
            notes.push(note.key);
        }
    }
    let Some(first) = rows.first().filter(|_| !notes.is_empty()) else {
        return Ok(());
    };
    let organization = first.organization.as_str();
    transaction
        .execute(INSERT, &[&organization, &originals, &notes])
        .await?;
    Ok(())
}

/// Removes what a note named, before it is numbered again with another content.
pub(super) async fn delete(
    transaction: &Transaction,
    organization: &OrganizationId,
    note: Uuid,
) -> Result<(), EngineError> {
    transaction
        .execute(DELETE, &[&organization.as_str(), &note])
        .await?;
    Ok(())
}
