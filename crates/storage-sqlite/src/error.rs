//! Why a database is not opened.

use std::path::PathBuf;

/// Why a database is not opened. What is stored is not changed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum OpenError {
    #[error("{url:?} names no database of a kind we know: write sqlite:PATH")]
    UnsupportedDatabase { url: String },
    #[error("the database {path} is damaged: {finding}")]
    CorruptDatabase { path: PathBuf, finding: String },
    #[error("the database {path} was written by a newer version")]
    DatabaseNewer { path: PathBuf },
    #[error("the database {path} was written by a version whose tables differ from ours")]
    DatabaseDiffers { path: PathBuf },
    #[error("no space is left for the database {path}")]
    NoSpace { path: PathBuf },
    #[error("the database {path} is held by another program")]
    DatabaseBusy { path: PathBuf },
    #[error("the database {path} cannot be opened: {reason}")]
    DatabaseNotOpened { path: PathBuf, reason: String },
}

impl OpenError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::UnsupportedDatabase { .. } => 64,
            Self::CorruptDatabase { .. }
            | Self::DatabaseNewer { .. }
            | Self::DatabaseDiffers { .. } => 65,
            Self::NoSpace { .. } | Self::DatabaseNotOpened { .. } => 74,
            Self::DatabaseBusy { .. } => 75,
        }
    }
}
