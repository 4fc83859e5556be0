//! The request for a page of invoices.

use invoicing_contract::messages::{documents, simple};

use crate::views::{
    InvoiceKind, InvoiceQuery, InvoiceStatus, PaymentState, SortField, SubmissionState,
};

/// The request for a page. It pages with `skip`, without page tokens.
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
            payment_state: query
                .payment
                .iter()
                .map(|state| payment_to_wire(*state).into())
                .collect(),
            authority_state: query
                .submission
                .iter()
                .map(|state| submission_to_wire(*state).into())
                .collect(),
        }),
        sort: sort.into_iter().collect(),
        page_size: i32::try_from(query.page_size).unwrap_or(i32::MAX),
        page_token: String::new(),
        skip: i32::try_from(query.skip).unwrap_or(i32::MAX),
    }
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

fn payment_to_wire(state: PaymentState) -> documents::PaymentState {
    match state {
        PaymentState::Open => documents::PaymentState::Open,
        PaymentState::PartlyPaid => documents::PaymentState::PartlyPaid,
        PaymentState::Credited => documents::PaymentState::Credited,
        PaymentState::ToRefund => documents::PaymentState::ToRefund,
        PaymentState::Paid => documents::PaymentState::Paid,
        PaymentState::Overdue => documents::PaymentState::Overdue,
    }
}

fn submission_to_wire(state: SubmissionState) -> documents::AuthorityState {
    match state {
        SubmissionState::Pending => documents::AuthorityState::Pending,
        SubmissionState::Unanswered => documents::AuthorityState::Unknown,
        SubmissionState::Cleared => documents::AuthorityState::Cleared,
        SubmissionState::Reported => documents::AuthorityState::Reported,
        SubmissionState::Accepted => documents::AuthorityState::Accepted,
        SubmissionState::Rejected => documents::AuthorityState::Rejected,
    }
}

fn kind_to_wire(kind: InvoiceKind) -> documents::Kind {
    match kind {
        InvoiceKind::Invoice => documents::Kind::Invoice,
        InvoiceKind::CreditNote => documents::Kind::CreditNote,
        InvoiceKind::DebitNote => documents::Kind::DebitNote,
    }
}
