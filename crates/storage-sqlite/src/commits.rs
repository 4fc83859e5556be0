//! Group commit: writes that come at the same time share one transaction, and so one wait for the disk.
//!
//! Each write is a savepoint in the shared transaction: it sees those before it, and can be given up without them. Nobody
//! is told that a write is kept before the shared transaction is on the disk, and if it cannot be, all of them fail.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnection, SqlitePool};
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};

use super::Database;
use invoicing_storage::StorageError;

/// Writes that share a transaction at most: the first of them waits for the last.
const TOGETHER: usize = 128;

/// The one connection that writes, and who waits for it.
#[derive(Clone)]
pub(super) struct Writer {
    group: Arc<Mutex<Group>>,
    queued: Arc<AtomicUsize>,
    patience: Duration,
}

/// The shared transaction.
struct Group {
    pool: SqlitePool,
    connection: Option<PoolConnection<Database>>,
    open: bool,
    /// Writes of this transaction so far, those that were given up too: however many come, it has an end.
    turns: usize,
    /// Writes that are done and wait for the disk.
    done: Vec<oneshot::Sender<Result<(), StorageError>>>,
}

/// One write. Nothing of it is kept before [`Write::commit`]; dropping it gives it up.
pub(crate) struct Write {
    writer: Writer,
    group: Option<OwnedMutexGuard<Group>>,
}

/// A write that did not reach the disk.
#[derive(Debug)]
pub(crate) struct NotKept(StorageError);

impl From<NotKept> for StorageError {
    fn from(NotKept(error): NotKept) -> Self {
        error
    }
}

impl Writer {
    /// Writes through the connection of `pool`, which has one. Nobody waits for it longer than `patience`.
    pub(super) fn new(pool: SqlitePool, patience: Duration) -> Self {
        let group = Group {
            pool,
            connection: None,
            open: false,
            turns: 0,
            done: Vec::new(),
        };
        Self {
            group: Arc::new(Mutex::new(group)),
            queued: Arc::default(),
            patience,
        }
    }

    /// Begins a write as soon as those before it are done with theirs.
    ///
    /// The turn is taken by a task of its own: whoever comes next relies on it being passed on, even if the caller is gone.
    pub(super) async fn begin(&self) -> Result<Write, StorageError> {
        let (answer, begun) = oneshot::channel();
        let writer = self.clone();
        self.queued.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(async move {
            let mut group = writer.group.clone().lock_owned().await;
            writer.queued.fetch_sub(1, Ordering::SeqCst);
            if answer.is_closed() {
                return writer.pass_on(group).await;
            }
            match group.begin().await {
                // If nobody takes it any more, dropping it gives it up.
                Ok(()) => drop(answer.send(Ok(Write {
                    writer,
                    group: Some(group),
                }))),
                Err(error) => {
                    writer.pass_on(group).await;
                    let _ = answer.send(Err(error));
                }
            }
        });
        match tokio::time::timeout(self.patience, begun).await {
            Ok(Ok(begun)) => begun,
            Ok(Err(_)) | Err(_) => Err(StorageError::Busy),
        }
    }

    /// Waits for writes under way and gives the connection back.
    pub(super) async fn close(&self) {
        self.group.lock().await.connection = None;
    }

    /// Ends a turn: the next in the queue goes on with the transaction, or else it is brought to the disk.
    async fn pass_on(&self, mut group: OwnedMutexGuard<Group>) {
        let others = self.queued.load(Ordering::SeqCst) > 0;
        if group.open && !(others && group.turns < TOGETHER) {
            group.end().await;
        }
    }

    async fn settle(
        &self,
        mut group: OwnedMutexGuard<Group>,
        keep: Option<oneshot::Sender<Result<(), StorageError>>>,
    ) {
        let settled = match &keep {
            Some(_) => group.execute("RELEASE one_write").await,
            None => match group.execute("ROLLBACK TO one_write").await {
                Ok(()) => group.execute("RELEASE one_write").await,
                Err(error) => Err(error),
            },
        };
        group.done.extend(keep);
        match settled {
            Ok(()) => self.pass_on(group).await,
            // SQLite has given up the whole transaction, as it does when the disk is full.
            Err(error) => group.fail(&error).await,
        }
    }
}

impl Group {
    async fn begin(&mut self) -> Result<(), StorageError> {
        if self.connection.is_none() {
            self.connection = Some(self.pool.acquire().await?);
        }
        if !self.open {
            self.execute("BEGIN IMMEDIATE").await?;
            self.open = true;
            self.turns = 0;
        }
        self.turns += 1;
        self.execute("SAVEPOINT one_write").await
    }

    async fn end(&mut self) {
        match self.execute("COMMIT").await {
            Ok(()) => {
                self.open = false;
                for done in self.done.drain(..) {
                    // Whoever is gone does not need to hear it.
                    let _ = done.send(Ok(()));
                }
            }
            Err(error) => self.fail(&error).await,
        }
    }

    /// Nothing of the shared transaction is kept.
    async fn fail(&mut self, error: &StorageError) {
        // It may have ended by itself.
        let _ = self.execute("ROLLBACK").await;
        self.open = false;
        // One that is broken is not taken up again by its pool.
        self.connection = None;
        for done in self.done.drain(..) {
            let _ = done.send(Err(error.clone()));
        }
    }

    async fn execute(&mut self, statement: &'static str) -> Result<(), StorageError> {
        let Some(connection) = &mut self.connection else {
            return Err(StorageError::unexpected("no connection writes".to_owned()));
        };
        sqlx::query(statement).execute(&mut **connection).await?;
        Ok(())
    }
}

impl Write {
    /// Returns when the write is on the disk.
    pub(crate) async fn commit(mut self) -> Result<(), NotKept> {
        let (done, kept) = oneshot::channel();
        if let Some(group) = self.group.take() {
            let writer = self.writer.clone();
            // On its own, so that a caller who goes away does not leave the others waiting.
            tokio::spawn(async move { writer.settle(group, Some(done)).await });
        }
        match kept.await {
            Ok(outcome) => outcome.map_err(NotKept),
            Err(_) => Err(NotKept(StorageError::unexpected(
                "the writer is gone".to_owned(),
            ))),
        }
    }
}

impl Drop for Write {
    fn drop(&mut self) {
        let Some(group) = self.group.take() else {
            return;
        };
        let writer = self.writer.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { writer.settle(group, None).await });
        }
    }
}

impl Deref for Write {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        let group = self.group.as_ref().expect("taken by commit and drop only");
        group.connection.as_ref().expect("begun with a connection")
    }
}

impl DerefMut for Write {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        let group = self.group.as_mut().expect("taken by commit and drop only");
        group.connection.as_mut().expect("begun with a connection")
    }
}
