//! What errors of SQLite mean for the callers of the store.

use rusqlite::ErrorCode;
use rusqlite::types::Type;

use invoicing_contract::Timestamp;
use invoicing_storage::StorageError;

/// An error inside a read or write transaction.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EngineError {
    /// SQLite reported an error, or a row could not be mapped.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// An error that is one of the store's already.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<EngineError> for StorageError {
    fn from(error: EngineError) -> Self {
        let error = match error {
            EngineError::Sqlite(error) => error,
            EngineError::Storage(error) => return error,
        };
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DiskFull) => Self::NoSpace,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::corrupt(error),
            Some(_) => Self::unexpected(error),
            None if is_mapping(&error) => Self::corrupt(error),
            None => Self::unexpected(error),
        }
    }
}

/// Whether a column held what its record cannot hold.
const fn is_mapping(error: &rusqlite::Error) -> bool {
    matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
    )
}

/// The identifier in a column.
pub(crate) fn identifier<T: From<String>>(
    row: &rusqlite::Row<'_>,
    column: usize,
) -> rusqlite::Result<T> {
    row.get::<_, String>(column).map(T::from)
}

/// The identifier in a column that can be NULL.
pub(crate) fn optional_identifier<T: From<String>>(
    row: &rusqlite::Row<'_>,
    column: impl rusqlite::RowIndex,
) -> rusqlite::Result<Option<T>> {
    let text: Option<String> = row.get(column)?;
    Ok(text.map(T::from))
}

/// The time in a column.
pub(crate) fn timestamp(
    row: &rusqlite::Row<'_>,
    column: impl rusqlite::RowIndex,
) -> rusqlite::Result<Timestamp> {
    row.get(column).map(Timestamp::from_millis)
}

/// The time in a column that can be NULL.
pub(crate) fn optional_timestamp(
    row: &rusqlite::Row<'_>,
    column: impl rusqlite::RowIndex,
) -> rusqlite::Result<Option<Timestamp>> {
    let milliseconds: Option<i64> = row.get(column)?;
    Ok(milliseconds.map(Timestamp::from_millis))
}

/// The count in a column, which cannot be negative.
pub(crate) fn count(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let count: i64 = row.get(column)?;
    u64::try_from(count)
        .map_err(|_negative| rusqlite::Error::IntegralValueOutOfRange(column, count))
}

/// A column holds `value`, which is not one of the values of `what`.
pub(crate) fn invalid_value(value: &str, what: &str) -> rusqlite::Error {
    let problem = format!("{value:?} is no {what}");
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, problem.into())
}
