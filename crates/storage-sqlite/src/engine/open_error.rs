//! Why a database is not opened.

use std::error::Error;
use std::path::{Path, PathBuf};

use super::migrations::MigrationError;
use invoicing_storage::StorageError;

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
    /// Only the service brings it up to date, because one of the earlier version may be writing to it (decision 0173).
    #[error(
        "the database {path} has the tables of an earlier version: start the service of this version first, which brings it up to date"
    )]
    DatabaseOlder { path: PathBuf },
    #[error("the database {path} was written by a version whose tables differ from ours")]
    DatabaseDiffers { path: PathBuf },
    /// A development version made it before the first release, or another program did.
    #[error(
        "the database {path} was not written by a released version: it has the table {table}. Move {path}, {path}-wal and {path}-shm to another folder; a new database is created at the next start"
    )]
    DatabaseUnknown { path: PathBuf, table: String },
    #[error("no space is left for the database {path}")]
    NoSpace { path: PathBuf },
    #[error("the database {path} is held by another program")]
    DatabaseBusy { path: PathBuf },
    #[error("the database {path} cannot be opened: {source}")]
    DatabaseNotOpened {
        path: PathBuf,
        source: Box<dyn Error + Send + Sync>,
    },
}

impl OpenError {
    /// The database at `path` cannot be opened because of `source`.
    pub(crate) fn not_opened(path: &Path, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::DatabaseNotOpened {
            path: path.to_owned(),
            source: source.into(),
        }
    }

    /// The database at `path` is not opened because a statement failed with `error`.
    pub(crate) fn of(path: &Path, error: crate::engine::EngineError) -> Self {
        Self::of_storage(path, StorageError::from(error))
    }

    pub(crate) fn of_storage(path: &Path, error: StorageError) -> Self {
        let path = path.to_owned();
        match error {
            StorageError::Busy => Self::DatabaseBusy { path },
            StorageError::NoSpace => Self::NoSpace { path },
            StorageError::Corrupt(finding) => Self::CorruptDatabase {
                path,
                finding: finding.to_string(),
            },
            error @ (StorageError::Unexpected(_) | StorageError::InDoubt(_)) => {
                Self::not_opened(&path, error)
            }
        }
    }

    /// The schema of the database at `path` cannot be brought up to date, or used, because of `error`.
    pub(crate) fn of_migration(path: &Path, error: MigrationError) -> Self {
        match error {
            MigrationError::Newer { .. } => Self::DatabaseNewer {
                path: path.to_owned(),
            },
            MigrationError::Pending { .. } => Self::DatabaseOlder {
                path: path.to_owned(),
            },
            MigrationError::Changed { .. } => Self::DatabaseDiffers {
                path: path.to_owned(),
            },
            MigrationError::ForeignTables { table } => Self::DatabaseUnknown {
                path: path.to_owned(),
                table,
            },
            MigrationError::Failed { source, .. } | MigrationError::Database(source) => {
                Self::of(path, source.into())
            }
        }
    }

    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::UnsupportedDatabase { .. } => 64,
            Self::CorruptDatabase { .. }
            | Self::DatabaseNewer { .. }
            | Self::DatabaseOlder { .. }
            | Self::DatabaseDiffers { .. }
            | Self::DatabaseUnknown { .. } => 65,
            Self::NoSpace { .. } | Self::DatabaseNotOpened { .. } => 74,
            Self::DatabaseBusy { .. } => 75,
        }
    }
}
