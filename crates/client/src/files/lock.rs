//! An advisory lock among the processes of this computer: for a short critical section over files, or for as long as something is
//! under way.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use super::{FileOperation, before, create_private_dir};

const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// A critical section takes milliseconds. A process that holds the lock for five seconds was stopped.
const POLLS: u32 = 1000;

/// An exclusive lock. The system releases it if the process dies.
pub(crate) struct FileLock {
    _file: File,
}

impl FileLock {
    /// Waits for other processes, for at most five seconds. It blocks the thread.
    pub(crate) fn acquire(path: &Path) -> io::Result<Self> {
        let file = open(path)?;
        for _ in 0..POLLS {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) => std::thread::sleep(POLL_INTERVAL),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Err(io::ErrorKind::TimedOut.into())
    }

    /// Does not wait: `None` if somebody holds the lock.
    pub(crate) fn try_acquire(path: &Path) -> io::Result<Option<Self>> {
        let file = open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    create_private_dir(path.parent().unwrap_or_else(|| Path::new(".")))?;
    before(FileOperation::OpenLock, path)?;
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
}
