//! Inserts tokens. Those of concurrent requests are written by one job of the writer thread: a transaction costs as much as a
//! dozen of the rows in it, and a row less than a message between threads.
//!
//! A request that finds the queue empty starts the next batch: it waits for the batch before, lets the requests that are about
//! to join do so, and writes all of them. Each is answered on its own: a used code or token fails its own request only.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{OptionalExtension as _, Transaction};
use tokio::sync::{Mutex as TurnMutex, oneshot};

use super::token_authorizations::TokenAuthorizationCache;
use super::token_insert::TokenInsert;
use super::token_statements::TokenStatements;
use crate::engine::{Engine, EngineError};
use invoicing_storage::tokens::{InsertOutcome, TokenAuthorization};
use invoicing_storage::{Basis, StorageError};

/// Requests in a batch at most.
const MAX_BATCH: usize = 512;

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
    pub(super) async fn insert(
        &self,
        insert: Box<TokenInsert>,
    ) -> Result<InsertOutcome, StorageError> {
        let (answer, answered) = oneshot::channel();
        if self.enqueue(QueuedInsert { insert, answer }) {
            let writer = self.clone();
            // A task of its own: the other requests depend on it even if this caller is cancelled.
            tokio::spawn(async move { writer.flush_batch().await });
        }
        match answered.await {
            Ok(outcome) => outcome,
            Err(dropped) => Err(StorageError::in_doubt(dropped)),
        }
    }

    /// Whether the queue was empty before.
    fn enqueue(&self, insert: QueuedInsert) -> bool {
        let mut queue = lock(&self.queue);
        queue.push(insert);
        queue.len() == 1
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

    async fn flush_batch(self) {
        let turn = self.turn.lock().await;
        self.wait_for_joining_requests().await;
        let queued = std::mem::take(&mut *lock(&self.queue));
        let (inserts, answers): (Vec<_>, Vec<_>) = queued
            .into_iter()
            .map(|queued| (queued.insert, queued.answer))
            .unzip();
        // Shared, so that the inserts are freed by the thread that allocated them: freeing them on another costs more.
        let inserts = Arc::new(inserts);
        let outcomes = match self.write(&inserts, 0..inserts.len()).await {
            Ok(outcomes) => outcomes.into_iter().map(Ok).collect(),
            Err(error) if inserts.len() == 1 => vec![Err(error)],
            Err(error @ StorageError::InDoubt(_)) => {
                inserts.iter().map(|_| Err(error.clone())).collect()
            }
            // One of them failed: each is written on its own, so that it fails alone.
            Err(_one_of_them) => {
                let mut outcomes = Vec::with_capacity(inserts.len());
                for each in 0..inserts.len() {
                    let outcome = self.write(&inserts, each..each + 1).await;
                    outcomes.push(outcome.map(|outcomes| outcomes[0]));
                }
                outcomes
            }
        };
        drop(turn);
        // Answered from this task and not from the writer thread: waking a task from another thread costs more than a row.
        for (answer, outcome) in answers.into_iter().zip(outcomes) {
            // The receiver is gone when its request was cancelled.
            let _ = answer.send(outcome);
        }
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
