//! Requests that wait until a transaction takes several of them: how many, and for how long.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use invoicing_storage::StorageError;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::POOL_TIMEOUT;

/// Most requests that wait.
const MAX_WAITING: usize = 4096;

/// Where the outcome of a request is sent. Its caller may have stopped waiting.
pub(crate) type OutcomeSender<T> = oneshot::Sender<Result<T, StorageError>>;

/// Whether the request has been taken by a transaction or withdrawn by its caller: what comes first holds.
#[derive(Clone, Default)]
struct Claim(Arc<AtomicBool>);

impl Claim {
    /// Whether nobody has claimed the request before.
    fn is_first(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }
}

struct Waiting<R, T> {
    request: R,
    outcome: OutcomeSender<T>,
    claim: Claim,
}

/// Requests in the order of their arrival. One that no transaction takes as long as a transaction would wait for a connection fails
/// with [`StorageError::Busy`], and so does one that arrives when too many wait.
pub(crate) struct RequestQueue<R, T>(VecDeque<Waiting<R, T>>);

impl<R, T> Default for RequestQueue<R, T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<R, T> RequestQueue<R, T> {
    /// Whether none waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends a request.
    ///
    /// # Errors
    /// [`StorageError::Busy`] when too many wait.
    pub(crate) fn push(&mut self, request: R) -> Result<PendingOutcome<T>, StorageError> {
        if self.0.len() >= MAX_WAITING {
            return Err(StorageError::Busy);
        }
        let (outcome, receiver) = oneshot::channel();
        let claim = Claim::default();
        self.0.push_back(Waiting {
            request,
            outcome,
            claim: claim.clone(),
        });
        Ok(PendingOutcome { receiver, claim })
    }

    /// Takes the first `most` requests that have not been withdrawn.
    pub(crate) fn take(&mut self, most: usize) -> Vec<(R, OutcomeSender<T>)> {
        let mut taken = Vec::new();
        while taken.len() < most
            && let Some(first) = self.0.pop_front()
        {
            if first.claim.is_first() {
                taken.push((first.request, first.outcome));
            }
        }
        taken
    }
}

/// The outcome that a request will have.
pub(crate) struct PendingOutcome<T> {
    receiver: oneshot::Receiver<Result<T, StorageError>>,
    claim: Claim,
}

impl<T> PendingOutcome<T> {
    /// Waits for it.
    ///
    /// # Errors
    /// [`StorageError::Busy`] when no transaction has taken the request in time: it has not been executed and will not be. Else the
    /// error of the transaction, whose attempts have limits of their own.
    pub(crate) async fn wait(self) -> Result<T, StorageError> {
        self.wait_in_queue(POOL_TIMEOUT).await
    }

    async fn wait_in_queue(mut self, longest: Duration) -> Result<T, StorageError> {
        let received = match timeout(longest, &mut self.receiver).await {
            Ok(received) => received,
            Err(elapsed) if self.claim.is_first() => {
                tracing::warn!(%elapsed, "a request has waited too long for a transaction");
                return Err(StorageError::Busy);
            }
            Err(_) => self.receiver.await,
        };
        received.unwrap_or_else(|dropped| Err(StorageError::in_doubt(dropped)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn request_that_no_transaction_takes_in_time_is_busy_and_never_taken() {
        let mut queue = RequestQueue::<_, ()>::default();
        let late = queue.push("late").unwrap();
        let outcome = late.wait_in_queue(Duration::ZERO).await;
        assert!(matches!(outcome, Err(StorageError::Busy)), "{outcome:?}");
        let _next = queue.push("next").unwrap();
        let taken: Vec<_> = queue.take(2).into_iter().map(|(name, _)| name).collect();
        assert_eq!(taken, ["next"]);
        assert!(queue.is_empty());
    }

    #[tokio::test]
    async fn outcome_of_a_request_that_was_taken_in_time_is_waited_for() {
        let mut queue = RequestQueue::default();
        let pending = queue.push("request").unwrap();
        let (_, outcome) = queue.take(1).remove(0);
        let waiting = tokio::spawn(pending.wait_in_queue(Duration::ZERO));
        tokio::task::yield_now().await;
        outcome.send(Ok("outcome")).unwrap();
        assert_eq!(waiting.await.unwrap().unwrap(), "outcome");
    }

    #[test]
    fn request_that_arrives_when_too_many_wait_is_busy() {
        let mut queue = RequestQueue::<_, ()>::default();
        let waiting: Vec<_> = (0..MAX_WAITING).map(|at| queue.push(at)).collect();
        assert!(waiting.iter().all(Result::is_ok));
        assert!(matches!(queue.push(0), Err(StorageError::Busy)));
        queue.take(1);
        assert!(queue.push(0).is_ok());
    }
}
