//! A snapshot that is held between the writes, so that readers lock without a call of the system.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

/// A connection that reads nothing else than the newest snapshot, to hold its lock.
///
/// A read transaction locks its snapshot in the shared memory of the log, and unlocks it: two calls of `fcntl`, which cost more than
/// many a lookup. SQLite counts the holders of a lock in a process, and asks the system for the first and the last of them only
/// (`unixShmLock`). While this one holds it, readers of the same snapshot are never the first nor the last.
pub(super) struct HeldSnapshot {
    /// `None` if it could not be opened: reads work without it.
    connection: Option<Connection>,
}

impl HeldSnapshot {
    /// A connection to the database file at `path`, which holds nothing yet.
    pub(super) fn open(path: &Path) -> Self {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(path, flags);
        Self {
            connection: opened
                .inspect_err(|error| tracing::debug!(%error, "no snapshot is held"))
                .ok(),
        }
    }

    /// Holds the newest snapshot while `wait` runs. The log behind it is not begun anew meanwhile, unless all of the log is in the
    /// file: so the writer holds none while it writes, and `wait` ends soon for the sake of other processes.
    pub(super) fn hold_while<T>(&self, wait: impl FnOnce() -> T) -> T {
        // It ends when it is dropped.
        let _snapshot = self.connection.as_ref().and_then(|connection| {
            let snapshot = connection.unchecked_transaction().ok()?;
            // A transaction begins with its first read.
            let read = "SELECT 1 FROM sqlite_schema LIMIT 1";
            snapshot
                .prepare_cached(read)
                .and_then(|mut statement| statement.query_row((), |_| Ok(())))
                .ok()?;
            Some(snapshot)
        });
        wait()
    }
}
