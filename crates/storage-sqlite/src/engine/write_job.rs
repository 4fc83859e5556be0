//! A write on its way through the queue of the writer thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use rusqlite::Transaction;
use tokio::sync::oneshot;

use super::EngineError;
use invoicing_storage::StorageError;

/// Whether the statements of a write are kept.
pub(crate) enum TransactionEnd<T> {
    /// They are kept.
    Commit(T),
    /// None of them is.
    Rollback(T),
}

/// Who goes first: the writer thread that starts the job, or the caller that gives up waiting for it.
#[derive(Clone, Default)]
pub(super) struct StartState(Arc<AtomicU8>);

const QUEUED: u8 = 0;
const STARTED: u8 = 1;
const ABANDONED: u8 = 2;

impl StartState {
    /// False when the caller has abandoned the job.
    fn start(&self) -> bool {
        self.leave_queue(STARTED)
    }

    /// False when the job has started.
    pub(super) fn abandon(&self) -> bool {
        self.leave_queue(ABANDONED)
    }

    fn leave_queue(&self, to: u8) -> bool {
        let exchange = self
            .0
            .compare_exchange(QUEUED, to, Ordering::SeqCst, Ordering::SeqCst);
        exchange.is_ok()
    }
}

/// What the caller receives: the outcome, or the payload of a panic in its closure.
pub(super) type Answer<T> = std::thread::Result<Result<T, StorageError>>;

/// A write of any type.
pub(super) trait Job: Send {
    /// Whether the caller still waits for it.
    fn start(&mut self) -> bool;
    /// Runs the statements, and says whether they are kept.
    fn run(&mut self, transaction: &Transaction<'_>) -> bool;
    /// Answers the caller with the outcome of [`Job::run`], or with the error of the transaction.
    fn finish(self: Box<Self>, transaction: Result<(), StorageError>);
}

/// A write with its closure and the channel of its answer.
pub(super) struct WriteJob<T, F> {
    work: Option<F>,
    state: StartState,
    outcome: Option<Answer<T>>,
    answer: oneshot::Sender<Answer<T>>,
}

impl<T, F> WriteJob<T, F> {
    /// A job that is not started yet, and where its answer arrives.
    pub(super) fn new(work: F, state: StartState) -> (Self, oneshot::Receiver<Answer<T>>) {
        let (answer, answered) = oneshot::channel();
        let job = Self {
            work: Some(work),
            state,
            outcome: None,
            answer,
        };
        (job, answered)
    }
}

impl<T, F> Job for WriteJob<T, F>
where
    T: Send,
    F: FnOnce(&Transaction<'_>) -> Result<TransactionEnd<T>, EngineError> + Send,
{
    fn start(&mut self) -> bool {
        !self.answer.is_closed() && self.state.start()
    }

    fn run(&mut self, transaction: &Transaction<'_>) -> bool {
        let Some(work) = self.work.take() else {
            return false;
        };
        let (outcome, kept) = match catch_unwind(AssertUnwindSafe(|| work(transaction))) {
            Ok(Ok(TransactionEnd::Commit(value))) => (Ok(Ok(value)), true),
            Ok(Ok(TransactionEnd::Rollback(value))) => (Ok(Ok(value)), false),
            Ok(Err(error)) => (Ok(Err(error.into())), false),
            Err(panic) => (Err(panic), false),
        };
        self.outcome = Some(outcome);
        kept
    }

    fn finish(self: Box<Self>, transaction: Result<(), StorageError>) {
        let outcome = match (self.outcome, transaction) {
            (Some(Ok(Ok(_))) | None, Err(error)) => Ok(Err(error)),
            // Its own error or panic says more than that of the transaction.
            (Some(outcome), _) => outcome,
            (None, Ok(())) => return,
        };
        // The receiver is gone when the caller no longer waits.
        let _ = self.answer.send(outcome);
    }
}
