//! What errors of PostgreSQL mean for the callers of the store.

use std::error::Error;
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

/// What is kept of an error of a connection: its text. The error itself has DETAIL and CONTEXT, which quote values of rows and
/// statements, and whoever logs an error logs its sources.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct ConnectionError(String);

impl EngineError {
    /// The cause of an error of the store.
    pub(super) fn into_cause(self) -> Box<dyn Error + Send + Sync> {
        match self {
            Self::Postgres(_) | Self::Connection(_) | Self::Pool(_) => {
                Box::new(ConnectionError(self.to_string()))
            }
            Self::NoAnswer(_) | Self::FailedStatement | Self::NotReplicated | Self::Storage(_) => {
                Box::new(self)
            }
        }
    }
}

/// The message of the server with its code. Without DETAIL, which quotes values of rows.
pub(super) fn describe(error: &tokio_postgres::Error) -> String {
    error.as_db_error().map_or_else(
        || match error.source() {
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
            EngineError::Postgres(ref postgres) => match postgres.code() {
                Some(code) if *code == SqlState::DISK_FULL => Self::NoSpace,
                Some(code)
                    if *code == SqlState::DATA_CORRUPTED || *code == SqlState::INDEX_CORRUPTED =>
                {
                    Self::corrupt(error.into_cause())
                }
                None if is_mapping(postgres) => Self::corrupt(error.into_cause()),
                Some(_) | None => Self::unexpected(error.into_cause()),
            },
            error @ (EngineError::Connection(_)
            | EngineError::Pool(_)
            | EngineError::NoAnswer(_)
            | EngineError::FailedStatement
            | EngineError::NotReplicated) => Self::unexpected(error.into_cause()),
        }
    }
}

/// Whether a column held what its record cannot hold.
fn is_mapping(error: &tokio_postgres::Error) -> bool {
    let source = error.source();
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use invoicing_storage::SystemRng;
    use invoicing_test_postgres::Server;

    use super::*;
    use crate::{Options, Postgres, migrate, schema_name};

    #[tokio::test]
    async fn error_of_the_server_keeps_its_message_and_its_code_but_no_detail() {
        let database = Server::shared()
            .database(&schema_name(), async |owner_url| {
                let options = Options::from_url(owner_url).unwrap();
                migrate(&options, Timestamp::from_millis(0)).await.unwrap();
            })
            .await;
        let options = Options::from_url(database.application_url()).unwrap();
        let store = Postgres::open(options, Arc::new(SystemRng)).await.unwrap();
        // DETAIL and CONTEXT quote the value.
        let failed = store.engine().rows(None, "SELECT 'geheim'::json", &[]);
        let error = failed.await.unwrap_err();
        let mut shown = vec![format!("{error:?}")];
        let mut next: Option<&dyn Error> = Some(&error);
        while let Some(error) = next {
            shown.push(error.to_string());
            next = error.source();
        }
        assert!(
            shown.iter().all(|text| text.contains("(22P02)")),
            "{shown:?}"
        );
        assert!(
            !shown.iter().any(|text| text.contains("geheim")),
            "{shown:?}"
        );
    }
}
