//! The version of the database file: whether anything was committed since a read.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use invoicing_storage::documents::DataVersion;
use rusqlite::{Connection, OpenFlags};

/// A connection that reads `PRAGMA data_version` and nothing else: its values are comparable within one connection only
/// (<https://www.sqlite.org/pragma.html#pragma_data_version>).
pub(super) struct DataVersions {
    path: PathBuf,
    connection: Mutex<State>,
}

enum State {
    Unopened,
    Open(Connection),
    Closed,
}

impl DataVersions {
    /// The versions of the database file at `path`.
    pub(super) const fn new(path: PathBuf) -> Self {
        Self {
            path,
            connection: Mutex::new(State::Unopened),
        }
    }

    /// The version that a read which begins now may see. It changes with every commit of another connection, and no write uses
    /// this one. `None` while another process holds the whole database, after [`DataVersions::close`], and if it cannot be read.
    pub(super) fn current(&self) -> Option<DataVersion> {
        let mut state = self.lock();
        if matches!(*state, State::Unopened) {
            *state = State::Open(self.open().ok()?);
        }
        let State::Open(connection) = &*state else {
            return None;
        };
        let version = connection
            .prepare_cached("PRAGMA data_version")
            .and_then(|mut select| select.query_row((), |row| row.get(0)));
        version.ok().map(DataVersion)
    }

    /// Closes the connection.
    pub(super) fn close(&self) {
        *self.lock() = State::Closed;
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        // It is read on the caller's thread, which must not block.
        connection.busy_timeout(Duration::ZERO)?;
        Ok(connection)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
