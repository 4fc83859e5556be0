//! Why a database on PostgreSQL is not opened.

use std::error::Error;
use std::io;

use deadpool_postgres::PoolError;
use invoicing_storage::StorageError;

use super::error::describe;
use super::options::Options;
use super::retry::{ends_connection, is_resource_missing};

/// Why a database is not opened. What is stored is not changed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum OpenError {
    #[error(
        "the database {database} has no tables yet: run `invoicing-service migrate` with the role that owns it"
    )]
    NotMigrated { database: String },
    #[error(
        "the database {database} has the schema of an older version: run `invoicing-service migrate` with the role that owns it"
    )]
    DatabaseOlder { database: String },
    #[error(
        "the database {database} was written by a newer version that this one cannot work with"
    )]
    DatabaseNewer { database: String },
    #[error("the database {database} was written by a version whose tables differ from ours")]
    DatabaseDiffers { database: String },
    #[error("the database {database} has tables that are not ours, as {table}: name an empty one")]
    DatabaseUnknown { database: String, table: String },
    #[error("migration {version} ({name}) failed: {}", describe(.source))]
    Migration {
        version: i32,
        name: &'static str,
        source: tokio_postgres::Error,
    },
    #[error(
        "the schema is migrated, but not all is derived from the rows that a version before wrote; run it again: {source}"
    )]
    Derivation { source: StorageError },
    #[error("TLS to the database cannot be prepared: {source}")]
    Tls {
        source: Box<dyn Error + Send + Sync>,
    },
    #[error("the database {database} cannot be opened: {}", reason(.source.as_ref()))]
    DatabaseNotOpened {
        database: String,
        source: Box<dyn Error + Send + Sync>,
    },
}

impl OpenError {
    /// The database cannot be opened because of `source`.
    pub(crate) fn not_opened(
        options: &Options,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self::DatabaseNotOpened {
            database: options.display_name(),
            source: source.into(),
        }
    }

    /// Whether the server did not answer, or not yet: another attempt can succeed.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        let Self::DatabaseNotOpened { source, .. } = self else {
            return false;
        };
        match source.downcast_ref::<PoolError>() {
            Some(PoolError::Timeout(_)) => true,
            Some(PoolError::Backend(error)) => is_temporary(error),
            Some(
                PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_),
            ) => false,
            None => source.downcast_ref().is_some_and(is_temporary),
        }
    }

    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::NotMigrated { .. }
            | Self::DatabaseOlder { .. }
            | Self::DatabaseNewer { .. }
            | Self::DatabaseDiffers { .. }
            | Self::DatabaseUnknown { .. } => 65,
            Self::Tls { .. } => 64,
            Self::Migration { .. } | Self::Derivation { .. } | Self::DatabaseNotOpened { .. } => 74,
        }
    }
}

/// Why a database cannot be opened: what the server or the system said, which the errors of the driver leave to their sources.
fn reason(source: &(dyn Error + Send + Sync + 'static)) -> String {
    if let Some(PoolError::Backend(error)) = source.downcast_ref::<PoolError>() {
        return describe(error);
    }
    let of_driver = source.downcast_ref::<tokio_postgres::Error>();
    of_driver.map_or_else(|| source.to_string(), describe)
}

/// Of the server: that it starts, stops or has too many connections. Of the connection: everything but a wrong certificate.
fn is_temporary(error: &tokio_postgres::Error) -> bool {
    if let Some(code) = error.code() {
        return ends_connection(code) || is_resource_missing(code);
    }
    let source = error.source().and_then(|source| source.downcast_ref());
    error.is_closed()
        || source.is_some_and(|source: &io::Error| source.kind() != io::ErrorKind::InvalidData)
}
