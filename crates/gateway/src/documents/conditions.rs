//! What must hold before a document is written.

use invoicing_contract::FieldViolation;
use invoicing_contract::messages::documents::{Document, Invoice, Status};
use jiff::Timestamp;

use super::DocumentError;

/// The invoice, unless it is missing or empty.
pub(super) fn given(
    invoice: Option<Invoice>,
    field: &'static str,
) -> Result<Invoice, DocumentError> {
    invoice
        .filter(|invoice| *invoice != Invoice::default())
        .ok_or(DocumentError::ContentMissing { field })
}

/// Every write but the first names the stamp of the state that was read.
pub(super) fn stamped(stamp: &str) -> Result<(), FieldViolation> {
    if stamp.is_empty() {
        return Err(FieldViolation::new(
            "concurrencyStamp",
            "is required: that of the state which was read",
        ));
    }
    Ok(())
}

/// Only what is not issued can be edited, deleted or issued.
pub(super) fn editable(document: &Document) -> Result<(), DocumentError> {
    match document.status() {
        Status::Draft | Status::Rejected | Status::Unspecified => Ok(()),
        Status::Issued => Err(DocumentError::Issued {
            number: invoice(document).map_or_else(String::new, |invoice| invoice.number.clone()),
        }),
        Status::Frozen => Err(frozen(document)),
    }
}

/// Nobody wrote since the stamp was read.
pub(super) fn fresh(document: &Document, stamp: &str) -> Result<(), DocumentError> {
    if document.concurrency_stamp == stamp {
        Ok(())
    } else {
        Err(DocumentError::Stale)
    }
}

pub(super) fn frozen(document: &Document) -> DocumentError {
    let event = document.frozen.clone().unwrap_or_default();
    let time = event
        .time
        .and_then(|time| Timestamp::new(time.seconds, time.nanos).ok());
    DocumentError::Frozen {
        number: invoice(document).map_or_else(String::new, |invoice| invoice.number.clone()),
        at: time.map_or_else(String::new, |time| time.to_string()),
        by: event.by_name,
    }
}

pub(super) fn invoice(document: &Document) -> Option<&Invoice> {
    document.content.as_ref()?.invoice.as_ref()
}

pub(super) fn invoice_mut(document: &mut Document) -> Option<&mut Invoice> {
    document.content.as_mut()?.invoice.as_mut()
}
