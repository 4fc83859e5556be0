//! Temporary: what errors of SQLite's drivers mean for the caller.

use crate::StorageError;

impl From<sqlx::Error> for StorageError {
    fn from(error: sqlx::Error) -> Self {
        if matches!(error, sqlx::Error::PoolTimedOut) {
            return Self::Busy;
        }
        match error.as_database_error().and_then(primary_code) {
            Some(SQLITE_BUSY | SQLITE_LOCKED) => Self::Busy,
            Some(SQLITE_FULL) => Self::NoSpace,
            Some(SQLITE_CORRUPT | SQLITE_NOTADB) => Self::corrupt(error),
            Some(_) | None => Self::unexpected(error),
        }
    }
}

const SQLITE_BUSY: i32 = 5;
const SQLITE_LOCKED: i32 = 6;
const SQLITE_CORRUPT: i32 = 11;
const SQLITE_FULL: i32 = 13;
const SQLITE_NOTADB: i32 = 26;

/// The primary result code: the low byte of an extended one.
fn primary_code(error: &dyn sqlx::error::DatabaseError) -> Option<i32> {
    error.code()?.parse::<i32>().ok().map(|code| code & 0xff)
}

impl From<rusqlite::Error> for StorageError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DiskFull) => Self::NoSpace,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::corrupt(error),
            Some(_) | None => Self::unexpected(error),
        }
    }
}
