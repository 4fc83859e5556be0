//! Group commit: writes that are queued at the same time share one transaction, and so one wait for the disk.
//!
//! The first write runs directly in the shared transaction, each further one in a savepoint: it sees those before it, and is
//! rolled back without them. Callers are answered after the shared transaction is on the disk. If that fails, all of them fail.

use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use super::held_snapshot::HeldSnapshot;
use super::write_job::{Job, StartState, TransactionEnd, WriteJob};
use super::{EngineError, QUEUE_TIMEOUT, open_writer};
use invoicing_storage::StorageError;

/// Writes that share a transaction at most, because the first waits for the last.
const MAX_GROUP: usize = 128;
/// How long a snapshot is held before a newer one is: another process may have written, and may want to begin the log anew.
const HELD_FOR: Duration = Duration::from_secs(1);
/// How long none is held then: who waits for a lock of SQLite looks for it each 100 ms (`sqliteDefaultBusyCallback`).
const FREE_FOR: Duration = Duration::from_millis(150);

type Queue = mpsc::Sender<Box<dyn Job>>;

/// The queue of the writer thread, which owns the only connection that writes.
pub(super) struct Writer {
    /// `None` after [`Writer::close`].
    queue: Mutex<Option<Queue>>,
    /// Fires when the thread has ended.
    ended: Mutex<Option<oneshot::Receiver<()>>>,
}

impl Writer {
    /// Starts the thread. It opens another connection to `path` when `connection` fails in a transaction.
    pub(super) fn start(path: PathBuf, connection: Connection) -> std::io::Result<Self> {
        let (queue, jobs) = mpsc::channel();
        let (ending, ended) = oneshot::channel();
        let mut thread = WriterThread {
            snapshot: HeldSnapshot::open(&path),
            path,
            connection: Some(connection),
            jobs,
        };
        std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || {
                thread.run();
                drop(thread);
                let _ = ending.send(());
            })?;
        Ok(Self {
            queue: Mutex::new(Some(queue)),
            ended: Mutex::new(Some(ended)),
        })
    }

    /// Runs `work` in a savepoint and returns after the commit.
    pub(super) async fn run<T, F>(&self, work: F) -> Result<T, StorageError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<TransactionEnd<T>, EngineError> + Send + 'static,
    {
        let state = StartState::default();
        let (job, mut answered) = WriteJob::new(work, state.clone());
        self.enqueue(Box::new(job))?;
        let answer = match tokio::time::timeout(QUEUE_TIMEOUT, &mut answered).await {
            Ok(answer) => answer,
            Err(_elapsed) if state.abandon() => return Err(StorageError::Busy),
            Err(_elapsed) => answered.await,
        };
        match answer {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // The thread ended, perhaps after the commit.
            Err(dropped) => Err(StorageError::in_doubt(dropped)),
        }
    }

    /// Completes the queued jobs, ends the thread and closes its connection.
    pub(super) async fn close(&self) {
        drop(lock(&self.queue).take());
        let ended = lock(&self.ended).take();
        if let Some(ended) = ended {
            let _ = ended.await;
        }
    }

    fn enqueue(&self, job: Box<dyn Job>) -> Result<(), StorageError> {
        let closed = || StorageError::unexpected("the database was closed");
        let queue = lock(&self.queue);
        let queue = queue.as_ref().ok_or_else(closed)?;
        queue
            .send(job)
            .map_err(|_gone| StorageError::unexpected("the writer thread ended"))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the writer thread owns.
struct WriterThread {
    /// Held while there is nothing to write. The connection below is the last that is closed, because it clears the log.
    snapshot: HeldSnapshot,
    path: PathBuf,
    /// `None` after a failed transaction, until the next opens another.
    connection: Option<Connection>,
    jobs: mpsc::Receiver<Box<dyn Job>>,
}

impl WriterThread {
    fn run(&mut self) {
        while let Some(first) = self.next() {
            self.run_group(first);
        }
    }

    /// The next job. `None` when the queue is closed.
    fn next(&self) -> Option<Box<dyn Job>> {
        match self.jobs.try_recv() {
            Ok(job) => return Some(job),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => {}
        }
        loop {
            let held = self
                .snapshot
                .hold_while(|| self.jobs.recv_timeout(HELD_FOR));
            let received = match held {
                Err(RecvTimeoutError::Timeout) => self.jobs.recv_timeout(FREE_FOR),
                held => held,
            };
            match received {
                Ok(job) => return Some(job),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn run_group(&mut self, mut first: Box<dyn Job>) {
        if !first.start() {
            return;
        }
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => match open_writer(&self.path) {
                Ok(connection) => connection,
                Err(error) => return first.finish(Err(EngineError::from(error).into())),
            },
        };
        let mut group = Vec::new();
        let ended = run_transaction(&connection, first, &self.jobs, &mut group);
        if ended.is_ok() {
            self.connection = Some(connection);
        }
        for job in group {
            job.finish(ended.clone());
        }
    }
}

/// Runs `first` and the jobs that are queued by then. They are in `group` afterwards, whatever the outcome.
fn run_transaction(
    connection: &Connection,
    first: Box<dyn Job>,
    jobs: &mpsc::Receiver<Box<dyn Job>>,
    group: &mut Vec<Box<dyn Job>>,
) -> Result<(), StorageError> {
    group.push(first);
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)
        .map_err(EngineError::from)?;
    // Without a savepoint, for which SQLite would copy every page that the write changes.
    let first = group.last_mut().expect("just pushed");
    if !first.run(&transaction) {
        if !transaction.is_autocommit() {
            execute(&transaction, "ROLLBACK")?;
        }
        return Ok(());
    }
    while group.len() < MAX_GROUP {
        let started = std::iter::from_fn(|| jobs.try_recv().ok()).find_map(|mut job| {
            let waited_for = job.start();
            waited_for.then_some(job)
        });
        let Some(job) = started else {
            break;
        };
        group.push(job);
        let job = group.last_mut().expect("just pushed");
        run_in_savepoint(&transaction, &mut **job)?;
    }
    let committed = transaction.execute_batch("COMMIT");
    committed.map_err(|error| commit_error(error, transaction.is_autocommit()))
}

/// Fails when SQLite has rolled back the whole transaction, as it does when the disk is full.
fn run_in_savepoint(transaction: &Transaction<'_>, job: &mut dyn Job) -> Result<(), StorageError> {
    execute(transaction, "SAVEPOINT one_write")?;
    let kept = job.run(transaction);
    if !kept {
        execute(transaction, "ROLLBACK TO one_write")?;
    }
    execute(transaction, "RELEASE one_write")
}

fn execute(transaction: &Transaction<'_>, statement: &str) -> Result<(), StorageError> {
    let executed = transaction
        .prepare_cached(statement)
        .and_then(|mut statement| statement.execute(()));
    match executed {
        Ok(_) => Ok(()),
        Err(error) => Err(EngineError::from(error).into()),
    }
}

/// What a failed `COMMIT` means. `ended` tells whether SQLite has ended the transaction: one that is still open is not on the
/// disk, and is rolled back. One that was ended by another error than a full disk, for example by a failed sync of the log,
/// may be found in the log by a later start.
fn commit_error(error: rusqlite::Error, ended: bool) -> StorageError {
    let full = error.sqlite_error_code() == Some(ErrorCode::DiskFull);
    if ended && !full {
        StorageError::in_doubt(error)
    } else {
        EngineError::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn failed_commit_is_in_doubt_unless_the_transaction_is_open_or_the_disk_full() {
        let commit = |code, ended| {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            commit_error(error, ended)
        };
        let in_doubt = commit(ffi::SQLITE_IOERR_FSYNC, true);
        assert!(matches!(in_doubt, StorageError::InDoubt(_)), "{in_doubt}");
        let busy = commit(ffi::SQLITE_BUSY, false);
        assert!(matches!(busy, StorageError::Busy), "{busy}");
        let full = commit(ffi::SQLITE_FULL, true);
        assert!(matches!(full, StorageError::NoSpace), "{full}");
        let constraint = commit(ffi::SQLITE_CONSTRAINT_FOREIGNKEY, false);
        assert!(
            matches!(constraint, StorageError::Unexpected(_)),
            "{constraint}"
        );
    }
}
