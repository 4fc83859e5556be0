//! Why a store did not answer.

use std::error::Error;
use std::sync::Arc;

use invoicing_contract::status::STORAGE_IN_DOUBT;
use invoicing_contract::{Code, Status};

/// What an engine or a decoder reported. Shared, because one failed commit fails every write of its group.
pub type Cause = Arc<dyn Error + Send + Sync>;

/// Why a store did not answer. Nothing was written, except perhaps with [`StorageError::InDoubt`].
#[derive(Debug, Clone, thiserror::Error)]
pub enum StorageError {
    /// Another connection held the database for longer than we wait. Trying again is right.
    #[error("the database is busy")]
    Busy,
    /// No room is left on the disk.
    #[error("no space is left for the database")]
    NoSpace,
    /// A stored value cannot be decoded, or the file is damaged.
    #[error("the database is damaged: {0}")]
    Corrupt(#[source] Cause),
    /// The outcome of a commit is unknown: the change is on the disk whole, or not at all. The caller reads again before it
    /// repeats a change that must not happen twice.
    #[error("the outcome of a commit is unknown: {0}")]
    InDoubt(#[source] Cause),
    /// Any other error.
    #[error("the database failed: {0}")]
    Unexpected(#[source] Cause),
}

impl StorageError {
    /// [`StorageError::Corrupt`] because of `cause`: an error, or a text about the value.
    pub fn corrupt(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Corrupt(Arc::from(cause.into()))
    }

    /// [`StorageError::InDoubt`] because of `cause`.
    pub fn in_doubt(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::InDoubt(Arc::from(cause.into()))
    }

    /// [`StorageError::Unexpected`] because of `cause`.
    pub fn unexpected(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unexpected(Arc::from(cause.into()))
    }

    /// The exit code of a program that ends with it, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Busy | Self::InDoubt(_) => 75,
            Self::Corrupt(_) => 65,
            Self::NoSpace | Self::Unexpected(_) => 74,
        }
    }
}

impl From<&StorageError> for Status {
    /// Tells whether a retry is right, and nothing about how the service is built.
    fn from(error: &StorageError) -> Self {
        match error {
            StorageError::Busy | StorageError::NoSpace => Self::new(
                Code::Unavailable,
                "STORAGE_BUSY",
                "storage is busy; nothing was written",
            ),
            StorageError::InDoubt(_) => Self::new(
                Code::Unavailable,
                STORAGE_IN_DOUBT,
                "storage failed; whether the change was written is unknown",
            ),
            StorageError::Corrupt(_) | StorageError::Unexpected(_) => Self::new(
                Code::Internal,
                "INTERNAL",
                "something went wrong; the log has it under the correlation id",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caller_can_tell_an_unknown_outcome_from_nothing_written() {
        for (error, reason) in [
            (StorageError::Busy, "STORAGE_BUSY"),
            (StorageError::NoSpace, "STORAGE_BUSY"),
            (StorageError::in_doubt("lost"), "STORAGE_IN_DOUBT"),
        ] {
            let status = Status::from(&error);
            let expected = (Code::Unavailable, Some(reason));
            assert_eq!((status.code, status.reason()), expected, "{error}");
        }
    }

    #[test]
    fn exit_code_is_that_of_a_temporary_failure_if_trying_again_is_right() {
        for (error, code) in [
            (StorageError::Busy, 75),
            (StorageError::in_doubt("lost"), 75),
            (StorageError::NoSpace, 74),
            (StorageError::corrupt("text"), 65),
            (StorageError::unexpected("failed"), 74),
        ] {
            assert_eq!(error.exit_code(), code, "{error}");
        }
    }
}
