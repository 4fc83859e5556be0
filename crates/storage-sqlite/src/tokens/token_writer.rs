//! Inserts tokens. Those of concurrent requests are written by one job of the writer thread: a transaction costs as much as a
//! dozen of the rows in it, and a row less than a message between threads.
//!
//! A request that finds the queue empty starts the next batch: it waits for the batch before, lets the requests that are about
//! to join do so, and writes all of them. Each is answered on its own: a used code or token fails its own request only. How many
//! wait, and for how long, is bounded as for every other write.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{OptionalExtension as _, Transaction};
use tokio::sync::{Mutex as TurnMutex, oneshot};

use super::token_authorizations::TokenAuthorizationCache;
use super::token_insert::TokenInsert;
use super::token_statements::TokenStatements;
use crate::engine::{Engine, EngineError, QUEUE_TIMEOUT};
use invoicing_storage::tokens::{InsertOutcome, TokenAuthorization};
use invoicing_storage::{Basis, StorageError};

/// A batch of so many requests waits for no others to join it.
const MAX_BATCH: usize = 512;
/// Most requests that wait for the batch before.
const MAX_WAITING: usize = 4096;

/// The queue of tokens to insert.
#[derive(Clone)]
pub(crate) struct TokenWriter {
    queue: Arc<Mutex<Vec<QueuedInsert>>>,
    /// Held while a batch is written.
    turn: Arc<TurnMutex<()>>,
    engine: Arc<Engine>,
    authorizations: Arc<TokenAuthorizationCache>,
}

struct QueuedInsert {
    /// Boxed, because it is moved several times.
    insert: Box<TokenInsert>,
    answer: oneshot::Sender<Result<InsertOutcome, StorageError>>,
}

/// The outcomes of a batch, and the token authorizations that it inserted with their ids.
type BatchOutcome = (Vec<InsertOutcome>, Vec<(Arc<TokenAuthorization>, i64)>);

impl TokenWriter {
    /// A writer with an empty queue.
    pub(crate) fn new(engine: Arc<Engine>, authorizations: Arc<TokenAuthorizationCache>) -> Self {
        Self {
            queue: Arc::default(),
            turn: Arc::default(),
            engine,
            authorizations,
        }
    }

    /// Inserts tokens with the next batch. Returns after its commit.
    ///
    /// If the returned future is dropped before the batch begins to be written, nothing is inserted.
    ///
    /// # Errors
    /// [`StorageError::Busy`] when too many wait, or the batch before did not end in time; otherwise as [`Engine::write`].
    pub(super) async fn insert(
        &self,
        insert: Box<TokenInsert>,
    ) -> Result<InsertOutcome, StorageError> {
        let (answer, answered) = oneshot::channel();
        if self.enqueue(QueuedInsert { insert, answer })? {
            let writer = self.clone();
            // A task of its own: the other requests depend on it even if this caller is cancelled.
            tokio::spawn(async move { writer.flush_batch(QUEUE_TIMEOUT).await });
        }
        match answered.await {
            Ok(outcome) => outcome,
            Err(dropped) => Err(StorageError::in_doubt(dropped)),
        }
    }

    /// Whether the queue was empty before.
    ///
    /// # Errors
    /// [`StorageError::Busy`] when too many wait.
    fn enqueue(&self, insert: QueuedInsert) -> Result<bool, StorageError> {
        let mut queue = lock(&self.queue);
        if queue.len() >= MAX_WAITING {
            return Err(StorageError::Busy);
        }
        queue.push(insert);
        Ok(queue.len() == 1)
    }

    /// Empties the queue, and returns what somebody still waits for.
    fn take_queue(&self) -> Vec<QueuedInsert> {
        let mut queued = std::mem::take(&mut *lock(&self.queue));
        queued.retain(|queued| !queued.answer.is_closed());
        queued
    }

    /// Returns when no further request joins: all that has arrived at the service by now has been processed up to its insert.
    /// A single request is not delayed.
    async fn wait_for_joining_requests(&self) {
        let mut before = 0;
        loop {
            let queued = lock(&self.queue).len();
            if queued == before || queued >= MAX_BATCH {
                return;
            }
            before = queued;
            tokio::task::yield_now().await;
        }
    }

    /// Writes what is queued when the batch before has ended. If that takes longer than `longest`, all of it fails with
    /// [`StorageError::Busy`]: the first has waited as long as this task, and none longer.
    async fn flush_batch(self, longest: Duration) {
        let turn = match tokio::time::timeout(longest, self.turn.lock()).await {
            Ok(turn) => turn,
            Err(elapsed) => {
                let waiting = self.take_queue();
                tracing::warn!(%elapsed, requests = waiting.len(), "tokens have waited too long for those before them");
                for QueuedInsert { answer, .. } in waiting {
                    // The receiver is gone when its request was cancelled.
                    let _ = answer.send(Err(StorageError::Busy));
                }
                return;
            }
        };
        self.wait_for_joining_requests().await;
        let (inserts, answers): (Vec<_>, Vec<_>) = self
            .take_queue()
            .into_iter()
            .map(|queued| (queued.insert, queued.answer))
            .unzip();
        if inserts.is_empty() {
            return;
        }
        // Shared, so that the inserts are freed by the thread that allocated them: freeing them on another costs more.
        let inserts = Arc::new(inserts);
        let outcomes = self.write_all(&inserts).await;
        drop(turn);
        // Answered from this task and not from the writer thread: waking a task from another thread costs more than a row.
        for (answer, outcome) in answers.into_iter().zip(outcomes) {
            // The receiver is gone when its request was cancelled.
            let _ = answer.send(outcome);
        }
    }

    /// The outcome of each insert.
    async fn write_all(
        &self,
        inserts: &Arc<Vec<Box<TokenInsert>>>,
    ) -> Vec<Result<InsertOutcome, StorageError>> {
        let failure = match self.write(inserts, 0..inserts.len()).await {
            Ok(outcomes) => return outcomes.into_iter().map(Ok).collect(),
            Err(failure) => failure,
        };
        let is_of_all = is_of_the_database(&failure)
            || matches!(failure, StorageError::InDoubt(_))
            || inserts.len() == 1;
        // Otherwise one of them failed: each is written on its own, so that it fails alone.
        let mut failure_of_all = is_of_all.then_some(failure);
        let mut outcomes = Vec::with_capacity(inserts.len());
        for each in 0..inserts.len() {
            if let Some(failure) = &failure_of_all {
                outcomes.push(Err(failure.clone()));
                continue;
            }
            let outcome = self.write(inserts, each..each + 1).await;
            let outcome = outcome.map(|outcomes| outcomes[0]);
            failure_of_all = outcome
                .as_ref()
                .err()
                .filter(|failure| is_of_the_database(failure))
                .cloned();
            outcomes.push(outcome);
        }
        outcomes
    }

    async fn write(
        &self,
        inserts: &Arc<Vec<Box<TokenInsert>>>,
        range: std::ops::Range<usize>,
    ) -> Result<Vec<InsertOutcome>, StorageError> {
        let (inserts, authorizations) = (inserts.clone(), self.authorizations.clone());
        let write = self
            .engine
            .write(move |transaction| write_batch(transaction, &authorizations, &inserts[range]));
        let (outcomes, inserted) = write.await?;
        for (authorization, id) in inserted {
            self.authorizations.insert_id(authorization, id);
        }
        Ok(outcomes)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether every other insert would fail as the one that failed with `error`, after it has waited as long. Nothing was written.
const fn is_of_the_database(error: &StorageError) -> bool {
    matches!(error, StorageError::Busy | StorageError::NoSpace)
}

fn write_batch(
    transaction: &Transaction<'_>,
    authorizations: &TokenAuthorizationCache,
    inserts: &[Box<TokenInsert>],
) -> Result<BatchOutcome, EngineError> {
    let version: Option<i64> = if inserts.iter().any(|insert| insert.assumed.is_some()) {
        let mut select = transaction.prepare_cached(super::SELECT_VERSION)?;
        select.query_row((), |row| row.get(0)).optional()?
    } else {
        None
    };
    let mut statements = TokenStatements::prepare(transaction, authorizations)?;
    let outcomes = inserts.iter().map(|insert| {
        let assumed = insert.assumed.map(Basis::version);
        if assumed.is_some() && assumed != version {
            return Ok(InsertOutcome::Outdated);
        }
        statements.insert(insert)
    });
    let outcomes = outcomes.collect::<Result<_, EngineError>>()?;
    Ok((outcomes, statements.inserted_authorizations()))
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use rusqlite::Connection;

    use super::*;
    use crate::Sqlite;
    use crate::tokens::tests::{family, store_in, tokens};

    /// Tokens of a new authorization.
    fn new_insert() -> Box<TokenInsert> {
        let family = family("c");
        let tokens = tokens(&family);
        let mut insert = TokenInsert::new(tokens.access, tokens.refresh);
        insert.family = Some(family);
        insert
    }

    /// Queues an insert that no task writes, and returns where its answer arrives.
    fn queue(writer: &TokenWriter) -> oneshot::Receiver<Result<InsertOutcome, StorageError>> {
        let (answer, answered) = oneshot::channel();
        let insert = new_insert();
        writer.enqueue(QueuedInsert { insert, answer }).unwrap();
        answered
    }

    async fn stored_tokens(store: &Sqlite) -> i64 {
        let select = "SELECT count(*) FROM access_tokens";
        let count = store.engine().lookup_one(select, (), |row| row.get(0));
        count.await.unwrap().expect("a count is one row")
    }

    #[tokio::test]
    async fn insert_whose_caller_is_gone_before_its_turn_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let store = store_in(&folder).await;
        let writer = store.token_writer();
        let turn = writer.turn.lock().await;
        // Polled once, so that it is queued.
        let mut gone = Box::pin(writer.insert(new_insert()));
        tokio::select! {
            biased;
            _ = &mut gone => panic!("another batch has the turn"),
            () = ready(()) => {}
        }
        drop(gone);
        drop(turn);
        let inserted = writer.insert(new_insert()).await;
        assert_eq!(inserted.unwrap(), InsertOutcome::Inserted);
        assert_eq!(stored_tokens(&store).await, 1);
        store.close().await;
    }

    #[tokio::test]
    async fn inserts_whose_turn_does_not_come_in_time_are_busy_and_never_written() {
        let folder = tempfile::tempdir().unwrap();
        let store = store_in(&folder).await;
        let writer = store.token_writer();
        let turn = writer.turn.lock().await;
        let late = [queue(writer), queue(writer)];
        writer.clone().flush_batch(Duration::ZERO).await;
        for outcome in late {
            let outcome = outcome.await.unwrap();
            assert!(matches!(outcome, Err(StorageError::Busy)), "{outcome:?}");
        }
        drop(turn);
        let next = writer.insert(new_insert()).await;
        assert_eq!(next.unwrap(), InsertOutcome::Inserted, "the turn is free");
        assert_eq!(stored_tokens(&store).await, 1);
        store.close().await;
    }

    #[tokio::test]
    async fn insert_that_arrives_when_too_many_wait_is_busy() {
        let folder = tempfile::tempdir().unwrap();
        let store = store_in(&folder).await;
        let writer = store.token_writer();
        let waiting: Vec<_> = (0..MAX_WAITING).map(|_| queue(writer)).collect();
        let refused = writer.insert(new_insert()).await;
        assert!(matches!(refused, Err(StorageError::Busy)), "{refused:?}");
        drop(waiting);
        writer.clone().flush_batch(QUEUE_TIMEOUT).await;
        let inserted = writer.insert(new_insert()).await;
        assert_eq!(inserted.unwrap(), InsertOutcome::Inserted);
        assert_eq!(stored_tokens(&store).await, 1, "the others are gone");
        store.close().await;
    }

    #[tokio::test]
    async fn batch_waits_once_for_another_process_that_writes() {
        let folder = tempfile::tempdir().unwrap();
        let store = store_in(&folder).await;
        let writer = store.token_writer();
        // The connection of the next write waits no longer; the one after a failure waits for BUSY_TIMEOUT again.
        let short = Duration::from_millis(50);
        let shortened = store
            .engine()
            .write(move |transaction| Ok(transaction.busy_timeout(short)?));
        shortened.await.unwrap();
        let other = Connection::open(store.path()).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();

        let turn = writer.turn.lock().await;
        let inserts = (0..20).map(|_| {
            let writer = writer.clone();
            tokio::spawn(async move { writer.insert(new_insert()).await })
        });
        let inserts: Vec<_> = inserts.collect();
        while lock(&writer.queue).len() < inserts.len() {
            tokio::task::yield_now().await;
        }
        drop(turn);
        let answers = async {
            for insert in inserts {
                let outcome = insert.await.unwrap();
                assert!(matches!(outcome, Err(StorageError::Busy)), "{outcome:?}");
            }
        };
        let answered = tokio::time::timeout(Duration::from_secs(4), answers).await;
        answered.expect("no insert waits for itself alone");
        other.execute_batch("ROLLBACK").unwrap();
        assert_eq!(stored_tokens(&store).await, 0);
        store.close().await;
    }
}
