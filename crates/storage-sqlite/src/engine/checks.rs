//! Checks and file modes before a database is used.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::OpenError;

/// Files up to this size, in bytes, are checked at every start; larger ones only after a stop that was not clean.
const ALWAYS_CHECKED: u64 = 64 * 1024 * 1024;

/// Whether a write-ahead log with content is beside the file: SQLite removes it when the last connection closes cleanly.
pub(crate) fn has_write_ahead_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let log = PathBuf::from(log).metadata();
    log.is_ok_and(|log| log.len() > 0)
}

/// Creates the file readable by its owner only, because it holds signing keys. SQLite would create it readable by everybody,
/// and gives its log the mode of the file.
pub(super) fn create_private(path: &Path) -> Result<(), OpenError> {
    create_private_new(path).map(|_is_new| ())
}

/// As [`create_private`]. Returns whether there was no such file: of several callers one makes it.
pub(crate) fn create_private_new(path: &Path) -> Result<bool, OpenError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) if error.kind() == std::io::ErrorKind::StorageFull => Err(OpenError::NoSpace {
            path: path.to_owned(),
        }),
        Err(error) => Err(OpenError::not_opened(path, error)),
    }
}

/// Runs `PRAGMA quick_check` on a small file, or on any after a stop that was not clean.
pub(super) fn check_integrity(
    connection: &Connection,
    path: &Path,
    unclean: bool,
) -> Result<(), OpenError> {
    let size = path.metadata().map(|file| file.len()).unwrap_or_default();
    if size > ALWAYS_CHECKED && !unclean {
        return Ok(());
    }
    let finding: String = connection
        .query_row("PRAGMA quick_check(1)", (), |row| row.get(0))
        .map_err(|error| OpenError::of(path, error.into()))?;
    if finding == "ok" {
        Ok(())
    } else {
        Err(OpenError::CorruptDatabase {
            path: path.to_owned(),
            finding,
        })
    }
}
