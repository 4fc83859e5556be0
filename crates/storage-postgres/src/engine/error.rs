//! What errors of PostgreSQL mean for the callers of the store.

use std::fmt::Display;

use deadpool_postgres::PoolError;
use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;
use tokio::time::error::Elapsed;
use tokio_postgres::Row;
use tokio_postgres::error::SqlState;
use tokio_postgres::row::RowIndex;
use tokio_postgres::types::{WasNull, WrongType};

/// An error inside a transaction.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EngineError {
    /// The server answered with an error, the connection broke, or a row could not be mapped.
    #[error("{}", describe(.0))]
    Postgres(#[from] tokio_postgres::Error),
    /// No connection could be opened.
    #[error("no connection: {}", describe(.0))]
    Connection(#[source] tokio_postgres::Error),
    /// The pool gave no connection.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The server has not answered in time, and has not ended the connection either.
    #[error("the server does not answer")]
    NoAnswer(#[source] Elapsed),
    /// A transaction was to be committed after one of its statements had failed.
    #[error("a statement of the transaction failed before")]
    FailedStatement,
    /// The server warned while it committed.
    #[error("the commit may not be on the standby")]
    NotReplicated,
    /// An error that is one of the store's already.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The message of the server with its code. Without DETAIL, which quotes values of rows.
fn describe(error: &tokio_postgres::Error) -> String {
    error.as_db_error().map_or_else(
        || match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        },
        |error| format!("{} ({})", error.message(), error.code().code()),
    )
}

impl From<EngineError> for StorageError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Storage(error) => error,
            EngineError::Postgres(error) => match error.code() {
                Some(code) if *code == SqlState::DISK_FULL => Self::NoSpace,
                Some(code)
                    if *code == SqlState::DATA_CORRUPTED || *code == SqlState::INDEX_CORRUPTED =>
                {
                    Self::corrupt(EngineError::Postgres(error))
                }
                None if is_mapping(&error) => Self::corrupt(EngineError::Postgres(error)),
                Some(_) | None => Self::unexpected(EngineError::Postgres(error)),
            },
            error @ (EngineError::Connection(_)
            | EngineError::Pool(_)
            | EngineError::NoAnswer(_)
            | EngineError::FailedStatement
            | EngineError::NotReplicated) => Self::unexpected(error),
        }
    }
}

/// Whether a column held what its record cannot hold.
fn is_mapping(error: &tokio_postgres::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.is::<WasNull>() || source.is::<WrongType>())
}

/// The identifier in a column.
pub(crate) fn identifier<T: From<String>>(row: &Row, column: &str) -> Result<T, EngineError> {
    let text: String = row.try_get(column)?;
    Ok(T::from(text))
}

/// The identifier in a column that can be NULL.
pub(crate) fn optional_identifier<T: From<String>>(
    row: &Row,
    column: &str,
) -> Result<Option<T>, EngineError> {
    let text: Option<String> = row.try_get(column)?;
    Ok(text.map(T::from))
}

/// The time in a column.
pub(crate) fn timestamp(row: &Row, column: &str) -> Result<Timestamp, EngineError> {
    Ok(Timestamp::from_millis(row.try_get(column)?))
}

/// The time in a column that can be NULL.
pub(crate) fn optional_timestamp(
    row: &Row,
    column: &str,
) -> Result<Option<Timestamp>, EngineError> {
    let milliseconds: Option<i64> = row.try_get(column)?;
    Ok(milliseconds.map(Timestamp::from_millis))
}

/// The count in a column, which cannot be negative.
pub(crate) fn count(row: &Row, column: impl RowIndex + Display) -> Result<u64, EngineError> {
    let count: i64 = row.try_get(column)?;
    Ok(u64::try_from(count).map_err(StorageError::corrupt)?)
}

/// A column holds `value`, which is not one of the values of `what`.
pub(crate) fn invalid_value(value: &str, what: &str) -> EngineError {
    StorageError::corrupt(format!("{value:?} is no {what}")).into()
}
