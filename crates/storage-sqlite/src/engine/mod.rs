//! The SQLite engine: one writer thread, a pool of reading connections, and lookups on the caller's thread.

mod checks;
mod connection_pool;
mod data_version;
mod error;
mod group_commit;
mod held_snapshot;
mod lookups;
mod migrations;
mod open_error;
mod statement;
#[cfg(test)]
mod tests;
mod trace;
mod write_job;

pub(crate) use self::checks::{create_private_new, has_write_ahead_log};
pub(crate) use self::error::{
    EngineError, count, identifier, invalid_value, optional_identifier, optional_timestamp,
    timestamp,
};
pub use self::open_error::OpenError;
pub(crate) use self::statement::Statement;
pub(crate) use self::write_job::TransactionEnd;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Params, Row, Transaction};
use tokio::sync::Semaphore;

use self::connection_pool::ConnectionPool;
use self::data_version::DataVersions;
use self::group_commit::Writer;
use self::lookups::Lookups;
use self::migrations::{MIGRATIONS, check_applied, migrate};
use invoicing_storage::StorageError;
use invoicing_storage::documents::DataVersion;
use invoicing_storage::{Clock as _, SystemClock};

/// How long a statement waits for another process that holds a lock before it fails with [`StorageError::Busy`].
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a read or a write waits for its turn in this process before it fails with [`StorageError::Busy`].
pub(crate) const QUEUE_TIMEOUT: Duration = Duration::from_secs(10);
/// Reads that run at the same time.
const READERS: usize = 6;
/// `cache_size` of the writing connection: a negative number is KiB. Many documents written at once touch all indexes.
const WRITER_CACHE: i64 = -24_576;
/// `cache_size` of each reading connection, in the same unit.
const READER_CACHE: i64 = -4_096;
/// `cache_size` of each connection of lookups. The inner pages of the two trees that lead to a document take 4 MiB in a tenant with a
/// million documents, and the pages of the documents would push them out of a cache that has no room beside them.
const LOOKUP_CACHE: i64 = -16_384;
/// `wal_autocheckpoint` in pages (32 MB): pages that several writes change are then copied into the file once.
const CHECKPOINT_PAGES: i64 = 8_000;
/// Prepared statements cached by the writing connection.
const WRITER_STATEMENTS: usize = 256;
/// Prepared statements cached by each reading connection.
const READER_STATEMENTS: usize = 64;

/// An open database file.
pub(crate) struct Engine {
    writer: Writer,
    readers: Arc<ConnectionPool>,
    reader_permits: Arc<Semaphore>,
    lookups: Lookups,
    data_versions: DataVersions,
}

impl Engine {
    /// Opens the database file at `path`, creates it with mode 0600 if there is none, checks its integrity, brings its
    /// schema up to date, and starts the writer thread.
    ///
    /// # Errors
    /// [`OpenError`] when the file cannot be opened or is damaged. The file is not changed then.
    pub(crate) async fn open(path: PathBuf) -> Result<Self, OpenError> {
        Self::open_by(open_checked, path).await
    }

    /// Opens a database file that exists and has the schema of this program, as it is, and starts the writer thread.
    ///
    /// # Errors
    /// [`OpenError`] when the file cannot be opened, or has another schema. What is stored is not changed then.
    pub(crate) async fn open_existing(path: PathBuf) -> Result<Self, OpenError> {
        Self::open_by(open_current, path).await
    }

    /// Opens the database file at `path` with the connection that `open` returns.
    async fn open_by(
        open: fn(&Path) -> Result<Connection, OpenError>,
        path: PathBuf,
    ) -> Result<Self, OpenError> {
        let opened = path.clone();
        let connection = tokio::task::spawn_blocking(move || open(&opened));
        let connection = connection
            .await
            .map_err(|error| OpenError::not_opened(&path, error))??;
        let writer = Writer::start(path.clone(), connection)
            .map_err(|error| OpenError::not_opened(&path, error))?;
        Ok(Self {
            writer,
            readers: Arc::new(ConnectionPool::new(
                path.clone(),
                BUSY_TIMEOUT,
                READER_CACHE,
            )),
            reader_permits: Arc::new(Semaphore::new(READERS)),
            lookups: Lookups::new(path.clone(), BUSY_TIMEOUT),
            data_versions: DataVersions::new(path),
        })
    }

    /// Runs `work` in a write transaction on the writer thread. Writes that are queued at the same time share one commit, each
    /// in a savepoint. Returns after the commit is on the disk.
    ///
    /// Nothing of `work` is kept when it returns an error. If the returned future is dropped before `work` has started, `work`
    /// is not run; otherwise it is completed.
    ///
    /// # Errors
    /// The error of `work`; [`StorageError::Busy`] when the turn did not come in time; [`StorageError::InDoubt`] when the
    /// commit failed in such a way that its outcome is unknown.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, StorageError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, EngineError> + Send + 'static,
    {
        self.transact(move |transaction| work(transaction).map(TransactionEnd::Commit))
            .await
    }

    /// Like [`Engine::write`], for `work` that decides after its first statements whether they are kept.
    pub(crate) async fn transact<T, F>(&self, work: F) -> Result<T, StorageError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<TransactionEnd<T>, EngineError> + Send + 'static,
    {
        self.writer.run(work).await
    }

    /// Runs `work` on a blocking thread, in a read transaction: all its statements see the last commit before it began.
    ///
    /// # Errors
    /// The error of `work`; [`StorageError::Busy`] when no reader became free in time.
    pub(crate) async fn read<T, F>(&self, work: F) -> Result<T, StorageError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, EngineError> + Send + 'static,
    {
        let permit = self.reader_permits.clone().acquire_owned();
        let permit = match tokio::time::timeout(QUEUE_TIMEOUT, permit).await {
            Ok(permit) => permit.map_err(StorageError::unexpected)?,
            Err(_elapsed) => return Err(StorageError::Busy),
        };
        let readers = self.readers.clone();
        let read = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            readers.with(|connection| {
                let snapshot = connection.unchecked_transaction()?;
                let value = work(&snapshot)?;
                snapshot.commit()?;
                Ok(value)
            })
        });
        match read.await {
            Ok(outcome) => outcome.map_err(StorageError::from),
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(error) => Err(StorageError::unexpected(error)),
        }
    }

    /// The first row that `select` returns for `key`, read on the caller's thread without blocking it.
    ///
    /// For a row found by a key: in a page that is cached it takes a few microseconds, less than handing it to another thread.
    pub(crate) async fn lookup_one<T>(
        &self,
        select: &'static str,
        key: impl Params + Clone + Send + Sync,
        mapper: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StorageError> {
        self.lookups.one(select, key, mapper).await
    }

    /// The few rows that `select` returns for `key`, read as [`Engine::lookup_one`] reads.
    pub(crate) async fn lookup_all<T>(
        &self,
        select: &'static str,
        key: impl Params + Clone + Send + Sync,
        mapper: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StorageError> {
        self.lookups.all(select, key, mapper).await
    }

    /// The version that a read which begins now may see: equal ones have no commit between them, of this process or another.
    /// `None` if it is not known.
    pub(crate) fn data_version(&self) -> Option<DataVersion> {
        self.data_versions.current()
    }

    /// Completes the queued writes and closes all connections. Later calls fail.
    pub(crate) async fn close(&self) {
        self.lookups.close();
        self.data_versions.close();
        self.readers.close();
        self.reader_permits.close();
        self.writer.close().await;
    }
}

/// Opens the connection that writes to the file at `path`, after its integrity was checked and its schema brought up to date.
pub(crate) fn open_checked(path: &Path) -> Result<Connection, OpenError> {
    let unclean = has_write_ahead_log(path);
    checks::create_private(path)?;
    let mut connection = open_writer(path).map_err(|error| OpenError::of(path, error.into()))?;
    checks::check_integrity(&connection, path, unclean)?;
    migrate(&mut connection, MIGRATIONS, SystemClock.timestamp())
        .map_err(|error| OpenError::of_migration(path, error))?;
    Ok(connection)
}

/// The lines of the plan of `statement`.
#[cfg(test)]
pub(crate) fn query_plan(database: &Connection, statement: &str) -> String {
    let explain = format!("EXPLAIN QUERY PLAN {statement}");
    let mut explain = database.prepare(&explain).unwrap();
    let mut rows = explain.raw_query();
    let mut plan = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        plan.push(row.get::<_, String>("detail").unwrap());
    }
    plan.join("\n")
}

/// Opens the connection that writes to the file at `path`, which exists and has the schema of this program. It is not checked
/// whole: a service that runs has its log beside it, and checked it at its start.
fn open_current(path: &Path) -> Result<Connection, OpenError> {
    let connection = open_writer(path).map_err(|error| OpenError::of(path, error.into()))?;
    check_applied(&connection, MIGRATIONS).map_err(|error| OpenError::of_migration(path, error))?;
    Ok(connection)
}

/// The connection that writes. Every commit reaches the disk (`synchronous = FULL`).
fn open_writer(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(WRITER_STATEMENTS);
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "cache_size", WRITER_CACHE)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    trace::install(&connection);
    Ok(connection)
}
