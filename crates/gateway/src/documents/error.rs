//! What an operation on documents can fail with, and the Status that it becomes (contract, part 7).

use std::collections::BTreeSet;
use std::time::Duration;

use invoice::Violation;
use invoicing_contract::{Code, Detail, FieldViolation, Status};

use invoicing_storage::StorageError;

/// Most violations that are told. Over gRPC they travel in a header, and clients bound those.
const MOST: usize = 100;

/// Why an operation was not done. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// No content was sent.
    #[error("invoice content is required")]
    ContentMissing {
        /// Path of what is missing.
        field: &'static str,
    },
    /// The content breaks rules.
    #[error("the invoice breaks {} rules", .0.len())]
    InvalidInvoice(Vec<FieldViolation>),
    /// With what other credit notes give back it is more than what it corrects came to.
    #[error("the credit note gives back too much")]
    CreditedAlready(Violation),
    /// Other fields of the request are wrong.
    #[error("{} fields of the request are wrong", .0.len())]
    InvalidRequest(Vec<FieldViolation>),
    /// There is no such document in this organization.
    #[error("there is no such document")]
    NotFound,
    /// The organization has a document with this key.
    #[error("a document with this key exists")]
    KeyTaken,
    /// Somebody wrote since the stamp was read.
    #[error("the document has changed since it was read")]
    Stale,
    /// Frozen documents never change.
    #[error("the document is frozen")]
    Frozen {
        /// BT-1
        number: String,
        /// RFC 3339
        at: String,
        /// The name of who froze it.
        by: String,
    },
    /// Only what is issued can be frozen.
    #[error("the document is not issued")]
    NotIssued,
    /// What is issued is neither edited, deleted nor issued again.
    #[error("the document is issued")]
    Issued {
        /// BT-1
        number: String,
    },
    /// The plan allows no more documents this month.
    #[error("the plan's documents of this month are used up")]
    PlanLimit {
        /// Documents a month.
        limit: i64,
        /// Until the month ends.
        wait: Duration,
    },
    /// The tax authority did not answer, or not in time.
    #[error("the tax authority does not answer")]
    AuthorityUnavailable,
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<DocumentError> for Status {
    fn from(error: DocumentError) -> Self {
        let message = error.to_string();
        match error {
            DocumentError::ContentMissing { field } => {
                let violation = FieldViolation::new(field, "invoice content is required");
                Self::invalid("INVALID_INVOICE", message, vec![violation])
            }
            DocumentError::InvalidInvoice(mut violations) => {
                let rules: BTreeSet<_> = violations.iter().filter_map(rule).collect();
                let rules = rules.into_iter().collect::<Vec<_>>().join(" ");
                violations.truncate(MOST);
                Self::invalid("INVALID_INVOICE", message, violations).with_metadata("rules", rules)
            }
            DocumentError::CreditedAlready(violation) => {
                let Violation {
                    path,
                    rule,
                    description,
                    data,
                } = violation;
                // The path of what was sent when it was drafted: the request for a number has no content.
                let told = FieldViolation::new(
                    format!("changes.content.invoice.{path}"),
                    format!("{rule}: {description}"),
                );
                let status = Self::invalid("INVALID_INVOICE", message, vec![told]);
                data.into_iter().fold(
                    status.with_metadata("rules", rule),
                    |status, (name, value)| status.with_metadata(name, value),
                )
            }
            DocumentError::InvalidRequest(violations) => {
                Self::invalid("INVALID_REQUEST", message, violations)
            }
            DocumentError::NotFound => Self::new(Code::NotFound, "DOCUMENT_NOT_FOUND", message),
            DocumentError::KeyTaken => Self::new(Code::AlreadyExists, "DOCUMENT_EXISTS", message),
            DocumentError::Stale => Self::new(Code::Aborted, "STAMP_MISMATCH", message),
            DocumentError::Frozen { number, at, by } => {
                let status = Self::new(Code::FailedPrecondition, "DOCUMENT_FROZEN", message);
                status
                    .with_metadata("number", number)
                    .with_metadata("frozenAt", at)
                    .with_metadata("frozenBy", by)
            }
            DocumentError::NotIssued => {
                Self::new(Code::FailedPrecondition, "DOCUMENT_NOT_ISSUED", message)
            }
            DocumentError::Issued { number } => {
                Self::new(Code::FailedPrecondition, "DOCUMENT_ISSUED", message)
                    .with_metadata("number", number)
            }
            DocumentError::PlanLimit { limit, wait } => {
                let status = Self::new(Code::ResourceExhausted, "PLAN_LIMIT", message);
                status
                    .with_metadata("limit", limit.to_string())
                    .with(Detail::RetryInfo { delay: wait })
            }
            DocumentError::AuthorityUnavailable => {
                Self::new(Code::Unavailable, "AUTHORITY_UNAVAILABLE", message)
            }
            DocumentError::Storage(error) => Self::from(&error),
        }
    }
}

/// The rule that a description begins with.
fn rule(violation: &FieldViolation) -> Option<&str> {
    Some(violation.description.split_once(": ")?.0).filter(|rule| !rule.contains(' '))
}
