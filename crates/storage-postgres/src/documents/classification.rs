//! Classification of sums of days that a version before has written without the classes of amounts (decision 0155).

use async_trait::async_trait;
use invoicing_contract::OrganizationId;
use invoicing_storage::StorageError;
use invoicing_storage::documents::amount_classes::LOWEST;

use super::amount_classes::{FIRST_SLOT, SLOTS};
use crate::engine::{
    Engine, EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, identifier,
};

/// Attempts at a day that writers of the version before change meanwhile.
const ATTEMPTS: u32 = 5;

pub(super) const SELECT_ORGANIZATIONS: &str = "SELECT id FROM organizations ORDER BY id";
const SELECT_DAYS: &str = "SELECT DISTINCT issue_date FROM document_sums
     WHERE organization_id = $1 AND slot < $2 ORDER BY issue_date";
/// Writers of the version before wait. Ours write other rows.
const LOCK: &str =
    "SELECT slot FROM document_sums WHERE organization_id = $1 AND issue_date = $2 AND slot < $3
     ORDER BY status, kind, currency, slot FOR UPDATE";
/// Replaces the unclassified rows of a day by what its documents are more than its classified rows say. One statement, so that
/// documents and sums are of one moment; what writers commit after it, they add to the classified rows themselves. The rows are in
/// the order of the key, as those of a write. Returns for how many groups the difference is not what was removed.
const CLASSIFY: &str = "WITH removed AS (
        DELETE FROM document_sums WHERE organization_id = $1 AND issue_date = $2 AND slot < $3
        RETURNING status, kind, currency, documents, net, tax, gross
    ), change AS (
        SELECT status, kind, currency, class, sum(documents) AS documents, sum(net) AS net, sum(tax) AS tax, sum(gross) AS gross
        FROM (
            SELECT status, kind, currency, width_bucket(gross_sort_key, $4::bigint[]) AS class, 1 AS documents, net, tax, gross
            FROM documents WHERE organization_id = $1 AND issue_date = $2
            UNION ALL
            SELECT status, kind, currency, (slot - $3) / $5::integer, -documents, -net, -tax, -gross
            FROM document_sums WHERE organization_id = $1 AND issue_date = $2 AND slot >= $3
        ) AS counted
        GROUP BY status, kind, currency, class
        HAVING (sum(documents), sum(net), sum(tax), sum(gross)) <> (0, 0, 0, 0)
    ), added AS (
        INSERT INTO document_sums (organization_id, issue_date, status, kind, currency, slot, documents, net, tax, gross)
        SELECT $1, $2, status, kind, currency, $3 + $5::integer * class, documents, net, tax, gross
        FROM change ORDER BY status, kind, currency, class
        ON CONFLICT (organization_id, issue_date, status, kind, currency, slot) DO UPDATE SET
            documents = document_sums.documents + excluded.documents,
            net = document_sums.net + excluded.net,
            tax = document_sums.tax + excluded.tax,
            gross = document_sums.gross + excluded.gross
    ), difference AS (
        SELECT status, kind, currency FROM (
            SELECT status, kind, currency, documents, net, tax, gross FROM removed
            UNION ALL SELECT status, kind, currency, -documents, -net, -tax, -gross FROM change
        ) AS change
        GROUP BY status, kind, currency
        HAVING (sum(documents), sum(net), sum(tax), sum(gross)) <> (0, 0, 0, 0)
    )
    SELECT count(*) FROM difference";

/// Classifies all days of all organizations, each in a transaction of its own: what was done stays done when it is interrupted. As
/// the role that owns the tables; the application may not delete sums.
pub(crate) async fn classify_sums(engine: &Engine) -> Result<(), StorageError> {
    for row in engine.rows(None, SELECT_ORGANIZATIONS, &[]).await? {
        let organization = identifier(&row, "id")?;
        classify_organization(engine, &organization).await?;
    }
    Ok(())
}

async fn classify_organization(
    engine: &Engine,
    organization: &OrganizationId,
) -> Result<(), StorageError> {
    let parameters: [Parameter<'_>; 2] = [&organization.as_str(), &FIRST_SLOT];
    let days = engine.rows(Some(organization), SELECT_DAYS, &parameters);
    for row in days.await? {
        let day = row.try_get("issue_date").map_err(EngineError::from)?;
        let work = ClassifyDay { organization, day };
        let mut attempts = 0;
        while !engine.write(&work).await? {
            attempts += 1;
            if attempts == ATTEMPTS {
                // Lists read the documents of the day, as before.
                tracing::warn!(
                    %organization,
                    day,
                    "the sums of a day are not those of its documents: it is not classified"
                );
                break;
            }
        }
    }
    Ok(())
}

/// Returns whether the day is classified. It is not if its unclassified sums changed meanwhile.
struct ClassifyDay<'a> {
    organization: &'a OrganizationId,
    day: &'a str,
}

#[async_trait]
impl TransactionWork for ClassifyDay<'_> {
    type Output = bool;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(self.organization)
    }

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<bool>, EngineError> {
        let organization = self.organization.as_str();
        let key: [Parameter<'_>; 3] = [&organization, &self.day, &FIRST_SLOT];
        if transaction.rows(LOCK, &key).await?.is_empty() {
            return Ok(TransactionEnd::Rollback(true));
        }
        let lowest: &[i64] = &LOWEST;
        let slots = i32::from(SLOTS);
        let parameters: [Parameter<'_>; 5] =
            [&organization, &self.day, &FIRST_SLOT, &lowest, &slots];
        let differences = transaction.row(CLASSIFY, &parameters).await?;
        let differences: Option<i64> = differences.map(|row| row.try_get(0)).transpose()?;
        if differences == Some(0) {
            Ok(TransactionEnd::Commit(true))
        } else {
            Ok(TransactionEnd::Rollback(false))
        }
    }
}
