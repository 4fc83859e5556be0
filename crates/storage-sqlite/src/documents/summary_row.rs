//! The row of a list: what lists show of a document.

use invoicing_contract::messages::documents::{Event, Party};
use prost::Message;
use rusqlite::Row;
use rusqlite::types::{FromSql, ValueRef};

use super::rows::decode;
use crate::values::{authority_state, currency, kind, money, status, uuid};
use invoicing_storage::documents::DocumentSummary;
use invoicing_storage::payments::Receivable;

/// A row of a list by its id, for [`summary`], which reads the columns in this order.
pub(super) const SELECT_SUMMARY: &str =
    "SELECT d.organization_id, d.key, d.concurrency_stamp, d.status, d.kind, d.number, d.issue_date, d.due_date, d.currency,
         d.net, d.tax, d.gross, c.supply_date, c.payable, c.note, c.buyer, c.created, c.updated, c.issued, c.frozen,
         r.payable AS receivable, r.due_on, r.paid, r.credited, s.state AS authority_state, s.has_warnings
     FROM documents d JOIN document_contents c ON c.id = d.id
     LEFT JOIN receivables r ON r.organization_id = d.organization_id AND r.document = d.key AND d.status <> 4
     LEFT JOIN document_submissions s ON s.organization_id = d.organization_id AND s.document_key = d.key
         AND s.superseded_at IS NULL
     WHERE d.id = ?1";

/// A row of [`SELECT_SUMMARY`].
pub(super) fn summary(row: &Row<'_>) -> rusqlite::Result<DocumentSummary> {
    let mut columns = Columns { row, next: 0 };
    let organization: String = columns.next()?;
    let key = uuid(columns.next_ref()?.as_blob()?)?;
    let concurrency_stamp: String = columns.next()?;
    let status = status(columns.next()?)?;
    let kind = kind(columns.next()?)?;
    let number = columns.next()?;
    let issue_date = columns.next()?;
    let due_date = columns.next()?;
    let currency = currency(columns.next_ref()?.as_str()?)?;
    let net = money(columns.next()?, currency)?;
    let tax = money(columns.next()?, currency)?;
    let gross = money(columns.next()?, currency)?;
    let supply_date = columns.next()?;
    let payable = money(columns.next()?, currency)?;
    let note = columns.next()?;
    let buyer = columns.next_message::<Party>()?;
    let [created, updated, issued, frozen] = [
        columns.next_message::<Event>()?,
        columns.next_message()?,
        columns.next_message()?,
        columns.next_message()?,
    ];
    let receivable = match columns.next::<Option<i64>>()? {
        None => None,
        Some(payable) => Some(Receivable {
            currency,
            payable,
            due_on: row.get(columns.next)?,
            paid: row.get(columns.next + 1)?,
            credited: row.get(columns.next + 2)?,
        }),
    };
    columns.next += 3;
    let state: Option<i32> = columns.next()?;
    let has_warnings: Option<bool> = columns.next()?;
    Ok(DocumentSummary {
        organization: organization.into(),
        key,
        concurrency_stamp: concurrency_stamp.into(),
        status,
        kind,
        number,
        issue_date,
        due_date,
        supply_date,
        net,
        tax,
        gross,
        payable,
        note,
        buyer,
        created,
        updated,
        issued,
        frozen,
        receivable,
        authority_state: state.map(authority_state).transpose()?,
        authority_has_warnings: has_warnings.unwrap_or_default(),
    })
}

/// Reads the columns of a row in their order: to look for the name of a column takes longer than to read it.
struct Columns<'row> {
    row: &'row Row<'row>,
    next: usize,
}

impl<'row> Columns<'row> {
    fn next<T: FromSql>(&mut self) -> rusqlite::Result<T> {
        self.next += 1;
        self.row.get(self.next - 1)
    }

    fn next_ref(&mut self) -> rusqlite::Result<ValueRef<'row>> {
        self.next += 1;
        self.row.get_ref(self.next - 1)
    }

    fn next_message<M: Message + Default>(&mut self) -> rusqlite::Result<Option<M>> {
        let bytes = self.next_ref()?.as_blob_or_null()?;
        bytes.map(decode).transpose()
    }
}
