//! The move of a database to another engine (decision 0109).

use std::sync::Arc;
use std::time::Duration;

use invoicing_storage::Rng;
use invoicing_storage::transfer::{
    self, Moved, Progress, TransferError, TransferStore, move_records,
};
use tokio::time::sleep;

use super::{DatabaseError, DatabaseOptions, Engine, OpenDatabase, exists};

/// One statement of a move can visit every row of a table.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(60 * 60);
/// How often a service looks whether its database is being moved.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);
/// How long a move waits for the services of its source to notice the mark and to end their writes.
const NOTICE_TIME: Duration = Duration::from_secs(4);
/// A move works on one page after the other.
const CONNECTIONS: usize = 2;

/// Why a database was not moved, or not yet. Nothing is lost: the source has all records.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// There is no database to move.
    #[error("there is no database {0}")]
    NotFound(String),
    /// One of the databases cannot be opened.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The move ended before it was complete.
    #[error(transparent)]
    Transfer(#[from] TransferError),
}

impl MoveError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::NotFound(_) => 66,
            Self::Database(error) => error.exit_code(),
            Self::Transfer(
                TransferError::TargetNotEmpty(_)
                | TransferError::TargetInUse
                | TransferError::SourceMoved(_)
                | TransferError::SourceIncomplete,
            ) => 73,
            Self::Transfer(TransferError::Differs { .. }) => 65,
            Self::Transfer(TransferError::Storage(error)) => error.exit_code(),
        }
    }
}

impl OpenDatabase {
    /// Its records, for a move.
    fn transfer_store(&self) -> Arc<dyn TransferStore> {
        match &self.engine {
            Engine::Sqlite(sqlite) => Arc::new(sqlite.clone()),
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => Arc::new(postgres.clone()),
        }
    }

    /// Refuses a database that was moved, or that a move has not completed.
    ///
    /// # Errors
    /// [`DatabaseError::Moved`], or [`DatabaseError::Storage`] when it cannot be read.
    pub async fn check_in_place(&self) -> Result<(), DatabaseError> {
        match transfer::moved(&*self.store()).await? {
            Some(moved) => Err(self.moved_error(moved)),
            None => Ok(()),
        }
    }

    /// Waits until the database takes part in a move, and says in which. Nothing may be written to it then.
    pub(crate) async fn wait_for_move(&self) -> DatabaseError {
        loop {
            sleep(WATCH_INTERVAL).await;
            // A database that does not answer takes no write either.
            if let Ok(Some(moved)) = transfer::moved(&*self.store()).await {
                return self.moved_error(moved);
            }
        }
    }

    fn moved_error(&self, moved: Moved) -> DatabaseError {
        DatabaseError::Moved {
            database: self.name().to_owned(),
            moved,
        }
    }
}

/// Moves all records of the database at `from` to the one at `to`, which is empty or the target of the same move that was
/// interrupted. On PostgreSQL the address names the role that owns the tables. Services of `from` that run notice the mark of the
/// move, and end. They may be of an earlier version, so its schema is not brought up to date here (decision 0173).
///
/// # Errors
/// See [`MoveError`]. The same call continues a move that was interrupted.
pub async fn move_database(
    from: &DatabaseOptions,
    to: &DatabaseOptions,
    rng: Arc<dyn Rng>,
    progress: impl FnMut(Progress),
) -> Result<(), MoveError> {
    let options = |options: &DatabaseOptions| DatabaseOptions {
        connections: Some(CONNECTIONS),
        statement_timeout: Some(STATEMENT_TIMEOUT),
        ..options.clone()
    };
    let (from, to) = (options(from), options(to));
    if !exists(&from).await? {
        return Err(MoveError::NotFound(from.url.to_string()));
    }
    let source = OpenDatabase::open_existing(&from, rng.clone()).await?;
    let target = OpenDatabase::open(&to, rng.clone()).await?;
    let (from, to) = (source.transfer_store(), target.transfer_store());
    let moved = move_records(
        &*from,
        &*to,
        target.name(),
        &*rng,
        sleep(NOTICE_TIME),
        progress,
    )
    .await;
    source.close().await;
    target.close().await;
    Ok(moved?)
}
