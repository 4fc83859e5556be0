//! Views made of the contract's messages.

use invoicing_contract::invoice_mapping;
use invoicing_contract::messages::{documents, simple};

use super::form::to_form;
use crate::administration::submission_state;
use crate::views::{
    BuyerContent, CurrencySum, Event, InvoiceContent, InvoiceKind, InvoiceRow, InvoiceStatus,
    InvoiceView, LineView, LocalizedText, PaymentState, TaxRow,
};

/// The state of a row or balance; `None` if it asks for no payment.
pub(crate) fn payment_state(state: documents::PaymentState) -> Option<PaymentState> {
    match state {
        documents::PaymentState::Unspecified => None,
        documents::PaymentState::Open => Some(PaymentState::Open),
        documents::PaymentState::PartlyPaid => Some(PaymentState::PartlyPaid),
        documents::PaymentState::Paid => Some(PaymentState::Paid),
        documents::PaymentState::Overdue => Some(PaymentState::Overdue),
        documents::PaymentState::Credited => Some(PaymentState::Credited),
        documents::PaymentState::ToRefund => Some(PaymentState::ToRefund),
    }
}

pub(crate) fn sum(sum: simple::CurrencySum) -> CurrencySum {
    let simple::CurrencySum {
        currency,
        count,
        net,
        tax,
        gross,
    } = sum;
    CurrencySum {
        currency,
        count: u32::try_from(count).unwrap_or(0),
        net,
        tax,
        gross,
    }
}

/// A row of the list.
pub(crate) fn row(invoice: &simple::Invoice) -> InvoiceRow {
    InvoiceRow {
        key: invoice.document_key.as_str().into(),
        number: invoice.number.clone(),
        kind: kind_from_wire(invoice.kind()),
        status: status_from_wire(invoice.status()),
        buyer: invoice
            .buyer
            .as_ref()
            .and_then(|buyer| buyer.name.clone())
            .map(text_from_wire)
            .unwrap_or_default(),
        issue_date: invoice.issue_date.clone(),
        due_date: invoice.due_date.clone(),
        currency: invoice.currency.clone(),
        net: invoice.net.clone(),
        tax: invoice.tax.clone(),
        gross: invoice.gross.clone(),
        open: invoice.open.clone(),
        payment: payment_state(invoice.payment_state()),
        submission: submission_state(invoice.authority_state()),
        has_warnings: invoice.authority_has_warnings,
        stamp: invoice.concurrency_stamp.as_str().into(),
    }
}

/// An invoice of the simple API. What a credit note corrects is not in it.
pub(crate) fn view(invoice: simple::Invoice) -> InvoiceView {
    let whole = documents::Invoice {
        kind: invoice.kind,
        buyer: invoice.buyer.clone(),
        issue_date: invoice.issue_date.clone(),
        due_date: invoice.due_date.clone(),
        supply_date: invoice.supply_date.clone(),
        currency: invoice.currency.clone(),
        lines: invoice.lines.clone(),
        note: invoice.note.clone(),
        ..documents::Invoice::default()
    };
    view_with(invoice, content(whole))
}

/// A whole document.
pub(crate) fn document_view(document: documents::Document) -> InvoiceView {
    let content = content(invoice_of(&document));
    view_with(invoice_mapping::simple::from_document(document), content)
}

/// What the form shows of a document's invoice.
pub(crate) fn content(invoice: documents::Invoice) -> InvoiceContent {
    // An undefined enum number is shown as its default, as protobuf asks of a reader.
    let (content, _) = invoice_mapping::to_content(invoice);
    to_form(content)
}

/// A party as the form shows a buyer.
pub(crate) fn buyer_of(details: documents::Party) -> BuyerContent {
    let invoice = documents::Invoice {
        buyer: Some(details),
        ..documents::Invoice::default()
    };
    content(invoice).buyer
}

/// The invoice in a document; empty if it has none.
pub(crate) fn invoice_of(document: &documents::Document) -> documents::Invoice {
    document
        .content
        .clone()
        .and_then(|content| content.invoice)
        .unwrap_or_default()
}

fn view_with(invoice: simple::Invoice, content: InvoiceContent) -> InvoiceView {
    let row = row(&invoice);
    InvoiceView {
        row,
        content,
        lines: invoice
            .lines
            .into_iter()
            .map(|line| LineView { net: line.net })
            .collect(),
        tax_breakdown: invoice.tax_breakdown.into_iter().map(tax_row).collect(),
        payable: invoice.payable,
        created: invoice.created.and_then(event),
        updated: invoice.updated.and_then(event),
        issued: invoice.issued.and_then(event),
        frozen: invoice.frozen.and_then(event),
        merged: None,
        created_earlier: false,
        draft_left: false,
        offline_as_of: None,
    }
}

fn tax_row(subtotal: documents::TaxSubtotal) -> TaxRow {
    TaxRow {
        category: subtotal.category,
        rate: subtotal.rate,
        taxable: subtotal.taxable,
        tax: subtotal.tax,
    }
}

/// Who, and when.
pub(crate) fn event(event: documents::Event) -> Option<Event> {
    let time = event.moment()?;
    let by = if event.by_name.is_empty() {
        event.by
    } else {
        event.by_name
    };
    Some(Event {
        time: time.to_string(),
        by,
    })
}

fn text_from_wire(text: documents::LocalizedText) -> LocalizedText {
    LocalizedText {
        ar: text.ar,
        en: text.en,
    }
}

pub(super) fn status_from_wire(status: documents::Status) -> InvoiceStatus {
    match status {
        documents::Status::Draft | documents::Status::Unspecified => InvoiceStatus::Draft,
        documents::Status::Issued => InvoiceStatus::Issued,
        documents::Status::Frozen => InvoiceStatus::Frozen,
        documents::Status::Rejected => InvoiceStatus::Rejected,
    }
}

pub(super) fn kind_from_wire(kind: documents::Kind) -> InvoiceKind {
    match kind {
        documents::Kind::Invoice | documents::Kind::Unspecified => InvoiceKind::Invoice,
        documents::Kind::CreditNote => InvoiceKind::CreditNote,
        documents::Kind::DebitNote => InvoiceKind::DebitNote,
    }
}
