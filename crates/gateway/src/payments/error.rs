//! Errors of operations on payments, and the Status of each.

use invoice::Money;
use invoicing_contract::{Code, FieldViolation, Status};
use invoicing_storage::StorageError;
use invoicing_storage::payments::Receivable;

use crate::documents::DocumentError;
use crate::rpc_response::OperationError;

/// Why an operation was not done. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PaymentError {
    /// Fields of the request are invalid.
    #[error("{} fields of the request are wrong", .0.len())]
    InvalidRequest(Vec<FieldViolation>),
    /// The document has no payment with the key.
    #[error("there is no such payment")]
    NotFound,
    /// The document has a payment with the key of the new one.
    #[error("a payment with this key exists")]
    KeyExists,
    /// The payment is more than what is open, or the refund than what the buyer gets back.
    #[error("the payment is more than what is open")]
    AboveOpen(Receivable),
    /// The payment is voided.
    #[error("the payment is voided already")]
    AlreadyVoided,
    /// An entry that voids a payment cannot be voided. The payment is recorded anew instead.
    #[error("the entry voids a payment")]
    IsVoid,
    /// The credit note was numbered before there were refunds.
    #[error(
        "the credit note has no payments: a refund is recorded with the document that it corrects"
    )]
    NoReceivable,
    /// The document has no payments because of its state, or does not exist.
    #[error(transparent)]
    Document(DocumentError),
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl OperationError for PaymentError {
    fn storage_error(&self) -> Option<&StorageError> {
        if let Self::Document(error) = self {
            error.storage_error()
        } else if let Self::Storage(error) = self {
            Some(error)
        } else {
            None
        }
    }
}

impl From<FieldViolation> for PaymentError {
    fn from(violation: FieldViolation) -> Self {
        Self::InvalidRequest(vec![violation])
    }
}

impl From<PaymentError> for Status {
    fn from(error: PaymentError) -> Self {
        let message = error.to_string();
        match error {
            PaymentError::InvalidRequest(violations) => {
                Self::invalid("INVALID_REQUEST", message, violations)
            }
            PaymentError::NotFound => Self::new(Code::NotFound, "PAYMENT_NOT_FOUND", message),
            PaymentError::KeyExists => Self::new(Code::AlreadyExists, "PAYMENT_EXISTS", message),
            PaymentError::AboveOpen(receivable) => {
                let open = Money::from_minor(receivable.open(), receivable.currency);
                let open = open.map(|open| open.to_string()).unwrap_or_default();
                Self::new(Code::FailedPrecondition, "PAYMENT_ABOVE_OPEN", message)
                    .with_metadata("open", open)
                    .with_metadata("currency", receivable.currency.code())
            }
            PaymentError::AlreadyVoided => {
                Self::new(Code::FailedPrecondition, "PAYMENT_VOIDED", message)
            }
            PaymentError::IsVoid => Self::new(Code::FailedPrecondition, "PAYMENT_IS_VOID", message),
            PaymentError::NoReceivable => {
                Self::new(Code::FailedPrecondition, "DOCUMENT_NOT_PAYABLE", message)
            }
            PaymentError::Document(error) => error.into(),
            PaymentError::Storage(error) => Self::from(&error),
        }
    }
}
