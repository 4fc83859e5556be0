//! The documents that numbered credit notes correct, found transitively across notes that correct several.

use std::collections::BTreeSet;

use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Kind;
use rusqlite::{Connection, Row, Transaction, params};
use uuid::Uuid;

use crate::engine::{EngineError, Statement};
use crate::payments::give_back;
use crate::values::{currency, key, money, uuid};
use invoicing_storage::documents::{CreditRelations, DocumentRow, corrected_documents};
use invoicing_storage::payments::TakenOff;

/// The originals, the notes that correct them, the other originals of those notes, and so on. Each document is followed once, so
/// that many notes of many originals take time by their number and not by its square.
pub(super) fn relations(
    connection: &Connection,
    organization: &OrganizationId,
    originals: &BTreeSet<Uuid>,
) -> Result<CreditRelations, EngineError> {
    let mut relations = CreditRelations::default();
    if originals.is_empty() {
        return Ok(relations);
    }
    let mut statement =
        Statement::new("WITH RECURSIVE connected (key, is_note) AS (SELECT unhex(value), 0 FROM ");
    statement
        .bind_rows(originals.iter().map(|key| key.simple().to_string()))
        .push(
            " UNION SELECT c.note, 1 FROM connected
                JOIN document_credits c ON NOT is_note AND c.original = connected.key AND c.organization_id = ",
        )
        .bind(organization.as_str())
        .push(
            " UNION SELECT c.original, 0 FROM connected
                JOIN document_credits c ON is_note AND c.note = connected.key AND c.organization_id = ",
        )
        .bind(organization.as_str())
        .push(
            "), originals AS (SELECT key FROM connected WHERE NOT is_note)
             SELECT originals.key AS original, o.currency AS original_currency, o.gross AS original_gross,
                coalesce(o.status = 1, 0) AS is_draft, coalesce(o.status = 4, 0) AS is_rejected, coalesce(o.kind = 2, 0) AS is_credit_note,
                c.note, n.currency AS note_currency, n.gross AS note_gross
             FROM originals
                LEFT JOIN documents o ON o.key = originals.key AND o.organization_id = ",
        )
        .bind(organization.as_str())
        .push(" LEFT JOIN document_credits c ON c.original = originals.key AND c.organization_id = ")
        .bind(organization.as_str())
        .push(" LEFT JOIN documents n ON n.key = c.note AND n.organization_id = ")
        .bind(organization.as_str());
    statement.for_each(connection, |row| {
        let original = key(row, "original")?;
        let gross = gross(row, ["original_currency", "original_gross"])?;
        relations.originals.insert(original, gross);
        if row.get("is_draft")? {
            relations.drafts.insert(original);
        }
        if row.get("is_rejected")? {
            relations.rejected.insert(original);
        }
        if row.get("is_credit_note")? {
            relations.credit_notes.insert(original);
        }
        let note = row.get_ref("note")?.as_blob_or_null()?;
        if let Some((note, gross)) = note.zip(self::gross(row, ["note_currency", "note_gross"])?) {
            let note = relations.notes.entry(uuid(note)?);
            note.or_insert((gross, BTreeSet::new())).1.insert(original);
        }
        Ok(())
    })?;
    Ok(relations)
}

/// The gross amount of a joined document; `None` if there is none.
fn gross(row: &Row<'_>, [code, minor]: [&str; 2]) -> rusqlite::Result<Option<invoice::Money>> {
    let Some(code) = row.get_ref(code)?.as_str_or_null()? else {
        return Ok(None);
    };
    money(row.get(minor)?, currency(code)?).map(Some)
}

/// Removes what a credit note corrected, before it is numbered again with another content, and gives back what it took off.
pub(super) fn delete(
    transaction: &Transaction<'_>,
    organization: &OrganizationId,
    note: Uuid,
) -> Result<(), EngineError> {
    give_back(transaction, organization, note)?;
    transaction
        .prepare_cached("DELETE FROM document_credits WHERE organization_id = ?1 AND note = ?2")?
        .execute(params![organization.as_str(), note.as_bytes()])?;
    Ok(())
}

/// Stores which documents numbered credit notes correct, and what they took off. Other documents correct none.
pub(super) fn insert(
    transaction: &Transaction<'_>,
    rows: &[DocumentRow],
    taken_off: &TakenOff,
) -> Result<(), EngineError> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO document_credits (organization_id, original, note, taken_off) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (organization_id, original, note) DO NOTHING",
    )?;
    for note in rows {
        if note.kind != Kind::CreditNote || note.number.is_empty() {
            continue;
        }
        for original in corrected_documents(&note.document) {
            insert.execute(params![
                note.organization.as_str(),
                original.as_bytes(),
                note.key.as_bytes(),
                taken_off
                    .get(&(original, note.key))
                    .copied()
                    .unwrap_or_default(),
            ])?;
        }
    }
    Ok(())
}
