//! Lookups of a few rows by a key, made by whoever asks and on its thread: a row that is in memory is read in a few
//! microseconds, less than it takes to ask another thread for it. Tokens are looked up with every request, whom they stand
//! for with many.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::types::Type;
use rusqlite::{CachedStatement, Connection, OpenFlags, OptionalExtension as _, Params, Row};

use invoicing_storage::StorageError;

/// Pages that each connection keeps, in KiB as SQLite writes it.
const CACHE: &str = "-4096";
/// Statements that each connection keeps prepared.
const STATEMENTS: usize = 32;
/// How long to wait before asking again when another process holds the whole database, as it does to repair it.
const PAUSE: Duration = Duration::from_millis(5);

/// Connections that only read, as many as threads have asked at once.
pub(super) struct Lookups {
    path: PathBuf,
    /// How long one waits for who holds the whole database.
    patience: Duration,
    /// `None` once they are closed.
    idle: Mutex<Option<Vec<Connection>>>,
}

impl Lookups {
    /// In the database at `path`, which nobody waits for longer than `patience`.
    pub(super) fn new(path: PathBuf, patience: Duration) -> Self {
        Self {
            path,
            patience,
            idle: Mutex::new(Some(Vec::new())),
        }
    }

    /// The one row that `select` gives for `key`, as `read` takes it.
    ///
    /// It waits for nobody on this thread, so that it may be called where nothing may block.
    pub(super) async fn one<Found>(
        &self,
        select: &'static str,
        key: impl Params + Clone + Send + Sync,
        read: fn(&Row<'_>) -> rusqlite::Result<Found>,
    ) -> Result<Option<Found>, StorageError> {
        self.patiently(|connection| {
            let mut statement: CachedStatement<'_> = connection.prepare_cached(select)?;
            statement.query_row(key.clone(), read).optional()
        })
        .await
    }

    /// The few rows that `select` gives for `key`, in their order; otherwise like [`Lookups::one`].
    pub(super) async fn few<Found>(
        &self,
        select: &'static str,
        key: impl Params + Clone + Send + Sync,
        read: fn(&Row<'_>) -> rusqlite::Result<Found>,
    ) -> Result<Vec<Found>, StorageError> {
        self.patiently(|connection| {
            let mut statement: CachedStatement<'_> = connection.prepare_cached(select)?;
            statement.query_map(key.clone(), read)?.collect()
        })
        .await
    }

    /// Closes what is idle; what is in use is closed after its lookup. What follows fails.
    pub(super) fn close(&self) {
        *self.lock() = None;
    }

    async fn patiently<Found>(
        &self,
        lookup: impl Fn(&Connection) -> rusqlite::Result<Found> + Send + Sync,
    ) -> Result<Found, StorageError> {
        let mut waited = Duration::ZERO;
        loop {
            match self.once(&lookup) {
                Err(StorageError::Busy) if waited < self.patience => {
                    tokio::time::sleep(PAUSE).await;
                }
                outcome => return outcome,
            }
            waited += PAUSE;
        }
    }

    fn once<Found>(
        &self,
        lookup: impl Fn(&Connection) -> rusqlite::Result<Found>,
    ) -> Result<Found, StorageError> {
        let connection = self.take()?;
        let found = lookup(&connection);
        if let Some(idle) = &mut *self.lock() {
            idle.push(connection);
        }
        Ok(found?)
    }

    fn take(&self) -> Result<Connection, StorageError> {
        let idle = match &mut *self.lock() {
            Some(idle) => idle.pop(),
            None => {
                return Err(StorageError::Unexpected(
                    "the database was closed".to_owned(),
                ));
            }
        };
        Ok(match idle {
            Some(connection) => connection,
            None => self.open()?,
        })
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(Duration::ZERO)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.pragma_update(None, "cache_size", CACHE)?;
        Ok(connection)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Vec<Connection>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a column holds is not what it may hold.
pub(super) fn not_one(name: &str, what: &str) -> rusqlite::Error {
    let problem = format!("{name:?} is no {what}");
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, problem.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookups_in(folder: &tempfile::TempDir) -> Lookups {
        Lookups::new(folder.path().join("invoicing.db"), PAUSE * 4)
    }

    fn made_by_somebody(lookups: &Lookups) -> Connection {
        let other = Connection::open(&lookups.path).unwrap();
        other
            .execute_batch(
                "PRAGMA journal_mode = WAL; CREATE TABLE numbers (number); INSERT INTO numbers VALUES (1)",
            )
            .unwrap();
        other
    }

    async fn number(lookups: &Lookups) -> Result<Option<i64>, StorageError> {
        let select = "SELECT number FROM numbers WHERE number = ?1";
        lookups.one(select, [1], |row| row.get(0)).await
    }

    #[tokio::test]
    async fn each_lookup_sees_what_was_written_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let lookups = lookups_in(&folder);
        let other = made_by_somebody(&lookups);
        assert_eq!(number(&lookups).await.unwrap(), Some(1));
        other.execute("DELETE FROM numbers", []).unwrap();
        assert_eq!(number(&lookups).await.unwrap(), None);
        lookups.close();
        assert!(number(&lookups).await.is_err(), "it was closed");
    }

    #[tokio::test]
    async fn who_holds_the_whole_database_is_waited_for_and_not_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let lookups = lookups_in(&folder);
        let other = made_by_somebody(&lookups);
        other
            .execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; DELETE FROM numbers")
            .unwrap();
        assert!(matches!(number(&lookups).await, Err(StorageError::Busy)));
        let (found, ()) = tokio::join!(number(&lookups), async {
            tokio::task::yield_now().await;
            drop(other);
        });
        assert_eq!(found.unwrap(), Some(1), "as soon as it is free");
    }

    #[tokio::test]
    async fn what_is_no_database_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let lookups = lookups_in(&folder);
        std::fs::write(
            &lookups.path,
            "nothing that SQLite has ever written".repeat(99),
        )
        .unwrap();
        assert!(matches!(
            number(&lookups).await,
            Err(StorageError::Corrupt(_))
        ));
    }
}
