//! Why a database is not opened, on any engine.

use invoicing_storage::StorageError;
use invoicing_storage::transfer::Moved;
use invoicing_storage_sqlite as sqlite;

/// Why a database is not opened. What is stored is not changed. No message contains a password.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The address names no engine that this program has.
    #[error("{UNSUPPORTED}")]
    UnsupportedUrl,
    /// SQLite.
    #[error(transparent)]
    Sqlite(#[from] sqlite::OpenError),
    /// It was moved to another one, or a move into it is not complete.
    #[error("{database}: {moved}")]
    Moved {
        /// Its name, without user and password.
        database: String,
        /// What became of it.
        moved: Moved,
    },
    /// It was opened and does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The address of a database on PostgreSQL cannot be read.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    PostgresUrl(#[from] invoicing_storage_postgres::UnsupportedUrl),
    /// PostgreSQL.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Postgres(#[from] invoicing_storage_postgres::OpenError),
    /// Nothing in the database limits the role that the service connects with.
    #[cfg(feature = "postgres")]
    #[error(
        "the role that connects to {database} {role}: neither row-level security nor the append-only audit holds for it"
    )]
    UnlimitedRole {
        /// The database, without user and password.
        database: String,
        /// Why nothing limits it.
        role: invoicing_storage_postgres::UnlimitedRole,
    },
}

const UNSUPPORTED: &str = if cfg!(feature = "postgres") {
    "this names no database of a kind we know: write sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME"
} else {
    "this names no database of a kind we know: write sqlite:PATH"
};

impl DatabaseError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::UnsupportedUrl => 64,
            Self::Moved { .. } => 65,
            Self::Storage(error) => error.exit_code(),
            Self::Sqlite(error) => error.exit_code(),
            #[cfg(feature = "postgres")]
            Self::PostgresUrl(_) | Self::UnlimitedRole { .. } => 64,
            #[cfg(feature = "postgres")]
            Self::Postgres(error) => error.exit_code(),
        }
    }

    /// Whether a database server did not answer, or not yet: another attempt can succeed.
    pub(super) fn is_temporary(&self) -> bool {
        match self {
            Self::UnsupportedUrl | Self::Sqlite(_) | Self::Moved { .. } | Self::Storage(_) => false,
            #[cfg(feature = "postgres")]
            Self::PostgresUrl(_) | Self::UnlimitedRole { .. } => false,
            #[cfg(feature = "postgres")]
            Self::Postgres(error) => error.is_temporary(),
        }
    }

    /// What to do about it, where its message does not say that.
    #[must_use]
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::Sqlite(sqlite::OpenError::CorruptDatabase { .. }) => {
                "The file is left as it is. Restore a copy, or start with another file."
            }
            Self::Sqlite(sqlite::OpenError::DatabaseNewer { .. }) => {
                "Install the newer version again, or start with another file."
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(invoicing_storage_postgres::OpenError::DatabaseNewer { .. }) => {
                "Install the newer version again, or name another database."
            }
            #[cfg(feature = "postgres")]
            Self::UnlimitedRole { .. } => {
                "Connect with the role `application` of docs/operations.md, which owns nothing. The owner of the tables is for `invoicing-service migrate`."
            }
            _ => "",
        }
    }
}
