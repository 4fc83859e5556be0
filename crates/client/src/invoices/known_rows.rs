//! Rows of documents that this computer has seen lately, for what is compared without a connection (decision 0193).

use std::collections::HashSet;

use invoicing_contract::DocumentKey;
use invoicing_contract::messages::{documents, simple};
use jiff::ToSpan as _;

use super::Invoices;
use super::list_request::status_to_wire;
use crate::gateway::CallContext;
use crate::read_cache::ROWS;
use crate::views::InvoiceView;

/// How long ago the documents were issued at the most.
const DAYS: i64 = 31;
/// How many rows are kept. Those that were seen longest ago are left out.
const MAX_ROWS: usize = 500;

impl Invoices {
    /// The rows that were seen lately, the latest seen first.
    pub(super) async fn known_rows(&self, context: &CallContext) -> Vec<simple::Invoice> {
        let (session, organization) = (&context.session, &context.organization);
        let page = self
            .read_cache
            .message::<simple::ListInvoicesResponse>(session, organization, ROWS, "")
            .await;
        page.map(|page| page.value.items).unwrap_or_default()
    }

    /// Keeps rows that the service has just answered with, if they are of the last days.
    pub(super) async fn note_rows(&self, context: &CallContext, rows: &[simple::Invoice]) {
        let first_day = self.clock.today().checked_sub(DAYS.days());
        let first_day = first_day.map(|day| day.to_string()).unwrap_or_default();
        let is_recent = |row: &simple::Invoice| row.issue_date >= first_day;
        let mut kept: Vec<_> = rows.iter().filter(|row| is_recent(row)).cloned().collect();
        if kept.is_empty() {
            return;
        }
        let known = self.known_rows(context).await;
        if kept.iter().all(|row| known.contains(row)) {
            return;
        }
        let seen: HashSet<_> = kept.iter().map(|row| row.document_key.clone()).collect();
        let is_other = |row: &simple::Invoice| !seen.contains(&row.document_key);
        kept.extend(
            known
                .into_iter()
                .filter(|row| is_recent(row) && is_other(row)),
        );
        kept.truncate(MAX_ROWS);
        self.store_rows(context, kept).await;
    }

    /// Keeps the row of a document that this computer has just written.
    pub(crate) async fn note_written(&self, context: &CallContext, view: &InvoiceView) {
        self.note_rows(context, &[to_row(view)]).await;
    }

    /// Forgets the row of a document that the service does not have any more.
    pub(super) async fn forget_row(&self, context: &CallContext, key: &DocumentKey) {
        let mut known = self.known_rows(context).await;
        let before = known.len();
        known.retain(|row| *key != row.document_key.as_str());
        if known.len() < before {
            self.store_rows(context, known).await;
        }
    }

    async fn store_rows(&self, context: &CallContext, items: Vec<simple::Invoice>) {
        let page = simple::ListInvoicesResponse {
            items,
            ..simple::ListInvoicesResponse::default()
        };
        let (session, organization) = (&context.session, &context.organization);
        self.read_cache
            .store_message(session, organization, ROWS, "", &page)
            .await;
    }
}

/// What a list would have of a document.
fn to_row(view: &InvoiceView) -> simple::Invoice {
    let (row, buyer) = (&view.row, &view.content.buyer);
    simple::Invoice {
        document_key: row.key.as_str().to_owned(),
        status: status_to_wire(row.status).into(),
        concurrency_stamp: row.stamp.as_str().to_owned(),
        number: row.number.clone(),
        kind: documents::Kind::from(row.kind).into(),
        buyer: Some(documents::Party {
            name: Some(documents::LocalizedText {
                ar: row.buyer.ar.clone(),
                en: row.buyer.en.clone(),
            }),
            tax_id: buyer.tax_id.clone(),
            ..documents::Party::default()
        }),
        issue_date: row.issue_date.clone(),
        due_date: row.due_date.clone(),
        currency: row.currency.clone(),
        net: row.net.clone(),
        tax: row.tax.clone(),
        gross: row.gross.clone(),
        ..simple::Invoice::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::from_wire;
    use super::*;

    #[test]
    fn row_of_a_written_document_is_that_of_a_list_before_anything_is_paid() {
        let invoice = simple::Invoice {
            document_key: "018f".to_owned(),
            status: documents::Status::Issued.into(),
            concurrency_stamp: "stamp".to_owned(),
            number: "INV-1".to_owned(),
            kind: documents::Kind::DebitNote.into(),
            buyer: Some(documents::Party {
                name: Some(documents::LocalizedText {
                    ar: "النخيل".to_owned(),
                    en: "Palm".to_owned(),
                }),
                tax_id: "300000000000003".to_owned(),
                ..documents::Party::default()
            }),
            issue_date: "2026-11-14".to_owned(),
            due_date: "2026-12-14".to_owned(),
            currency: "SAR".to_owned(),
            net: "100.00".to_owned(),
            tax: "15.00".to_owned(),
            gross: "115.00".to_owned(),
            ..simple::Invoice::default()
        };
        assert_eq!(to_row(&from_wire::view(invoice.clone())), invoice);
    }
}
