//! The documents that numbered debit notes name as preceding.

use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Document;
use invoicing_storage::documents::{DocumentRow, debited_by_note, debited_documents};
use uuid::Uuid;

use super::rows::message;
use crate::engine::{EngineError, Parameter, Transaction};

/// What [`invoicing_storage::documents::DocumentStore::debit_notes`] answers.
pub(super) const SELECT: &str = "SELECT note FROM document_debits
     WHERE organization_id = $1 AND original = $2 ORDER BY note LIMIT $3";
const INSERT: &str = "INSERT INTO document_debits (organization_id, original, note)
     SELECT $1, debit.* FROM unnest($2::uuid[], $3::uuid[]) AS debit (original, note)
     ON CONFLICT (organization_id, original, note) DO NOTHING";
const DELETE: &str = "DELETE FROM document_debits WHERE organization_id = $1 AND note = $2";
/// Numbered debit notes of which nothing is stored. Nobody changes them until the end of the transaction.
const SELECT_UNLISTED: &str = "SELECT d.key, d.body FROM documents d
     WHERE d.organization_id = $1 AND d.key = ANY ($2) AND d.kind = 3 AND d.number <> ''
         AND NOT EXISTS (SELECT FROM document_debits n WHERE n.organization_id = $1 AND n.note = d.key)
     ORDER BY d.key FOR SHARE OF d";

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
    let Some(first) = rows.first() else {
        return Ok(());
    };
    insert_pairs(transaction, &first.organization, &originals, &notes).await
}

/// Stores which documents numbered debit notes name that a program before the migration of the table has numbered after it.
pub(super) async fn derive(
    transaction: &Transaction,
    organization: &OrganizationId,
    documents: &[Uuid],
) -> Result<(), EngineError> {
    let parameters: [Parameter<'_>; 2] = [&organization.as_str(), &documents];
    let rows = transaction.rows(SELECT_UNLISTED, &parameters).await?;
    let (mut originals, mut notes) = (Vec::new(), Vec::new());
    for row in &rows {
        let note: Uuid = row.try_get("key")?;
        for original in debited_by_note(&message::<Document>(row, "body")?) {
            originals.push(original);
            notes.push(note);
        }
    }
    insert_pairs(transaction, organization, &originals, &notes).await
}

/// Stores the pairs of documents at the same positions.
async fn insert_pairs(
    transaction: &Transaction,
    organization: &OrganizationId,
    originals: &[Uuid],
    notes: &[Uuid],
) -> Result<(), EngineError> {
    if !notes.is_empty() {
        let pairs: [Parameter<'_>; 3] = [&organization.as_str(), &originals, &notes];
        transaction.execute(INSERT, &pairs).await?;
    }
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
