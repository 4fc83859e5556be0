//! The documents that numbered credit notes correct, found transitively across notes that correct several.

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoice::Money;
use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Kind;
use invoicing_storage::documents::{
    CreditRelations, DocumentRow, MAX_CONNECTED, corrected_documents,
};
use invoicing_storage::payments::TakenOff;
use tokio_postgres::Row;
use uuid::Uuid;

use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork};
use crate::payments::give_back;
use crate::values::{currency, money};

/// The originals, the notes that correct them, the other originals of those notes, and so on. Each document is followed once, so
/// that many notes of many originals take time by their number and not by its square. The server makes as many rows of a
/// recursive query as are read, in the order in which it finds them: the nearest documents are among the first.
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
     ), nearest AS (
         SELECT key, is_note FROM connected LIMIT $3::bigint
     )
     SELECT nearest.key, nearest.is_note, d.currency, d.gross,
         coalesce(d.status = 1, false) AS is_draft, coalesce(d.status = 4, false) AS is_rejected, coalesce(d.kind = 2, false) AS is_credit_note,
         c.original
     FROM nearest
         LEFT JOIN documents d ON d.organization_id = $1 AND d.key = nearest.key
         LEFT JOIN document_credits c ON nearest.is_note AND c.organization_id = $1 AND c.note = nearest.key";

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
    let keys: Vec<_> = originals.iter().copied().collect();
    let limit = i64::from(MAX_CONNECTED);
    let parameters: [Parameter<'_>; 3] = [&organization.as_str(), &keys, &limit];
    let rows = transaction.rows(SELECT_RELATIONS, &parameters).await?;
    let mut read = BTreeSet::new();
    for row in &rows {
        let document: Uuid = row.try_get("key")?;
        let is_note: bool = row.try_get("is_note")?;
        read.insert((document, is_note));
        let gross = gross(row)?;
        if is_note {
            let original: Option<Uuid> = row.try_get("original")?;
            if let Some((gross, original)) = gross.zip(original) {
                let note = relations.notes.entry(document);
                note.or_insert((gross, BTreeSet::new())).1.insert(original);
            }
            continue;
        }
        relations.originals.insert(document, gross);
        if row.try_get("is_draft")? {
            relations.drafts.insert(document);
        }
        if row.try_get("is_rejected")? {
            relations.rejected.insert(document);
        }
        if row.try_get("is_credit_note")? {
            relations.credit_notes.insert(document);
        }
    }
    relations.mark_unread_notes(originals, read.len());
    Ok(relations)
}

/// The gross amount of a joined document; `None` if there is none.
fn gross(row: &Row) -> Result<Option<Money>, EngineError> {
    let minor: Option<i64> = row.try_get("gross")?;
    minor
        .map(|minor| money(minor, currency(row, "currency")?))
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
