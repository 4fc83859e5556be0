//! Between the messages of the contract and what the screens show.

use invoicing_contract::messages::{documents, simple};
use jiff::civil::Date;

use super::typed;
use crate::views::{
    BuyerContent, Correction, CurrencySum, Event, InvoiceContent, InvoiceKind, InvoiceQuery,
    InvoiceRow, InvoiceStatus, InvoiceView, LineContent, LineView, LocalizedText, SortField,
    TaxRow,
};

/// The request for a page, without the token of the page.
pub(crate) fn list_request(query: &InvoiceQuery) -> simple::ListInvoicesRequest {
    let dates = |from: &str, to: &str| {
        (!from.is_empty() || !to.is_empty()).then(|| simple::DateRange {
            from: from.to_owned(),
            to: to.to_owned(),
        })
    };
    let amounts = |from: &str, to: &str| {
        (!from.is_empty() || !to.is_empty()).then(|| simple::AmountRange {
            from: from.to_owned(),
            to: to.to_owned(),
        })
    };
    let sort = query.sort.map(|sort| simple::Sort {
        field: sort_field(sort.field).into(),
        descending: sort.descending,
    });
    simple::ListInvoicesRequest {
        filter: Some(simple::Filter {
            status: query
                .status
                .iter()
                .map(|status| status_to_wire(*status).into())
                .collect(),
            kind: query
                .kind
                .iter()
                .map(|kind| kind_to_wire(*kind).into())
                .collect(),
            buyer: query.buyer.trim().to_owned(),
            number: query.number.trim().to_owned(),
            issue_date: dates(&query.issued_from, &query.issued_to),
            due_date: dates(&query.due_from, &query.due_to),
            gross: amounts(&query.gross_from, &query.gross_to),
            currency: query.currency.clone(),
        }),
        sort: sort.into_iter().collect(),
        page_size: i32::try_from(query.page_size).unwrap_or(i32::MAX),
        page_token: String::new(),
        skip: i32::try_from(query.skip).unwrap_or(i32::MAX),
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

/// A row of a list.
pub(crate) fn row(invoice: &simple::Invoice, today: Date) -> InvoiceRow {
    let status = status_from_wire(invoice.status());
    let kind = kind_from_wire(invoice.kind());
    InvoiceRow {
        key: invoice.document_key.clone(),
        number: invoice.number.clone(),
        kind,
        status,
        buyer: invoice
            .buyer
            .as_ref()
            .and_then(|buyer| buyer.name.clone())
            .map(text_from_wire)
            .unwrap_or_default(),
        issue_date: invoice.issue_date.clone(),
        due_date: invoice.due_date.clone(),
        overdue_days: overdue(status, kind, &invoice.due_date, today),
        currency: invoice.currency.clone(),
        net: invoice.net.clone(),
        tax: invoice.tax.clone(),
        gross: invoice.gross.clone(),
        stamp: invoice.concurrency_stamp.clone(),
    }
}

/// An invoice whole, of the flat view. What a credit note corrects is not in it.
pub(crate) fn view(invoice: simple::Invoice, today: Date) -> InvoiceView {
    let row = row(&invoice, today);
    let lines = invoice
        .lines
        .iter()
        .map(|line| LineView {
            net: line.net.clone(),
        })
        .collect();
    InvoiceView {
        content: InvoiceContent {
            kind: row.kind,
            buyer: invoice.buyer.map(buyer_from_wire).unwrap_or_default(),
            issue_date: invoice.issue_date,
            due_date: invoice.due_date,
            supply_date: invoice.supply_date,
            lines: lines_from_wire(invoice.lines, &invoice.currency),
            currency: invoice.currency,
            note: invoice.note,
            correction: None,
        },
        lines,
        tax_breakdown: invoice.tax_breakdown.into_iter().map(tax_row).collect(),
        payable: invoice.payable,
        created: invoice.created.and_then(event),
        updated: invoice.updated.and_then(event),
        issued: invoice.issued.and_then(event),
        frozen: invoice.frozen.and_then(event),
        merged: None,
        row,
    }
}

/// A document whole.
pub(crate) fn document_view(document: documents::Document, today: Date) -> InvoiceView {
    let status = status_from_wire(document.status());
    let invoice = document
        .content
        .and_then(|content| content.invoice)
        .unwrap_or_default();
    let content = content(&invoice);
    let totals = invoice.totals.unwrap_or_default();
    let row = InvoiceRow {
        key: document.document_key,
        number: invoice.number,
        kind: content.kind,
        status,
        buyer: content.buyer.name.clone(),
        issue_date: content.issue_date.clone(),
        due_date: content.due_date.clone(),
        overdue_days: overdue(status, content.kind, &content.due_date, today),
        currency: content.currency.clone(),
        net: totals.net,
        tax: totals.tax,
        gross: totals.gross,
        stamp: document.concurrency_stamp,
    };
    InvoiceView {
        row,
        lines: invoice
            .lines
            .into_iter()
            .map(|line| LineView { net: line.net })
            .collect(),
        tax_breakdown: invoice.tax_breakdown.into_iter().map(tax_row).collect(),
        payable: totals.payable,
        created: document.created.and_then(event),
        updated: document.updated.and_then(event),
        issued: document.issued.and_then(event),
        frozen: document.frozen.and_then(event),
        merged: None,
        content,
    }
}

/// What the form shows of a document's invoice.
pub(crate) fn content(invoice: &documents::Invoice) -> InvoiceContent {
    let preceding = invoice.preceding.first();
    let correction = (preceding.is_some() || !invoice.reason.is_empty()).then(|| {
        let preceding = preceding.cloned().unwrap_or_default();
        Correction {
            key: preceding.document_key,
            number: preceding.number,
            issue_date: preceding.issue_date,
            reason: invoice.reason.clone(),
        }
    });
    InvoiceContent {
        kind: kind_from_wire(invoice.kind()),
        buyer: invoice
            .buyer
            .clone()
            .map(buyer_from_wire)
            .unwrap_or_default(),
        issue_date: invoice.issue_date.clone(),
        due_date: invoice.due_date.clone(),
        supply_date: invoice.supply_date.clone(),
        currency: invoice.currency.clone(),
        lines: lines_from_wire(invoice.lines.clone(), &invoice.currency),
        note: invoice.note.clone(),
        correction,
    }
}

fn buyer_from_wire(party: documents::Party) -> BuyerContent {
    let address = party.address.unwrap_or_default();
    BuyerContent {
        name: party.name.map(text_from_wire).unwrap_or_default(),
        tax_id: party.tax_id,
        street: address.street,
        building: address.building,
        district: address.district,
        city: address.city,
        postal_code: address.postal_code,
        country: address.country,
    }
}

fn lines_from_wire(lines: Vec<documents::Line>, currency: &str) -> Vec<LineContent> {
    let minor_units = typed::minor_units(currency);
    lines
        .into_iter()
        .map(|line| line_from_wire(line, minor_units))
        .collect()
}

fn line_from_wire(line: documents::Line, minor_units: u32) -> LineContent {
    let tax = line.tax.unwrap_or_default();
    LineContent {
        description: line.description.map(text_from_wire).unwrap_or_default(),
        quantity: typed::shown(line.quantity, 0),
        unit: line.unit,
        unit_price: typed::shown(line.unit_price, minor_units),
        tax_category: tax.category,
        tax_rate: typed::shown(tax.rate, 0),
        exemption_code: tax.exemption_code,
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

fn event(event: documents::Event) -> Option<Event> {
    let time = event.time?;
    let time = jiff::Timestamp::new(time.seconds, time.nanos).ok()?;
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

/// Days past due, for what asks to be paid.
fn overdue(status: InvoiceStatus, kind: InvoiceKind, due_date: &str, today: Date) -> Option<u32> {
    if !matches!(status, InvoiceStatus::Issued | InvoiceStatus::Frozen)
        || kind == InvoiceKind::CreditNote
    {
        return None;
    }
    let due: Date = due_date.parse().ok()?;
    let days = today.since(due).ok()?.get_days();
    u32::try_from(days).ok().filter(|days| *days > 0)
}

fn sort_field(field: SortField) -> simple::SortField {
    match field {
        SortField::IssueDate => simple::SortField::IssueDate,
        SortField::DueDate => simple::SortField::DueDate,
        SortField::Number => simple::SortField::Number,
        SortField::Buyer => simple::SortField::Buyer,
        SortField::Gross => simple::SortField::Gross,
        SortField::Status => simple::SortField::Status,
        SortField::Updated => simple::SortField::Updated,
    }
}

fn status_to_wire(status: InvoiceStatus) -> documents::Status {
    match status {
        InvoiceStatus::Draft => documents::Status::Draft,
        InvoiceStatus::Issued => documents::Status::Issued,
        InvoiceStatus::Frozen => documents::Status::Frozen,
        InvoiceStatus::Rejected => documents::Status::Rejected,
    }
}

fn status_from_wire(status: documents::Status) -> InvoiceStatus {
    match status {
        documents::Status::Draft | documents::Status::Unspecified => InvoiceStatus::Draft,
        documents::Status::Issued => InvoiceStatus::Issued,
        documents::Status::Frozen => InvoiceStatus::Frozen,
        documents::Status::Rejected => InvoiceStatus::Rejected,
    }
}

pub(super) fn kind_to_wire(kind: InvoiceKind) -> documents::Kind {
    match kind {
        InvoiceKind::Invoice => documents::Kind::Invoice,
        InvoiceKind::CreditNote => documents::Kind::CreditNote,
        InvoiceKind::DebitNote => documents::Kind::DebitNote,
    }
}

fn kind_from_wire(kind: documents::Kind) -> InvoiceKind {
    match kind {
        documents::Kind::Invoice | documents::Kind::Unspecified => InvoiceKind::Invoice,
        documents::Kind::CreditNote => InvoiceKind::CreditNote,
        documents::Kind::DebitNote => InvoiceKind::DebitNote,
    }
}
