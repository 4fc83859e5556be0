//! Lookups of a few rows by a key, on the caller's thread.
//!
//! A row in a cached page is read in a few microseconds, less than it takes to ask another thread for it. Each request looks up
//! a token, and many look up whom it stands for.

use std::path::PathBuf;
use std::time::Duration;

use rusqlite::{CachedStatement, Connection, OptionalExtension as _, Params, Row};

use super::connection_pool::ConnectionPool;
use super::{EngineError, LOOKUP_CACHE};
use invoicing_storage::StorageError;

/// How long to sleep before the next attempt while another process holds the whole database, as it does to recover it.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// Lookups that never block their thread.
pub(super) struct Lookups {
    connections: ConnectionPool,
    /// How long a lookup is repeated while the database is held by another process.
    timeout: Duration,
}

impl Lookups {
    /// Lookups in the database at `path`, each of which fails with [`StorageError::Busy`] after `timeout`.
    pub(super) const fn new(path: PathBuf, timeout: Duration) -> Self {
        Self {
            // A statement that blocked would block every task on the thread.
            connections: ConnectionPool::new(path, Duration::ZERO, LOOKUP_CACHE),
            timeout,
        }
    }

    /// The first row that `select` returns for `key`.
    pub(super) async fn one<T>(
        &self,
        select: &'static str,
        key: impl Params + Clone + Send + Sync,
        mapper: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StorageError> {
        self.retry_while_busy(|connection| {
            let mut statement: CachedStatement<'_> = connection.prepare_cached(select)?;
            Ok(statement.query_row(key.clone(), mapper).optional()?)
        })
        .await
    }

    /// All rows that `select` returns for `key`, in their order.
    pub(super) async fn all<T>(
        &self,
        select: &'static str,
        key: impl Params + Clone + Send + Sync,
        mapper: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StorageError> {
        self.retry_while_busy(|connection| {
            let mut statement: CachedStatement<'_> = connection.prepare_cached(select)?;
            let rows = statement.query_map(key.clone(), mapper)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Closes the connections. Later lookups fail.
    pub(super) fn close(&self) {
        self.connections.close();
    }

    async fn retry_while_busy<T>(
        &self,
        lookup: impl Fn(&Connection) -> Result<T, EngineError> + Send + Sync,
    ) -> Result<T, StorageError> {
        let mut waited = Duration::ZERO;
        loop {
            match self.connections.with(&lookup).map_err(StorageError::from) {
                Err(StorageError::Busy) if waited < self.timeout => {
                    tokio::time::sleep(RETRY_INTERVAL).await;
                }
                outcome => return outcome,
            }
            waited += RETRY_INTERVAL;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn database_in(folder: &tempfile::TempDir) -> (PathBuf, Lookups) {
        let path = folder.path().join("invoicing.db");
        (path.clone(), Lookups::new(path, RETRY_INTERVAL * 4))
    }

    fn create_table(path: &Path) -> Connection {
        let other = Connection::open(path).unwrap();
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
    async fn lookup_returns_the_last_committed_row_and_fails_after_close() {
        let folder = tempfile::tempdir().unwrap();
        let (path, lookups) = database_in(&folder);
        let other = create_table(&path);
        assert_eq!(number(&lookups).await.unwrap(), Some(1));
        other.execute("DELETE FROM numbers", []).unwrap();
        assert_eq!(number(&lookups).await.unwrap(), None);
        lookups.close();
        assert!(number(&lookups).await.is_err(), "closed");
    }

    #[tokio::test]
    async fn connection_of_lookups_has_the_larger_cache() {
        let folder = tempfile::tempdir().unwrap();
        let (path, lookups) = database_in(&folder);
        create_table(&path);
        let cache = lookups.one("PRAGMA cache_size", (), |row| row.get::<_, i64>(0));
        assert_eq!(cache.await.unwrap(), Some(LOOKUP_CACHE));
    }

    #[tokio::test]
    async fn lookup_while_another_process_holds_the_database_is_repeated_until_the_timeout() {
        let folder = tempfile::tempdir().unwrap();
        let (path, lookups) = database_in(&folder);
        let other = create_table(&path);
        other
            .execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; DELETE FROM numbers")
            .unwrap();
        assert!(matches!(number(&lookups).await, Err(StorageError::Busy)));
        let (found, ()) = tokio::join!(number(&lookups), async {
            tokio::task::yield_now().await;
            drop(other);
        });
        assert_eq!(found.unwrap(), Some(1), "after the lock is released");
    }

    #[tokio::test]
    async fn lookup_in_a_file_that_is_no_database_is_corrupt() {
        let folder = tempfile::tempdir().unwrap();
        let (path, lookups) = database_in(&folder);
        std::fs::write(&path, "nothing that SQLite has ever written".repeat(99)).unwrap();
        assert!(matches!(
            number(&lookups).await,
            Err(StorageError::Corrupt(_))
        ));
    }
}
