//! The documents that numbered credit notes correct, found transitively across notes that correct several.

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoice::Money;
use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Kind;
use invoicing_storage::documents::{CreditRelations, DocumentRow, corrected_documents};
use invoicing_storage::payments::TakenOff;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork};
use crate::payments::give_back;
use crate::values::{currency, money};

/// The originals, the notes that correct them, the other originals of those notes, and so on. Each document is followed once, so
/// that many notes of many originals take time by their number and not by its square.
const SELECT_RELATIONS: &str = "WITH RECURSIVE connected (key, is_note) AS (
         SELECT unnest($2::uuid[]), false
         UNION
         SELECT next.key, NOT connected.is_note FROM connected CROSS JOIN LATERAL (
             SELECT c.note AS key FROM document_credits c
                 WHERE NOT connected.is_note AND c.organization_id = $1 AND c.original = connected.key
             UNION ALL
             SELECT c.original FROM document_credits c
                 WHERE connected.is_note AND c.organization_id = $1 AND c.note = connected.key
         ) AS next
     ), originals AS (
         SELECT key FROM connected WHERE NOT is_note
     )
     SELECT originals.key AS original, o.currency AS original_currency, o.gross AS original_gross,
         coalesce(o.status = 1, false) AS is_draft, coalesce(o.status = 4, false) AS is_rejected, coalesce(o.kind = 2, false) AS is_credit_note,
         c.note, n.currency AS note_currency, n.gross AS note_gross
     FROM originals
         LEFT JOIN documents o ON o.organization_id = $1 AND o.key = originals.key
         LEFT JOIN document_credits c ON c.organization_id = $1 AND c.original = originals.key
         LEFT JOIN documents n ON n.organization_id = $1 AND n.key = c.note";

const INSERT_CREDITS: &str = "INSERT INTO document_credits (organization_id, original, note, taken_off)
     SELECT $1, credit.* FROM unnest($2::uuid[], $3::uuid[], $4::bigint[]) AS credit (original, note, taken_off)
     ON CONFLICT (organization_id, original, note) DO NOTHING";

const DELETE_CREDITS: &str =
    "DELETE FROM document_credits WHERE organization_id = $1 AND note = $2";

/// Removes what a credit note corrected, before it is numbered again with another content, and gives back what it took off.
pub(super) async fn delete(
    transaction: &Transaction,
    organization: &OrganizationId,
    note: Uuid,
) -> Result<(), EngineError> {
    give_back(transaction, organization, note).await?;
    transaction
        .execute(DELETE_CREDITS, &[&organization.as_str(), &note])
        .await?;
    Ok(())
}

/// Reads [`relations`] in a transaction of its own.
pub(super) struct ReadRelations<'a> {
    pub(super) organization: &'a OrganizationId,
    pub(super) originals: &'a BTreeSet<Uuid>,
}

#[async_trait]
impl TransactionWork for ReadRelations<'_> {
    type Output = CreditRelations;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(self.organization)
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<CreditRelations>, EngineError> {
        let relations = relations(transaction, self.organization, self.originals).await?;
        Ok(TransactionEnd::Commit(relations))
    }
}

/// What [`invoicing_storage::documents::DocumentStore::credit_relations`] answers.
pub(super) async fn relations(
    transaction: &Transaction,
    organization: &OrganizationId,
    originals: &BTreeSet<Uuid>,
) -> Result<CreditRelations, EngineError> {
    let mut relations = CreditRelations::default();
    if originals.is_empty() {
        return Ok(relations);
    }
    let originals: Vec<_> = originals.iter().copied().collect();
    let rows = transaction
        .rows(SELECT_RELATIONS, &[&organization.as_str(), &originals])
        .await?;
    for row in &rows {
        let original: Uuid = row.try_get("original")?;
        let gross_of_original = gross(row, ["original_currency", "original_gross"])?;
        relations.originals.insert(original, gross_of_original);
        if row.try_get("is_draft")? {
            relations.drafts.insert(original);
        }
        if row.try_get("is_rejected")? {
            relations.rejected.insert(original);
        }
        if row.try_get("is_credit_note")? {
            relations.credit_notes.insert(original);
        }
        let note: Option<Uuid> = row.try_get("note")?;
        if let Some((note, gross)) = note.zip(gross(row, ["note_currency", "note_gross"])?) {
            let note = relations.notes.entry(note);
            note.or_insert((gross, BTreeSet::new())).1.insert(original);
        }
    }
    Ok(relations)
}

/// The gross amount of a joined document; `None` if there is none.
fn gross(row: &Row, [code, minor]: [&str; 2]) -> Result<Option<Money>, EngineError> {
    let minor: Option<i64> = row.try_get(minor)?;
    minor
        .map(|minor| money(minor, currency(row, code)?))
        .transpose()
}

/// Stores which documents numbered credit notes of one organization correct, and what they took off. Other documents correct none.
pub(super) async fn insert(
    transaction: &Transaction,
    rows: &[&DocumentRow],
    taken_off: &TakenOff,
) -> Result<(), EngineError> {
    let mut credits = BTreeSet::new();
    for note in rows {
        if note.kind == Kind::CreditNote && !note.number.is_empty() {
            let originals = corrected_documents(&note.document).into_iter();
            credits.extend(originals.map(|original| (original, note.key)));
        }
    }
    let Some(first) = rows.first().filter(|_| !credits.is_empty()) else {
        return Ok(());
    };
    let taken_off = credits
        .iter()
        .map(|credit| taken_off.get(credit).copied().unwrap_or_default());
    let taken_off: Vec<i64> = taken_off.collect();
    let (originals, notes): (Vec<_>, Vec<_>) = credits.into_iter().unzip();
    transaction
        .execute(
            INSERT_CREDITS,
            &[&first.organization.as_str(), &originals, &notes, &taken_off],
        )
        .await?;
    Ok(())
}
