//! Conditions that a request and a stored document must meet before a write.

use invoicing_contract::ConcurrencyStamp;
use invoicing_contract::messages::documents::{Document, Invoice, Status};
use invoicing_storage::documents::assigned_number;

use super::DocumentError;
use crate::clearance::{is_unanswered, state_name};

/// The invoice of a request. An empty one counts as missing.
pub(super) fn require_invoice(
    invoice: Option<Invoice>,
    path: &'static str,
) -> Result<Invoice, DocumentError> {
    invoice
        .filter(|invoice| *invoice != Invoice::default())
        .ok_or(DocumentError::ContentMissing { path })
}

/// Only drafts and rejected documents can be edited or issued.
pub(super) fn check_editable(document: &Document) -> Result<(), DocumentError> {
    match document.status() {
        Status::Draft | Status::Rejected | Status::Unspecified => Ok(()),
        Status::Issued => Err(DocumentError::AlreadyIssued {
            number: number(document),
        }),
        Status::Frozen => Err(frozen(document)),
    }
}

/// Only what has no number can be deleted: a rejected document keeps its number, and the series has no gaps.
pub(super) fn check_deletable(document: &Document) -> Result<(), DocumentError> {
    check_editable(document)?;
    let number = number(document);
    if number.is_empty() {
        Ok(())
    } else {
        Err(DocumentError::AlreadyIssued { number })
    }
}

/// Only issued documents whose authority has answered can be frozen.
pub(super) fn check_issued(document: &Document) -> Result<(), DocumentError> {
    match document.status() {
        Status::Issued if is_unanswered(document) => Err(DocumentError::AwaitingAuthority {
            number: number(document),
            state: state_name(document.authority.clone().unwrap_or_default().state()),
        }),
        Status::Issued => Ok(()),
        Status::Frozen => Err(frozen(document)),
        Status::Draft | Status::Rejected | Status::Unspecified => Err(DocumentError::NotIssued),
    }
}

/// The document has not been written since the stamp was read.
pub(super) fn check_stamp(
    document: &Document,
    stamp: &ConcurrencyStamp,
) -> Result<(), DocumentError> {
    if document.concurrency_stamp == stamp.as_str() {
        Ok(())
    } else {
        Err(DocumentError::StampMismatch)
    }
}

pub(super) fn invoice(document: &Document) -> Option<&Invoice> {
    document.content.as_ref()?.invoice.as_ref()
}

pub(super) fn invoice_mut(document: &mut Document) -> Option<&mut Invoice> {
    document.content.as_mut()?.invoice.as_mut()
}

fn frozen(document: &Document) -> DocumentError {
    let event = document.frozen.clone().unwrap_or_default();
    DocumentError::Frozen {
        number: number(document),
        frozen_at: event.moment(),
        frozen_by: event.by_name,
    }
}

fn number(document: &Document) -> String {
    assigned_number(document).to_owned()
}
