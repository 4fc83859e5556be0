//! Changes of documents inside the transactions of other aggregates.

use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::{Document, Status};
use invoicing_storage::clearance::Amendment;
use invoicing_storage::reports::TaxChanges;
use uuid::Uuid;

use super::replacements::{Replacement, ReplacementColumns};
use super::rows::{RevisionId, SELECT_DOCUMENT, message};
use super::sums::CountedDocument;
use crate::engine::{EngineError, Transaction};
use crate::payments::{ReceivableColumns, give_back, rest_credits};
use crate::reports::TaxColumns;

/// A document, which nobody else can change until the end of the transaction.
const LOCK: &str = "SELECT issue_date, status, kind, currency, net, tax, gross, gross_sort_key, body FROM documents
     WHERE organization_id = $1 AND key = $2 FOR UPDATE";

/// A document.
pub(crate) async fn read_document(
    transaction: &Transaction,
    organization: &OrganizationId,
    key: Uuid,
) -> Result<Option<Document>, EngineError> {
    let row = transaction
        .row(SELECT_DOCUMENT, &[&organization.as_str(), &key])
        .await?;
    row.map(|row| message(&row, "body")).transpose()
}

/// Replaces a numbered document by what `amend` makes of it, whatever its stamp is, and appends the revision `id` to its history. A
/// rejected document has no taxes, asks for nothing, and a note gives back what it took off.
pub(crate) async fn amend_document(
    transaction: &Transaction,
    organization: &OrganizationId,
    key: Uuid,
    amend: &Amendment,
    id: RevisionId,
) -> Result<(), EngineError> {
    let stored = transaction
        .row(LOCK, &[&organization.as_str(), &key])
        .await?;
    let Some(stored) = stored else {
        return Ok(());
    };
    let before: Document = message(&stored, "body")?;
    let mut taxes = TaxChanges::default();
    taxes.subtract(&before);
    let Some((row, action)) = amend(before)? else {
        return Ok(());
    };
    let replacement = Replacement {
        row: &row,
        stored: CountedDocument::stored(&stored)?,
        id,
    };
    // In the order in which numbering locks their rows: what notes take off, taxes, what documents ask for, sums of documents.
    if row.status == Status::Rejected {
        give_back(transaction, organization, key).await?;
        if let Some(taxes) = TaxColumns::new(organization, &taxes) {
            transaction.write(&taxes.write()).await?;
        }
        if let Some(receivables) = ReceivableColumns::new(&[&row]) {
            transaction.write(&receivables.write()).await?;
        }
        rest_credits(transaction, &row).await?;
    }
    if let Some(replacement) = ReplacementColumns::new(vec![replacement], action) {
        transaction.write(&replacement.write()).await?;
    }
    Ok(())
}
