//! Rows of documents and of their history.

use invoicing_contract::OrganizationId;
use invoicing_contract::messages::documents::{Document, Event, Party, Revision};
use invoicing_storage::documents::DocumentSummary;
use invoicing_storage::payments::Receivable;
use invoicing_storage::{Rng, StorageError};
use prost::Message;
use sha2::{Digest as _, Sha256};
use tokio_postgres::Row;
use uuid::Uuid;

use crate::engine::{EngineError, Transaction, identifier};
use crate::values::{authority_state, currency, kind, money, status};

/// The columns of `documents` that a write can change, in the order of [`StoredColumns::parameters`].
macro_rules! row_columns {
    () => {
        "concurrency_stamp, status, kind, number, number_sort_key, issue_date, due_date, currency, net, tax, gross,
         gross_sort_key, buyer_sort_key, buyer_text_id, updated_at, supply_date, payable, note, buyer, created, updated,
         issued, frozen, body"
    };
}
pub(super) use row_columns;

/// A document.
pub(super) const SELECT_DOCUMENT: &str =
    "SELECT body FROM documents WHERE organization_id = $1 AND key = $2";
/// A document with a stamp, which nobody else can change until the end of the transaction. A caller that waited gets the
/// row as it is then.
pub(super) const LOCK_EXPECTED: &str =
    "SELECT issue_date, status, kind, currency, net, tax, gross, gross_sort_key, body FROM documents
     WHERE organization_id = $1 AND key = $2 AND concurrency_stamp = $3 FOR UPDATE";
/// The latest writes to a document before the one with the number `$3`. Those after which others have `$5` bytes have no body: the
/// length of a body is known without reading it.
pub(super) const SELECT_HISTORY: &str =
    "SELECT action, revision, CASE WHEN coalesce(sum(octet_length(body)) OVER later, 0) < $5::bigint THEN body END AS body
     FROM document_history WHERE organization_id = $1 AND key = $2 AND revision < $3
     WINDOW later AS (ORDER BY revision DESC, at DESC, id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
     ORDER BY revision DESC, at DESC, id DESC LIMIT $4";
/// The document as one write left it.
const SELECT_REVISION: &str =
    "SELECT body FROM document_history WHERE organization_id = $1 AND key = $2 AND id = $3";
/// The columns of a row of a list, for [`summary`].
pub(super) const SUMMARY_COLUMNS: &str =
    "d.organization_id, d.key, d.concurrency_stamp, d.status, d.kind, d.number, d.issue_date, d.due_date, d.supply_date,
     d.currency, d.net, d.tax, d.gross, d.payable, d.note, d.buyer, d.created, d.updated, d.issued, d.frozen,
     r.payable AS receivable, r.due_on, r.paid, r.credited,
     (SELECT ARRAY[s.state, s.has_warnings::integer] FROM document_submissions AS s
          WHERE s.organization_id = d.organization_id AND s.document_key = d.key AND s.superseded_at IS NULL) AS authority";

/// The id of a revision, made before the transaction that writes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RevisionId(pub(super) i64);

impl RevisionId {
    pub(crate) fn random(rng: &dyn Rng) -> Self {
        let mut bytes = [0; 8];
        rng.fill(&mut bytes);
        Self(i64::from_be_bytes(bytes))
    }

    /// The document as an attempt before has left it, whose answer to the commit was lost; `None` if no attempt has
    /// written the revision.
    pub(super) async fn written(
        self,
        transaction: &Transaction,
        organization: &OrganizationId,
        key: Uuid,
    ) -> Result<Option<Document>, EngineError> {
        if !transaction.repeats_commit() {
            return Ok(None);
        }
        let row = transaction
            .row(SELECT_REVISION, &[&organization.as_str(), &key, &self.0])
            .await?;
        row.map(|row| message(&row, "body")).transpose()
    }
}

/// The id of a text in `buyer_texts`.
pub(super) fn buyer_text_id(text: &str) -> Uuid {
    let mut bytes = [0; 16];
    for (byte, of_hash) in bytes.iter_mut().zip(Sha256::digest(text)) {
        *byte = of_hash;
    }
    Uuid::from_bytes(bytes)
}

/// A row of [`SELECT_HISTORY`]; `None` if it has no body.
pub(super) fn revision(row: &Row) -> Result<Option<Revision>, EngineError> {
    let Some(document) = optional_message::<Document>(row, "body")? else {
        return Ok(None);
    };
    Ok(Some(Revision {
        action: row.try_get("action")?,
        // Every write stores in the document who made it.
        event: document.updated.clone(),
        document: Some(document),
        number: row.try_get("revision")?,
    }))
}

/// A row of [`SUMMARY_COLUMNS`].
pub(super) fn summary(row: &Row) -> Result<DocumentSummary, EngineError> {
    let currency = currency(row, "currency")?;
    let amount = |column: &str| money(row.try_get(column)?, currency);
    let event = |column: &str| optional_message::<Event>(row, column);
    let authority: Option<Vec<i32>> = row.try_get("authority")?;
    let authority = authority.unwrap_or_default();
    Ok(DocumentSummary {
        organization: identifier(row, "organization_id")?,
        key: row.try_get("key")?,
        concurrency_stamp: identifier(row, "concurrency_stamp")?,
        status: status(row.try_get("status")?)?,
        kind: kind(row.try_get("kind")?)?,
        number: row.try_get("number")?,
        issue_date: row.try_get("issue_date")?,
        due_date: row.try_get("due_date")?,
        supply_date: row.try_get("supply_date")?,
        net: amount("net")?,
        tax: amount("tax")?,
        gross: amount("gross")?,
        payable: amount("payable")?,
        note: row.try_get("note")?,
        buyer: optional_message::<Party>(row, "buyer")?,
        created: event("created")?,
        updated: event("updated")?,
        issued: event("issued")?,
        frozen: event("frozen")?,
        receivable: match row.try_get("receivable")? {
            None => None,
            Some(payable) => Some(Receivable {
                currency,
                due_on: row.try_get("due_on")?,
                payable,
                paid: row.try_get("paid")?,
                credited: row.try_get("credited")?,
            }),
        },
        authority_state: authority
            .first()
            .copied()
            .map(authority_state)
            .transpose()?,
        authority_has_warnings: authority
            .get(1)
            .is_some_and(|has_warnings| *has_warnings != 0),
    })
}

/// A protobuf message in a column.
pub(super) fn message<M: Message + Default>(row: &Row, column: &str) -> Result<M, EngineError> {
    let bytes: &[u8] = row.try_get(column)?;
    Ok(M::decode(bytes).map_err(StorageError::corrupt)?)
}

/// A protobuf message in a column, if it has one.
pub(super) fn optional_message<M: Message + Default>(
    row: &Row,
    column: &str,
) -> Result<Option<M>, EngineError> {
    let bytes: Option<&[u8]> = row.try_get(column)?;
    let message = bytes.map(M::decode).transpose();
    Ok(message.map_err(StorageError::corrupt)?)
}
