//! Rows that migrations derive from numbered documents, of those that programs of a version before have written since: receivables,
//! names of debit notes, and remarks of tax authorities (decision 0104).

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use uuid::Uuid;

use super::classification::SELECT_ORGANIZATIONS;
use super::{debits, submissions};
use crate::engine::{
    Engine, EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, identifier,
    timestamp,
};

/// Documents of a transaction.
const PAGE: i64 = 500;

/// In the order of an index. Every write of a document has a later time.
const SELECT_PAGE: &str = "SELECT key, updated_at FROM documents
     WHERE organization_id = $1 AND number <> '' AND (updated_at, key) > ($2, $3)
     ORDER BY updated_at, key LIMIT $4";
/// What documents ask for. Whoever writes one at the same time writes it after this, or has written it.
const INSERT_RECEIVABLES: &str =
    "INSERT INTO receivables (organization_id, document, currency, due_on, payable, paid, credited)
     SELECT $1, key, currency, coalesce(nullif(due_date, ''), issue_date), CASE status WHEN 4 THEN 0 ELSE payable END, 0, 0
     FROM documents WHERE organization_id = $1 AND key = ANY ($2) AND kind IN (1, 3) ORDER BY key
     ON CONFLICT (organization_id, document) DO NOTHING";
/// Takes off originals what credit notes of a version before give back. Such a note has no receivable of its own (decision 0137), and took
/// off nothing that is known. It counts whole if it has one original, as for the migration. Nothing tells whether one was counted, but
/// what is missing of an original has to be the latest of its notes: else it is left as it is.
const TAKE_OFF: &str = "WITH original AS (
         SELECT r.document, r.currency, r.credited FROM receivables r
             JOIN documents d ON d.organization_id = $1 AND d.key = r.document AND d.kind IN (1, 3) AND d.status <> 4
         WHERE r.organization_id = $1 AND r.document = ANY (ARRAY(
             SELECT unnest($2::uuid[])
             UNION SELECT original FROM document_credits WHERE organization_id = $1 AND note = ANY ($2)))
     ), credit AS (
         SELECT original.document, original.credited, n.key, n.updated_at, c.taken_off, CASE
             WHEN own.document IS NULL AND c.taken_off = 0 AND (
                 SELECT count(*) FROM document_credits e WHERE e.organization_id = $1 AND e.note = c.note) = 1
             THEN n.gross ELSE 0 END AS whole
         FROM original
             JOIN document_credits c ON c.organization_id = $1 AND c.original = original.document
             JOIN documents n ON n.organization_id = $1 AND n.key = c.note AND n.status <> 4 AND n.currency = original.currency
             LEFT JOIN receivables own ON own.organization_id = $1 AND own.document = c.note
     ), missing AS (
         SELECT document, credited, (sum(whole + taken_off) - credited)::bigint AS amount FROM credit
         GROUP BY document, credited HAVING sum(whole + taken_off) > credited
     ), latest AS (
         SELECT document, sum(whole) OVER (PARTITION BY document ORDER BY updated_at DESC, key DESC) AS amount
         FROM credit WHERE whole <> 0
     )
     UPDATE receivables SET credited = missing.credited + missing.amount FROM missing
     WHERE receivables.organization_id = $1 AND receivables.document = missing.document
         AND receivables.credited = missing.credited
         AND EXISTS (SELECT FROM latest WHERE latest.document = missing.document AND latest.amount = missing.amount)";

/// The time and key of a document.
type Position = (Timestamp, Uuid);

/// Derives what is missing of documents that were written after `since`, in one transaction for some of them: what was done stays done
/// when it is interrupted. As the role that owns the tables.
pub(crate) async fn derive_rows(engine: &Engine, since: Timestamp) -> Result<(), StorageError> {
    for row in engine.rows(None, SELECT_ORGANIZATIONS, &[]).await? {
        let organization: OrganizationId = identifier(&row, "id")?;
        let mut position = Some((since, Uuid::nil()));
        while let Some(after) = position {
            let page = DerivePage {
                organization: &organization,
                after,
            };
            position = engine.write(&page).await?;
        }
    }
    Ok(())
}

/// The documents after a position.
struct DerivePage<'a> {
    organization: &'a OrganizationId,
    after: Position,
}

#[async_trait]
impl TransactionWork for DerivePage<'_> {
    /// The position of the last one; `None` if there was none.
    type Output = Option<Position>;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(self.organization)
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Option<Position>>, EngineError> {
        let organization = self.organization.as_str();
        let (at, key) = self.after;
        let page: [Parameter<'_>; 4] = [&organization, &at.as_millis(), &key, &PAGE];
        let rows = transaction.rows(SELECT_PAGE, &page).await?;
        let Some(last) = rows.last() else {
            return Ok(TransactionEnd::Rollback(None));
        };
        let last = (timestamp(last, "updated_at")?, last.try_get("key")?);
        let keys = rows.iter().map(|row| row.try_get("key"));
        let keys: Vec<Uuid> = keys.collect::<Result<_, _>>()?;
        let documents: [Parameter<'_>; 2] = [&organization, &keys];
        for statement in [INSERT_RECEIVABLES, TAKE_OFF] {
            transaction.execute(statement, &documents).await?;
        }
        debits::derive(transaction, self.organization, &keys).await?;
        submissions::derive_remarks(transaction, self.organization, &keys).await?;
        Ok(TransactionEnd::Commit(Some(last)))
    }
}
