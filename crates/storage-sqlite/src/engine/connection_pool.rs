//! Connections that only read.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::{EngineError, READER_STATEMENTS};
use invoicing_storage::StorageError;

/// As many read-only connections as threads have read at the same time.
pub(super) struct ConnectionPool {
    path: PathBuf,
    busy_timeout: Duration,
    /// `cache_size` of each connection.
    cache: i64,
    /// `None` after [`ConnectionPool::close`].
    idle: Mutex<Option<Vec<Connection>>>,
}

impl ConnectionPool {
    /// A pool for the database file at `path`. `busy_timeout` is how long a statement blocks its thread while another process
    /// holds the whole database, and `cache` the `cache_size` of each connection.
    pub(super) const fn new(path: PathBuf, busy_timeout: Duration, cache: i64) -> Self {
        Self {
            path,
            busy_timeout,
            cache,
            idle: Mutex::new(Some(Vec::new())),
        }
    }

    /// Runs `read` with an idle connection, or with a new one if none is idle.
    pub(super) fn with<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let connection = self.take()?;
        let value = read(&connection);
        if let Some(idle) = &mut *self.lock() {
            idle.push(connection);
        }
        value
    }

    /// Closes the idle connections. One that is in use is closed after its read. Later reads fail.
    pub(super) fn close(&self) {
        *self.lock() = None;
    }

    fn take(&self) -> Result<Connection, EngineError> {
        let idle = match &mut *self.lock() {
            Some(idle) => idle.pop(),
            None => return Err(StorageError::unexpected("the database was closed").into()),
        };
        Ok(match idle {
            Some(connection) => connection,
            None => self.open()?,
        })
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(self.busy_timeout)?;
        connection.set_prepared_statement_cache_capacity(READER_STATEMENTS);
        connection.pragma_update(None, "cache_size", self.cache)?;
        Ok(connection)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<Connection>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
