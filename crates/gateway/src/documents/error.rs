//! Errors of operations on documents, and the Status of each (contract, part 7).

use std::collections::BTreeSet;
use std::time::Duration;

use invoice::Violation;
use invoice::xml::{ReadError, WriteError};
use invoicing_contract::{Code, Detail, FieldViolation, OrganizationId, QuotaViolation, Status};
use invoicing_storage::StorageError;
use jiff::Timestamp;

use super::lifecycle::CREATE_PATHS;
use super::{PdfError, XlsxFileError, export, turns};
use crate::clearance::SealError;
use crate::gateway_error::rate_limit_status;
use crate::rpc_response::OperationError;

/// Why an operation was not done. Nothing was written, except where a variant says it.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The request has no invoice.
    #[error("invoice content is required")]
    ContentMissing {
        /// The path of the missing field.
        path: &'static str,
    },
    /// The invoice violates rules.
    #[error("the invoice breaks {} rules", .0.len())]
    InvalidInvoice(Vec<FieldViolation>),
    /// Credit notes keep a document from being numbered. What it lacks when it is issued is [`Self::InvalidInvoice`].
    #[error("the document cannot be issued as it is: {}", .0.description)]
    NotIssuable(Violation),
    /// Other fields of the request are invalid.
    #[error("{} fields of the request are wrong", .0.len())]
    InvalidRequest(Vec<FieldViolation>),
    /// The organization has no document with the key.
    #[error("there is no such document")]
    NotFound,
    /// The organization has a document with the key of the new one.
    #[error("a document with this key exists")]
    KeyExists,
    /// The document was written since the stamp was read.
    #[error("the document has changed since it was read")]
    StampMismatch,
    /// A frozen document never changes.
    #[error("the document is frozen")]
    Frozen {
        /// BT-1
        number: String,
        /// When it was frozen. `None` if the stored time is damaged.
        frozen_at: Option<Timestamp>,
        /// The name of the person who froze it.
        frozen_by: String,
    },
    /// Only an issued document can be frozen.
    #[error("the document is not issued")]
    NotIssued,
    /// An issued document cannot be edited, deleted or issued again.
    #[error("the document is issued")]
    AlreadyIssued {
        /// BT-1
        number: String,
    },
    /// The plan lacks what the content of the document needs (decision 0118).
    #[error("the plan does not include this")]
    NotEntitled,
    /// The month's limit of the plan is reached.
    #[error("the plan's documents of this month are used up")]
    PlanLimit {
        /// Whose plan it is.
        organization: OrganizationId,
        /// Documents per month.
        limit: i64,
        /// Time until the next month.
        wait: Duration,
    },
    /// A batch has more entries than the organization may still send (decision 0179). No entry was begun.
    #[error("the batch has more entries than requests are left")]
    RateLimit {
        /// Whose limit it is.
        organization: OrganizationId,
        /// The limit.
        requests_per_minute: u32,
        /// Time until the batch is accepted, if there are no other requests meanwhile.
        wait: Duration,
    },
    /// The document has no attachment with the id.
    #[error("there is no such attachment")]
    AttachmentNotFound,
    /// The document has an attachment with the id of the new one.
    #[error("an attachment with this id exists")]
    AttachmentExists,
    /// The document has as many attachments as it may.
    #[error("a document has at most {most} attachments")]
    TooManyAttachments {
        /// Attachments of a document.
        most: usize,
    },
    /// The file cannot be read as a document.
    #[error("the file cannot be read")]
    UnreadableFile(#[source] ReadError),
    /// The document cannot be written as UBL.
    #[error("the document cannot be written as UBL")]
    NotWritable(#[source] WriteError),
    /// Too many UBL files are made.
    #[error("too many UBL files are made at once")]
    UblQueueFull,
    /// Too many large invoices are checked, or files read.
    #[error("too many large invoices and files are checked at once")]
    CheckQueueFull,
    /// There is no PDF.
    #[error(transparent)]
    Pdf(#[from] PdfError),
    /// An export of the organization runs, or too many of others.
    #[error("too many exports run at once")]
    ExportBusy,
    /// The caller has not taken the file in time.
    #[error("the export took too long")]
    ExportTimeout,
    /// A workbook cannot hold so many rows.
    #[error("a workbook holds at most {most} rows, and the filter has {rows}")]
    ExportTooLarge {
        /// The documents of the filter.
        rows: u64,
        /// The rows of a worksheet.
        most: u64,
    },
    /// Rows cannot be written as CSV.
    #[error("the rows cannot be written")]
    Csv(#[source] csv::Error),
    /// The workbook failed.
    #[error(transparent)]
    Xlsx(XlsxFileError),
    /// The document is issued, and the tax authority has not answered yet.
    #[error("the tax authority does not answer")]
    TaxAuthorityUnavailable {
        /// BT-1
        number: String,
        /// `pending` or `unknown`.
        state: &'static str,
    },
    /// The tax authority has to answer first.
    #[error("the tax authority has not answered yet")]
    AwaitingAuthority {
        /// BT-1
        number: String,
        /// `pending` or `unknown`.
        state: &'static str,
    },
    /// Nothing is sent for the document: the authority has answered, or there is none.
    #[error("the document does not wait for the tax authority")]
    NotAwaitingAuthority {
        /// BT-1; empty if it has none.
        number: String,
    },
    /// The document has no submission with the id.
    #[error("there is no such submission")]
    SubmissionNotFound,
    /// The document has no form for the tax authority.
    #[error("the document cannot be sent to the tax authority: {0}")]
    NotSealable(#[source] invoice::xml::WriteError),
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl OperationError for DocumentError {
    fn storage_error(&self) -> Option<&StorageError> {
        if let Self::Storage(error) = self {
            Some(error)
        } else {
            None
        }
    }

    fn is_internal(&self) -> bool {
        matches!(
            self,
            Self::Storage(
                StorageError::Corrupt(_) | StorageError::InDoubt(_) | StorageError::Unexpected(_),
            ) | Self::Pdf(PdfError::Render(_) | PdfError::Panic(_))
                | Self::Csv(_)
                | Self::Xlsx(_)
        )
    }
}

impl From<FieldViolation> for DocumentError {
    fn from(violation: FieldViolation) -> Self {
        Self::InvalidRequest(vec![violation])
    }
}

impl From<SealError> for DocumentError {
    fn from(error: SealError) -> Self {
        match error {
            SealError::Write(error) => Self::NotSealable(error),
            SealError::Adapter(error) => Self::Storage(error),
        }
    }
}

impl From<DocumentError> for Status {
    fn from(error: DocumentError) -> Self {
        let message = error.to_string();
        match error {
            DocumentError::ContentMissing { path } => {
                let violation = FieldViolation::new(path, "invoice content is required");
                Self::invalid("INVALID_INVOICE", message, vec![violation])
            }
            DocumentError::InvalidInvoice(violations) => {
                let rules: BTreeSet<_> = violations.iter().filter_map(rule).collect();
                let rules = rules.into_iter().collect::<Vec<_>>().join(" ");
                Self::invalid("INVALID_INVOICE", message, violations).with_metadata("rules", rules)
            }
            DocumentError::NotIssuable(violation) => {
                let Violation {
                    path,
                    rule,
                    description,
                    data,
                } = violation;
                // The path in the request that created the draft. The request that issues it has no content.
                let violation = FieldViolation::of_rule(
                    format!("{}{path}", CREATE_PATHS.invoice),
                    rule,
                    description,
                );
                let status = Self::invalid("INVALID_INVOICE", message, vec![violation]);
                data.into_iter().fold(
                    status.with_metadata("rules", rule),
                    |status, (name, value)| status.with_metadata(name, value),
                )
            }
            DocumentError::InvalidRequest(violations) => {
                Self::invalid("INVALID_REQUEST", message, violations)
            }
            DocumentError::NotFound => Self::new(Code::NotFound, "DOCUMENT_NOT_FOUND", message),
            DocumentError::KeyExists => Self::new(Code::AlreadyExists, "DOCUMENT_EXISTS", message),
            DocumentError::StampMismatch => Self::new(Code::Aborted, "STAMP_MISMATCH", message),
            DocumentError::Frozen {
                number,
                frozen_at,
                frozen_by,
            } => {
                let status = Self::new(Code::FailedPrecondition, "DOCUMENT_FROZEN", message);
                status
                    .with_metadata("number", number)
                    .with_metadata(
                        "frozenAt",
                        frozen_at.map_or_else(String::new, |time| time.to_string()),
                    )
                    .with_metadata("frozenBy", frozen_by)
            }
            DocumentError::NotIssued => {
                Self::new(Code::FailedPrecondition, "DOCUMENT_NOT_ISSUED", message)
            }
            DocumentError::AlreadyIssued { number } => {
                Self::new(Code::FailedPrecondition, "DOCUMENT_ISSUED", message)
                    .with_metadata("number", number)
            }
            DocumentError::NotEntitled => Self::permission_denied(),
            DocumentError::PlanLimit {
                organization,
                limit,
                wait,
            } => {
                let violation = QuotaViolation::of_organization(
                    organization.as_str(),
                    format!("{limit} documents in a month"),
                );
                Self::new(Code::ResourceExhausted, "PLAN_LIMIT", message)
                    .with_metadata("limit", limit.to_string())
                    .with(Detail::QuotaFailure {
                        violations: vec![violation],
                    })
                    .with(Detail::RetryInfo { delay: wait })
            }
            DocumentError::RateLimit {
                organization,
                requests_per_minute,
                wait,
            } => rate_limit_status(&organization, requests_per_minute, wait),
            DocumentError::TaxAuthorityUnavailable { number, state } => {
                Self::new(Code::Unavailable, "AUTHORITY_UNAVAILABLE", message)
                    .with_metadata("number", number)
                    .with_metadata("state", state)
            }
            DocumentError::AwaitingAuthority { number, state } => {
                Self::new(Code::FailedPrecondition, "AUTHORITY_PENDING", message)
                    .with_metadata("number", number)
                    .with_metadata("state", state)
            }
            DocumentError::NotAwaitingAuthority { number } => {
                Self::new(Code::FailedPrecondition, "AUTHORITY_NOT_PENDING", message)
                    .with_metadata("number", number)
            }
            DocumentError::SubmissionNotFound => {
                Self::new(Code::NotFound, "SUBMISSION_NOT_FOUND", message)
            }
            DocumentError::NotSealable(_) => {
                Self::new(Code::FailedPrecondition, "DOCUMENT_NOT_SEALABLE", message)
            }
            DocumentError::AttachmentNotFound => {
                Self::new(Code::NotFound, "ATTACHMENT_NOT_FOUND", message)
            }
            DocumentError::AttachmentExists => {
                Self::new(Code::AlreadyExists, "ATTACHMENT_EXISTS", message)
            }
            DocumentError::TooManyAttachments { most } => {
                Self::new(Code::FailedPrecondition, "TOO_MANY_ATTACHMENTS", message)
                    .with_metadata("most", most.to_string())
            }
            DocumentError::UnreadableFile(error) => {
                let violation = FieldViolation::new("content", error.to_string());
                Self::invalid("UNREADABLE_FILE", message, vec![violation])
                    .with_metadata("position", error.position().to_string())
            }
            DocumentError::NotWritable(error) => {
                Self::new(Code::FailedPrecondition, "NOT_WRITABLE", message)
                    .with_metadata("cause", error.to_string())
            }
            DocumentError::Pdf(PdfError::QueueFull) => {
                exhausted("PDF_QUEUE_FULL", message, turns::RETRY_AFTER)
            }
            DocumentError::UblQueueFull => exhausted("UBL_QUEUE_FULL", message, turns::RETRY_AFTER),
            DocumentError::CheckQueueFull => {
                exhausted("CHECK_QUEUE_FULL", message, turns::RETRY_AFTER)
            }
            DocumentError::ExportBusy => exhausted("EXPORT_BUSY", message, export::RETRY_AFTER),
            DocumentError::ExportTimeout => {
                Self::new(Code::DeadlineExceeded, "EXPORT_TIMEOUT", message)
            }
            DocumentError::ExportTooLarge { most, .. } => {
                Self::new(Code::FailedPrecondition, "EXPORT_TOO_LARGE", message)
                    .with_metadata("most", most.to_string())
            }
            DocumentError::Pdf(PdfError::Render(_) | PdfError::Panic(_))
            | DocumentError::Csv(_)
            | DocumentError::Xlsx(_) => Self::new(
                Code::Internal,
                "INTERNAL",
                "something went wrong; the log has it under the correlation id",
            ),
            DocumentError::Storage(error) => Self::from(&error),
        }
    }
}

/// RESOURCE_EXHAUSTED of what is free again after `delay`.
fn exhausted(reason: &str, message: String, delay: Duration) -> Status {
    Status::new(Code::ResourceExhausted, reason, message).with(Detail::RetryInfo { delay })
}

/// The name of the rule, which the description begins with.
fn rule(violation: &FieldViolation) -> Option<&str> {
    Some(violation.description.split_once(": ")?.0).filter(|rule| !rule.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_full_has_a_reason_of_its_own_and_the_delay_of_a_retry() {
        for (error, reason) in [
            (DocumentError::Pdf(PdfError::QueueFull), "PDF_QUEUE_FULL"),
            (DocumentError::UblQueueFull, "UBL_QUEUE_FULL"),
            (DocumentError::CheckQueueFull, "CHECK_QUEUE_FULL"),
            (DocumentError::ExportBusy, "EXPORT_BUSY"),
        ] {
            let status = Status::from(error);
            assert_eq!(status.code, Code::ResourceExhausted, "{reason}");
            assert_eq!(status.reason(), Some(reason));
            assert!(status.retry_after().is_some(), "{reason}");
        }
    }

    #[test]
    fn file_that_cannot_be_made_has_the_reason() {
        let type_code = "1".to_owned();
        let cause = WriteError::TypeCode { type_code };
        let not_writable = Status::from(DocumentError::NotWritable(cause));
        assert_eq!(not_writable.reason(), Some("NOT_WRITABLE"));
        let type_code = "1".to_owned();
        let cause = WriteError::TypeCode { type_code };
        let not_sealable = Status::from(DocumentError::NotSealable(cause));
        assert_eq!(not_sealable.reason(), Some("DOCUMENT_NOT_SEALABLE"));
        let large = DocumentError::ExportTooLarge { rows: 2, most: 1 };
        assert_eq!(Status::from(large).reason(), Some("EXPORT_TOO_LARGE"));
        let late = Status::from(DocumentError::ExportTimeout);
        assert_eq!(late.code, Code::DeadlineExceeded);
        assert_eq!(late.reason(), Some("EXPORT_TIMEOUT"));
    }
}
