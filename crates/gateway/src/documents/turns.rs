//! Turns for what takes memory and processor time, with a bounded queue: files, and checks of large invoices (decisions 0121 and 0176).

use std::time::Duration;

use invoicing_contract::OrganizationId;

use crate::organization_shares::{HeldUnits, OrganizationShares};

/// Callers that wait for a turn.
const MAX_WAITING: usize = 16;
/// How long a caller waits for a turn.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// When a caller that found the queue full asks again.
pub(super) const RETRY_AFTER: Duration = Duration::from_secs(2);

/// How much of a kind is done at once.
#[derive(Debug)]
pub(super) struct Turns {
    turns: OrganizationShares,
    /// Those who have a turn, and those who wait for one.
    places: OrganizationShares,
}

/// Held until the work is done; for a file from before its attachments are read.
#[derive(Debug)]
pub(super) struct Turn {
    _turn: HeldUnits,
    _place: HeldUnits,
}

/// Too many wait for a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many wait for a turn")]
pub(super) struct QueueFull;

impl Turns {
    /// `running` turns at once.
    pub(super) fn new(running: usize) -> Self {
        Self {
            turns: OrganizationShares::new(running),
            places: OrganizationShares::new(running + MAX_WAITING),
        }
    }

    /// A turn for an organization, once there is one. It has at most half of the turns, and half of the queue.
    ///
    /// # Errors
    /// [`QueueFull`] at once if too many wait, and after ten seconds without a turn.
    pub(super) async fn take(&self, organization: &OrganizationId) -> Result<Turn, QueueFull> {
        let place = self.places.try_acquire(organization, 1);
        let place = place.ok_or(QueueFull)?;
        let turn = tokio::time::timeout(MAX_WAIT, self.turns.acquire(organization, 1)).await;
        Ok(Turn {
            _turn: turn.map_err(|_elapsed| QueueFull)?,
            _place: place,
        })
    }

    /// Every turn, each for an organization of its own.
    #[cfg(test)]
    pub(super) async fn take_all(&self) -> Vec<Turn> {
        let mut taken = Vec::new();
        for number in 0..self.turns.free() {
            let organization = OrganizationId::new(format!("other-{number}"));
            taken.push(self.take(&organization).await.expect("a turn is free"));
        }
        taken
    }

    /// How many turns nobody has.
    #[cfg(test)]
    pub(super) fn free(&self) -> usize {
        self.turns.free()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::{join_all, poll_immediate};

    use super::*;

    #[tokio::test]
    async fn full_queue_refuses_at_once_and_serves_again_afterwards() {
        let turns = Turns::new(1);
        let organizations: Vec<_> = (0..=MAX_WAITING)
            .map(|number| OrganizationId::new(number.to_string()))
            .collect();
        let first = turns.take(&organizations[0]).await.expect("a turn");
        let mut waiting: Vec<_> = organizations[1..]
            .iter()
            .map(|organization| Box::pin(turns.take(organization)))
            .collect();
        for waiter in &mut waiting {
            assert!(poll_immediate(waiter).await.is_none(), "one has the turn");
        }
        let late = turns.take(&"late".into()).await;
        assert_eq!(late.err(), Some(QueueFull));
        drop(first);
        // Each has the turn until it is dropped.
        let served = join_all(waiting.into_iter().map(async |waiter| waiter.await.is_ok())).await;
        assert_eq!(served, [true; MAX_WAITING]);
    }

    #[tokio::test]
    async fn organization_takes_half_of_turns_and_queue_and_others_are_served() {
        let turns = Turns::new(4);
        let one = OrganizationId::new("1");
        let mut asked: Vec<_> = (0..4 + MAX_WAITING)
            .map(|_| Box::pin(turns.take(&one)))
            .collect();
        let (mut held, mut waiting, mut refused) = (Vec::new(), 0, 0);
        for caller in &mut asked {
            match poll_immediate(caller).await {
                Some(Ok(turn)) => held.push(turn),
                Some(Err(QueueFull)) => refused += 1,
                None => waiting += 1,
            }
        }
        assert_eq!((held.len(), waiting, refused), (2, 8, 10));
        for other in ["2", "3"] {
            let turn = poll_immediate(turns.take(&other.into())).await;
            assert!(matches!(turn, Some(Ok(_))), "{other}");
        }
    }
}
