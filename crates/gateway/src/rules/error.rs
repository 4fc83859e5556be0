//! Errors of operations on rules, and the Status of each (contract, part 7).

use invoicing_contract::{Code, FieldViolation, Status};
use invoicing_storage::StorageError;

use super::check::{Finding, FindingKind};
use crate::rpc_response::OperationError;

/// Why an operation was not done. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RulesError {
    /// The text or the rows are no rules.
    #[error("the rules are not valid")]
    Invalid(Vec<FieldViolation>),
    /// Other fields of the request are wrong.
    #[error("{} fields of the request are wrong", .0.len())]
    InvalidRequest(Vec<FieldViolation>),
    /// There is no such version.
    #[error("there is no version {number} of the rules")]
    NotFound {
        /// The version of the request.
        number: i64,
    },
    /// Another version was published since the stamp was read.
    #[error("the rules have changed since they were read")]
    StampMismatch,
    /// They would lock somebody out, or the publisher would gain a scope.
    #[error("{}", .0.iter().map(Finding::to_string).collect::<Vec<_>>().join("; "))]
    Refused(Vec<Finding>),
    /// Roles, users or organizations were changed again and again while the rules were checked.
    #[error("the directory changes too often to check the rules")]
    DirectoryBusy,
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl OperationError for RulesError {
    fn storage_error(&self) -> Option<&StorageError> {
        if let Self::Storage(error) = self {
            Some(error)
        } else {
            None
        }
    }
}

impl From<RulesError> for Status {
    fn from(error: RulesError) -> Self {
        let message = error.to_string();
        match error {
            RulesError::Invalid(violations) => Self::invalid("INVALID_RULES", message, violations),
            RulesError::InvalidRequest(violations) => {
                Self::invalid("INVALID_REQUEST", message, violations)
            }
            RulesError::NotFound { .. } => {
                Self::new(Code::NotFound, "RULES_VERSION_NOT_FOUND", message)
            }
            RulesError::StampMismatch => Self::new(Code::Aborted, "STAMP_MISMATCH", message),
            RulesError::Refused(findings) => {
                let reasons: Vec<_> = findings.iter().map(|finding| finding.kind.name()).collect();
                Self::new(Code::FailedPrecondition, "RULES_REFUSED", message)
                    .with_metadata("findings", reasons.join(" "))
            }
            RulesError::DirectoryBusy => Self::new(Code::Aborted, "DIRECTORY_CHANGED", message),
            RulesError::Storage(error) => Self::from(&error),
        }
    }
}

impl FindingKind {
    /// The name in the contract and in the audit.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::PublisherLockedOut => "PUBLISHER_LOCKED_OUT",
            Self::RulesLockedOut => "RULES_LOCKED_OUT",
            Self::AdministrationLockedOut => "ADMINISTRATION_LOCKED_OUT",
            Self::PublisherGains => "PUBLISHER_GAINS",
        }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let description = match self.kind {
            FindingKind::PublisherLockedOut => {
                "you could not manage the rules any longer; somebody else has to publish this"
            }
            FindingKind::RulesLockedOut => "nobody could manage the rules any longer",
            FindingKind::AdministrationLockedOut => {
                "organizations would have nobody left who administers them"
            }
            FindingKind::PublisherGains => {
                "you would gain scopes that neither the current nor the built-in rules give you; somebody else has to publish this"
            }
        };
        formatter.write_str(description)
    }
}
