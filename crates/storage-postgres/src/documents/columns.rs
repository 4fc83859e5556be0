//! The columns of documents and revisions that are written, as parameters.

use invoicing_contract::messages::documents::Event;
use invoicing_storage::documents::{Action, DocumentRow};
use prost::Message;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::rows::{RevisionId, buyer_text_id};
use crate::engine::Parameter;

/// The columns of a document that is written.
pub(super) struct StoredColumns<'a> {
    row: &'a DocumentRow,
    organization: &'a str,
    status: i32,
    kind: i32,
    currency: &'static str,
    buyer_text_id: Uuid,
    updated_at: i64,
    supply_date: &'a str,
    note: &'a str,
    buyer: Option<Vec<u8>>,
    created: Option<Vec<u8>>,
    updated: Option<Vec<u8>>,
    issued: Option<Vec<u8>>,
    frozen: Option<Vec<u8>>,
    body: Vec<u8>,
}

impl<'a> StoredColumns<'a> {
    pub(super) fn new(row: &'a DocumentRow) -> Self {
        let document = &row.document;
        let content = document.content.as_ref();
        let invoice = content.and_then(|content| content.invoice.as_ref());
        let event = |event: &Option<Event>| event.as_ref().map(Message::encode_to_vec);
        Self {
            row,
            organization: row.organization.as_str(),
            status: row.status as i32,
            kind: row.kind as i32,
            currency: row.currency.code(),
            buyer_text_id: buyer_text_id(&row.buyer_text),
            updated_at: row.updated_at.as_millis(),
            supply_date: invoice.map_or("", |invoice| &invoice.supply_date),
            note: invoice.map_or("", |invoice| &invoice.note),
            buyer: invoice
                .and_then(|invoice| invoice.buyer.as_ref())
                .map(Message::encode_to_vec),
            created: event(&document.created),
            updated: event(&document.updated),
            issued: event(&document.issued),
            frozen: event(&document.frozen),
            body: document.encode_to_vec(),
        }
    }

    /// `$1` to `$27`: organization, key, the columns of `row_columns!`, and the text of the buyer.
    pub(super) fn parameters(&self) -> Vec<Parameter<'_>> {
        let row = self.row;
        vec![
            &self.organization,
            &row.key,
            &row.document.concurrency_stamp,
            &self.status,
            &self.kind,
            &row.number,
            &row.number_sort_key,
            &row.issue_date,
            &row.due_date,
            &self.currency,
            &row.net,
            &row.tax,
            &row.gross,
            &row.gross_sort_key,
            &row.buyer_sort_key,
            &self.buyer_text_id,
            &self.updated_at,
            &self.supply_date,
            &row.payable,
            &self.note,
            &self.buyer,
            &self.created,
            &self.updated,
            &self.issued,
            &self.frozen,
            &self.body,
            &row.buyer_text,
        ]
    }

    /// `$1` to `$4`: organization, key, time and document of the last revision.
    pub(super) fn deletion_parameters(&self) -> Vec<Parameter<'_>> {
        vec![
            &self.organization,
            &self.row.key,
            &self.updated_at,
            &self.body,
        ]
    }
}

/// The revision that a write appends to the history.
pub(super) struct RevisionColumns<'a> {
    pub(super) id: RevisionId,
    action: &'static str,
    pub(super) subject: &'a str,
    pub(super) subject_name: &'a str,
}

impl<'a> RevisionColumns<'a> {
    pub(super) fn new(row: &'a DocumentRow, action: Action, id: RevisionId) -> Self {
        let author = row.document.updated.as_ref();
        Self {
            id,
            action: action.name(),
            subject: author.map_or("", |author| &author.by),
            subject_name: author.map_or("", |author| &author.by_name),
        }
    }

    /// Id, action, subject and name of the subject.
    pub(super) fn parameters(&self) -> [Parameter<'_>; 4] {
        [&self.id.0, &self.action, &self.subject, &self.subject_name]
    }
}

/// A column of several rows.
pub(super) type Array<'a> = Box<dyn ToSql + Send + Sync + 'a>;

/// A value of each of some rows.
pub(super) fn array<'a, Source, T: ToSql + Send + Sync + 'a>(
    rows: &[Source],
    value: impl Fn(&Source) -> T,
) -> Array<'a> {
    Box::new(rows.iter().map(value).collect::<Vec<T>>())
}

/// The keys and the columns of `row_columns!`, as arrays.
pub(super) fn arrays<'a>(rows: &[&'a DocumentRow]) -> Vec<Array<'a>> {
    let columns: Vec<StoredColumns<'a>> = rows.iter().map(|row| StoredColumns::new(row)).collect();
    let columns = &*columns;
    vec![
        array(columns, |of| of.row.key),
        array(columns, |of| &*of.row.document.concurrency_stamp),
        array(columns, |of| of.status),
        array(columns, |of| of.kind),
        array(columns, |of| &*of.row.number),
        array(columns, |of| &*of.row.number_sort_key),
        array(columns, |of| &*of.row.issue_date),
        array(columns, |of| &*of.row.due_date),
        array(columns, |of| of.currency),
        array(columns, |of| of.row.net),
        array(columns, |of| of.row.tax),
        array(columns, |of| of.row.gross),
        array(columns, |of| of.row.gross_sort_key),
        array(columns, |of| &*of.row.buyer_sort_key),
        array(columns, |of| of.buyer_text_id),
        array(columns, |of| of.updated_at),
        array(columns, |of| of.supply_date),
        array(columns, |of| of.row.payable),
        array(columns, |of| of.note),
        array(columns, |of| of.buyer.clone()),
        array(columns, |of| of.created.clone()),
        array(columns, |of| of.updated.clone()),
        array(columns, |of| of.issued.clone()),
        array(columns, |of| of.frozen.clone()),
        array(columns, |of| of.body.clone()),
    ]
}
