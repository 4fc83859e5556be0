//! The documents that numbered credit notes correct, found transitively across notes that correct several.

use std::collections::BTreeSet;

use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Kind;
use rusqlite::{Connection, Row, Transaction, params};
use uuid::Uuid;

use crate::engine::{EngineError, Statement};
use crate::payments::give_back;
use crate::values::{currency, key, money, uuid};
use invoicing_storage::documents::{
    CreditRelations, DocumentRow, MAX_CONNECTED, corrected_documents,
};
use invoicing_storage::payments::TakenOff;

/// The originals, the notes that correct them, the other originals of those notes, and so on. Each document is followed once, so
/// that many notes of many originals take time by their number and not by its square. Without ORDER BY the rows of a recursive
/// query are followed in the order in which they were found: the nearest documents are among the first.
pub(super) fn relations(
    connection: &Connection,
    organization: &OrganizationId,
    originals: &BTreeSet<Uuid>,
) -> Result<CreditRelations, EngineError> {
    let mut relations = CreditRelations::default();
    if originals.is_empty() {
        return Ok(relations);
    }
    let statement = select_relations(organization, originals);
    let mut read = BTreeSet::new();
    statement.for_each(connection, |row| {
        let document = key(row, "key")?;
        let is_note: bool = row.get("is_note")?;
        read.insert((document, is_note));
        let gross = gross(row)?;
        if is_note {
            let original = row.get_ref("original")?.as_blob_or_null()?;
            if let Some((gross, original)) = gross.zip(original) {
                let note = relations.notes.entry(document);
                let note = note.or_insert((gross, BTreeSet::new()));
                note.1.insert(uuid(original)?);
            }
            return Ok(());
        }
        relations.originals.insert(document, gross);
        if row.get("is_draft")? {
            relations.drafts.insert(document);
        }
        if row.get("is_rejected")? {
            relations.rejected.insert(document);
        }
        if row.get("is_credit_note")? {
            relations.credit_notes.insert(document);
        }
        Ok(())
    })?;
    relations.mark_unread_notes(originals, read.len());
    Ok(relations)
}

/// The rows that [`relations`] reads: one for each original, and one for each original of each note. Without statistics SQLite would
/// read the credits of the whole organization in each step: CROSS JOIN keeps the order of the tables, and INDEXED BY the index that
/// has not all columns.
pub(super) fn select_relations(
    organization: &OrganizationId,
    originals: &BTreeSet<Uuid>,
) -> Statement {
    let mut statement =
        Statement::new("WITH RECURSIVE connected (key, is_note) AS (SELECT unhex(value), 0 FROM ");
    statement
        .bind_rows(originals.iter().map(|key| key.simple().to_string()))
        .push(
            " UNION SELECT c.note, 1 FROM connected
                CROSS JOIN document_credits c ON NOT is_note AND c.original = connected.key AND c.organization_id = ",
        )
        .bind(organization.as_str())
        .push(
            " UNION SELECT c.original, 0 FROM connected
                CROSS JOIN document_credits c INDEXED BY document_credits_note
                    ON is_note AND c.note = connected.key AND c.organization_id = ",
        )
        .bind(organization.as_str())
        .push(" LIMIT ")
        .bind(i64::from(MAX_CONNECTED))
        .push(
            ")
             SELECT connected.key AS key, connected.is_note AS is_note, d.currency AS currency, d.gross AS gross,
                coalesce(d.status = 1, 0) AS is_draft, coalesce(d.status = 4, 0) AS is_rejected, coalesce(d.kind = 2, 0) AS is_credit_note,
                c.original AS original
             FROM connected
                LEFT JOIN documents d ON d.key = connected.key AND d.organization_id = ",
        )
        .bind(organization.as_str())
        .push(
            " LEFT JOIN document_credits c INDEXED BY document_credits_note
                ON connected.is_note AND c.note = connected.key AND c.organization_id = ",
        )
        .bind(organization.as_str());
    statement
}

/// The gross amount of a joined document; `None` if there is none.
fn gross(row: &Row<'_>) -> rusqlite::Result<Option<invoice::Money>> {
    let Some(code) = row.get_ref("currency")?.as_str_or_null()? else {
        return Ok(None);
    };
    money(row.get("gross")?, currency(code)?).map(Some)
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
