//! Turns for files, which take memory and processor time, with a bounded queue (decision 0121).

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Callers that wait for a turn.
const MAX_WAITING: usize = 16;
/// How long a caller waits for a turn.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// When a caller that found the queue full asks again.
pub(super) const RETRY_AFTER: Duration = Duration::from_secs(2);

/// How many files of a kind are made at once.
#[derive(Debug)]
pub(super) struct FileTurns {
    turns: Arc<Semaphore>,
    /// Those who have a turn, and those who wait for one.
    places: Arc<Semaphore>,
}

/// Held from before the attachments are read until the file is made.
#[derive(Debug)]
pub(super) struct FileTurn {
    _turn: OwnedSemaphorePermit,
    _place: OwnedSemaphorePermit,
}

/// Too many files are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many files are made at once")]
pub(super) struct QueueFull;

impl FileTurns {
    /// `running` files at once.
    pub(super) fn new(running: usize) -> Self {
        Self {
            turns: Arc::new(Semaphore::new(running)),
            places: Arc::new(Semaphore::new(running + MAX_WAITING)),
        }
    }

    /// A turn, once there is one.
    ///
    /// # Errors
    /// [`QueueFull`] at once if too many wait, and after ten seconds without a turn.
    pub(super) async fn take(&self) -> Result<FileTurn, QueueFull> {
        let full = |_closed_or_no_permit| QueueFull;
        let place = self.places.clone().try_acquire_owned().map_err(full)?;
        let turn = tokio::time::timeout(MAX_WAIT, self.turns.clone().acquire_owned()).await;
        match turn {
            Ok(Ok(turn)) => Ok(FileTurn {
                _turn: turn,
                _place: place,
            }),
            Ok(Err(_)) | Err(_) => Err(QueueFull),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::{join_all, poll_immediate};

    use super::*;

    #[tokio::test]
    async fn full_queue_refuses_at_once_and_serves_again_afterwards() {
        let turns = FileTurns::new(1);
        let first = turns.take().await.expect("a turn");
        let mut waiting: Vec<_> = (0..MAX_WAITING).map(|_| Box::pin(turns.take())).collect();
        for waiter in &mut waiting {
            assert!(poll_immediate(waiter).await.is_none(), "one has the turn");
        }
        assert_eq!(turns.take().await.err(), Some(QueueFull));
        drop(first);
        // Each has the turn until it is dropped.
        let served = join_all(waiting.into_iter().map(async |waiter| waiter.await.is_ok())).await;
        assert_eq!(served, [true; MAX_WAITING]);
    }
}
