//! The simple view of an invoice: the same fields with fewer of them, and totals beside the content.

use crate::messages::{documents, simple};

/// The simple form of a whole invoice. Fields that the simple form does not have are dropped.
#[must_use]
pub fn to_new_invoice(invoice: documents::Invoice) -> simple::NewInvoice {
    simple::NewInvoice {
        kind: invoice.kind,
        buyer: invoice.buyer,
        issue_date: invoice.issue_date,
        due_date: invoice.due_date,
        supply_date: invoice.supply_date,
        currency: invoice.currency,
        lines: invoice.lines,
        note: invoice.note,
    }
}

/// The whole invoice with the fields of a simple one.
#[must_use]
pub fn from_new_invoice(invoice: simple::NewInvoice) -> documents::Invoice {
    let simple::NewInvoice {
        kind,
        buyer,
        issue_date,
        due_date,
        supply_date,
        currency,
        lines,
        note,
    } = invoice;
    documents::Invoice {
        kind,
        buyer,
        issue_date,
        due_date,
        supply_date,
        currency,
        lines,
        note,
        ..documents::Invoice::default()
    }
}

/// The simple view of a document, with its lines and tax breakdown.
#[must_use]
pub fn from_document(document: documents::Document) -> simple::Invoice {
    let status = document.status;
    let content = document
        .content
        .and_then(|content| content.invoice)
        .unwrap_or_default();
    let totals = content.totals.unwrap_or_default();
    simple::Invoice {
        document_key: document.document_key,
        organization_id: document.organization_id,
        status,
        concurrency_stamp: document.concurrency_stamp,
        number: content.number,
        kind: content.kind,
        buyer: content.buyer,
        issue_date: content.issue_date,
        due_date: content.due_date,
        supply_date: content.supply_date,
        currency: content.currency,
        net: totals.net,
        tax: totals.tax,
        gross: totals.gross,
        payable: totals.payable,
        note: content.note,
        lines: content.lines,
        tax_breakdown: content.tax_breakdown,
        created: document.created,
        updated: document.updated,
        issued: document.issued,
        frozen: document.frozen,
        open: String::new(),
        payment_state: 0,
        authority_state: document.authority.as_ref().map(|authority| authority.state),
        authority_has_warnings: document
            .authority
            .is_some_and(|authority| authority.has_warnings),
    }
}
