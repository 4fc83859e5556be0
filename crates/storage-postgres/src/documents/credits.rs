//! The documents that numbered credit notes correct, found transitively across notes that correct several.

use std::collections::BTreeSet;

use async_trait::async_trait;
use invoice::Money;
use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::Kind;
use invoicing_storage::documents::{CreditRelations, DocumentRow, corrected_documents};
use tokio_postgres::Row;
use uuid::Uuid;

use super::amounts::{currency, money};
use crate::engine::{EngineError, Transaction, TransactionEnd, TransactionWork};

/// The originals, the notes that correct them, the other originals of those notes, and so on.
const SELECT_RELATIONS: &str = "WITH RECURSIVE originals (key) AS (
         SELECT unnest($2::uuid[])
         UNION
         SELECT other.original FROM originals
             JOIN document_credits mine ON mine.organization_id = $1 AND mine.original = originals.key
             JOIN document_credits other ON other.organization_id = $1 AND other.note = mine.note
     )
     SELECT originals.key AS original, o.currency AS original_currency, o.gross AS original_gross,
         c.note, n.currency AS note_currency, n.gross AS note_gross
     FROM originals
         LEFT JOIN documents o ON o.organization_id = $1 AND o.key = originals.key
         LEFT JOIN document_credits c ON c.organization_id = $1 AND c.original = originals.key
         LEFT JOIN documents n ON n.organization_id = $1 AND n.key = c.note";

const INSERT_CREDITS: &str = "INSERT INTO document_credits (organization_id, original, note)
     SELECT $1, credit.* FROM unnest($2::uuid[], $3::uuid[]) AS credit (original, note)
     ON CONFLICT (organization_id, original, note) DO NOTHING";

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

/// Stores which documents numbered credit notes of one organization correct. Other documents correct none.
pub(super) async fn insert(
    transaction: &Transaction,
    rows: &[&DocumentRow],
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
    let (originals, notes): (Vec<_>, Vec<_>) = credits.into_iter().unzip();
    transaction
        .execute(
            INSERT_CREDITS,
            &[&first.organization.as_str(), &originals, &notes],
        )
        .await?;
    Ok(())
}
