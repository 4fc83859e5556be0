//! Why something was not administered.

use invoicing_contract::FieldViolation;

use crate::ProviderError;
use invoicing_storage::StorageError;

/// Why it was not done. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum AdministrationError {
    /// There is none of that name.
    #[error("there is no {what} {name:?}")]
    NotFound {
        /// What was looked for.
        what: &'static str,
        /// By which name.
        name: String,
    },
    /// There is one already.
    #[error("there is a {what} {name:?} already")]
    Exists {
        /// What it is.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// A value cannot be taken.
    #[error("{field}: {reason}")]
    Invalid {
        /// Which value.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// Values cannot be taken: all that are wrong, at once.
    #[error("{}", told(.0))]
    Violations(Vec<FieldViolation>),
    /// The profile was completed before.
    #[error("the profile of this organization is complete")]
    ProfileComplete,
    /// A rule of the contract is against it.
    #[error("{0}")]
    Refused(&'static str),
    /// The signing keys cannot be read or used.
    #[error(transparent)]
    SigningKeys(#[from] ProviderError),
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl AdministrationError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Invalid { .. } | Self::Violations(_) => 64,
            Self::NotFound { .. } => 66,
            Self::Exists { .. } | Self::ProfileComplete => 73,
            Self::Storage(error) => Self::storage_exit_code(error),
            Self::Refused(_) => 77,
            Self::SigningKeys(error) => error.exit_code(),
        }
    }

    /// The exit code of the program when storage failed.
    #[must_use]
    pub const fn storage_exit_code(error: &StorageError) -> u8 {
        match error {
            StorageError::Busy | StorageError::InDoubt(_) => 75,
            StorageError::Corrupt(_) => 65,
            StorageError::NoSpace | StorageError::Unexpected(_) => 74,
        }
    }

    pub(super) fn invalid(field: &'static str, reason: impl Into<String>) -> Self {
        Self::Invalid {
            field,
            reason: reason.into(),
        }
    }
}

fn told(violations: &[FieldViolation]) -> String {
    let each: Vec<_> = violations
        .iter()
        .map(|violation| format!("{} {}", violation.field, violation.description))
        .collect();
    each.join("; ")
}
