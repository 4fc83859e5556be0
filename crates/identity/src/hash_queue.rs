//! The queue of password hashes: a bounded number runs at once, and the turns are shared fairly (decision 0093).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use invoicing_contract::OrganizationId;
use tokio::sync::oneshot;

use crate::limits::AddressPrefix;

/// Class, tenant, address.
const LEVELS: usize = 3;
/// Remembered turns. More are forgotten, so that a flood from many addresses takes no memory; the order is then that of
/// arrival for one round.
const MAX_LAST_TURNS: usize = 1_024;

/// Who waits for a hash. Turns go first to known devices and all others alternately, then to the tenants in turn, then to the
/// addresses of a tenant in turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct HashShare {
    /// Whether the browser has proved that the account has signed in there before.
    pub(crate) is_known_device: bool,
    /// The tenant that the username belongs to by its domain, whether the account exists or not; `None` for all other
    /// usernames together, so that nobody gets more turns with invented domains.
    pub(crate) tenant: Option<OrganizationId>,
    /// The widest prefix of the client's address.
    pub(crate) address: AddressPrefix,
}

/// Hands out turns.
#[derive(Clone)]
pub(crate) struct HashQueue(Arc<SharedQueue>);

struct SharedQueue {
    state: Mutex<QueueState>,
    limits: QueueLimits,
}

/// The limits of a queue.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QueueLimits {
    /// Hashes that run at once.
    pub(crate) running: usize,
    /// Callers that wait.
    pub(crate) waiting: usize,
    /// How long a caller waits.
    pub(crate) deadline: Duration,
}

#[derive(Default)]
struct QueueState {
    running: usize,
    /// In the order of their arrival.
    waiting: Vec<Waiter>,
    /// When known devices and others, a tenant, and an address had their last turn.
    last_turns: HashMap<TurnKey, u64>,
    turns: u64,
}

struct Waiter {
    share: HashShare,
    turn: oneshot::Sender<HashPermit>,
}

/// The levels at which turns alternate.
#[derive(Clone, PartialEq, Eq, Hash)]
enum TurnKey {
    Class(bool),
    Tenant(bool, Option<OrganizationId>),
    Address(HashShare),
}

/// A turn. Dropping it gives it to the next in the queue.
pub(crate) struct HashPermit(Option<HashQueue>);

/// Why there was no turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum QueueError {
    /// The queue is full, and nobody in it has a larger share than the caller.
    #[error("too many password hashes at once")]
    Full,
    /// The turn did not come before the deadline.
    #[error("the turn for a password hash did not come in time")]
    Deadline,
}

impl HashQueue {
    /// An empty queue.
    pub(crate) fn new(limits: QueueLimits) -> Self {
        Self(Arc::new(SharedQueue {
            state: Mutex::default(),
            limits,
        }))
    }

    /// Waits for a turn.
    pub(crate) async fn acquire(&self, share: HashShare) -> Result<HashPermit, QueueError> {
        let turn = {
            let mut state = self.state();
            if state.running < self.0.limits.running {
                state.running += 1;
                return Ok(HashPermit(Some(self.clone())));
            }
            state.enqueue(share, self.0.limits.waiting)?
        };
        match tokio::time::timeout(self.0.limits.deadline, turn).await {
            Ok(Ok(permit)) => Ok(permit),
            // A caller with a smaller share took the place.
            Ok(Err(_closed)) => Err(QueueError::Full),
            Err(_elapsed) => Err(QueueError::Deadline),
        }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        // Each change is complete before anything can panic.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for HashPermit {
    fn drop(&mut self) {
        let Some(queue) = self.0.take() else { return };
        loop {
            let next = {
                let mut state = queue.state();
                let next = state.next();
                if next.is_none() {
                    state.running -= 1;
                }
                next
            };
            let Some(next) = next else { return };
            match next.turn.send(Self(Some(queue.clone()))) {
                Ok(()) => return,
                // The caller has gone: the turn goes to the next.
                Err(mut permit) => permit.0 = None,
            }
        }
    }
}

impl QueueState {
    /// Adds a waiter. If the queue is full, it takes the place of the latest of the largest share, if its own is smaller.
    fn enqueue(
        &mut self,
        share: HashShare,
        limit: usize,
    ) -> Result<oneshot::Receiver<HashPermit>, QueueError> {
        if self.waiting.len() >= limit {
            self.waiting.retain(|waiter| !waiter.turn.is_closed());
        }
        if self.waiting.len() >= limit {
            let place = self.place_for(&share).ok_or(QueueError::Full)?;
            self.waiting.remove(place);
        }
        let (turn, receiver) = oneshot::channel();
        self.waiting.push(Waiter { share, turn });
        Ok(receiver)
    }

    /// The waiter that a newcomer with `share` replaces in a full queue: of the largest class the largest tenant, of that the
    /// largest address, of that the latest. `None` if the newcomer's share would not be smaller.
    fn place_for(&self, share: &HashShare) -> Option<usize> {
        let mut places: Vec<usize> = (0..self.waiting.len()).collect();
        let mut is_own_share = true;
        for level in 0..LEVELS {
            let key = |place: &usize| levels(&self.waiting[*place].share)[level].clone();
            let mut sizes: HashMap<TurnKey, (usize, usize)> = HashMap::new();
            for place in &places {
                let (size, latest) = sizes.entry(key(place)).or_default();
                (*size, *latest) = (*size + 1, *place);
            }
            let (mut kept, (largest, _)) = sizes.iter().max_by_key(|(_, size)| **size)?;
            if is_own_share {
                let own = sizes.get_key_value(&levels(share)[level]);
                let own_size = own.map_or(0, |(_, (size, _))| *size);
                match own {
                    // The newcomer belongs to the largest share itself: the next level decides.
                    Some((own, _)) if own_size == *largest => kept = own,
                    _ if own_size + 1 < *largest => is_own_share = false,
                    _ => return None,
                }
            }
            places.retain(|place| key(place) == *kept);
        }
        if is_own_share { None } else { places.pop() }
    }

    /// Takes the waiter whose turn it is.
    fn next(&mut self) -> Option<Waiter> {
        self.waiting.retain(|waiter| !waiter.turn.is_closed());
        let last_turn = |key: TurnKey| self.last_turns.get(&key).copied().unwrap_or_default();
        let waiting = self.waiting.iter().enumerate();
        // Of equals the first one: that which arrived first.
        let (place, _) = waiting.min_by_key(|(_, Waiter { share, .. })| {
            let [class, tenant, address] = levels(share).map(last_turn);
            (class, tenant, address)
        })?;
        let waiter = self.waiting.remove(place);
        if self.waiting.is_empty() || self.last_turns.len() >= MAX_LAST_TURNS {
            self.last_turns.clear();
        }
        self.turns += 1;
        for key in levels(&waiter.share) {
            self.last_turns.insert(key, self.turns);
        }
        Some(waiter)
    }
}

fn levels(share: &HashShare) -> [TurnKey; LEVELS] {
    [
        TurnKey::Class(share.is_known_device),
        TurnKey::Tenant(share.is_known_device, share.tenant.clone()),
        TurnKey::Address(share.clone()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::task::JoinHandle;

    fn queue(waiting: usize) -> HashQueue {
        HashQueue::new(QueueLimits {
            running: 1,
            waiting,
            deadline: Duration::from_secs(60),
        })
    }

    fn share(is_known_device: bool, tenant: &str, address: &str) -> HashShare {
        HashShare {
            is_known_device,
            tenant: (tenant != "-").then(|| tenant.into()),
            address: AddressPrefix::widest(address.parse().expect("an address")),
        }
    }

    /// Adds a waiter, after it is in the queue.
    async fn wait(
        queue: &HashQueue,
        share: HashShare,
    ) -> JoinHandle<Result<HashPermit, QueueError>> {
        let of_share = |share: &HashShare| {
            let state = queue.state();
            let same = state.waiting.iter().filter(|waiter| waiter.share == *share);
            same.count()
        };
        let before = of_share(&share);
        let waiting = tokio::spawn({
            let (queue, share) = (queue.clone(), share.clone());
            async move { queue.acquire(share).await }
        });
        while of_share(&share) == before && !waiting.is_finished() {
            tokio::task::yield_now().await;
        }
        waiting
    }

    /// The tenants of the waiters in the order of their turns.
    fn turns(queue: &HashQueue) -> Vec<String> {
        let next = || queue.state().next();
        let tenant = |waiter: Waiter| {
            waiter
                .share
                .tenant
                .map_or("-".to_owned(), |id| id.to_string())
        };
        std::iter::from_fn(next).map(tenant).collect()
    }

    #[tokio::test]
    async fn tenant_waits_for_one_turn_of_a_flood_and_not_for_all() {
        let queue = queue(64);
        let running = queue.acquire(share(false, "a", "192.0.2.1")).await.unwrap();
        let mut waiting = Vec::new();
        for number in 0..40 {
            let address = format!("198.51.100.{number}");
            waiting.push(wait(&queue, share(false, "flooded", &address)).await);
        }
        waiting.push(wait(&queue, share(false, "calm", "203.0.113.1")).await);
        waiting.push(wait(&queue, share(false, "-", "203.0.113.2")).await);
        let turns = turns(&queue);
        drop(running);
        assert_eq!(turns[..4], ["flooded", "calm", "-", "flooded"]);
    }

    #[tokio::test]
    async fn known_device_waits_for_one_turn_of_a_flood_from_any_tenants_and_addresses() {
        let queue = queue(64);
        let running = queue.acquire(share(false, "a", "192.0.2.1")).await.unwrap();
        let mut waiting = Vec::new();
        for number in 0..40 {
            let share = share(
                false,
                &format!("tenant-{number}"),
                &format!("198.51.100.{number}"),
            );
            waiting.push(wait(&queue, share).await);
        }
        waiting.push(wait(&queue, share(true, "known", "198.51.100.1")).await);
        let turns = turns(&queue);
        drop(running);
        assert_eq!(turns[1], "known", "{turns:?}");
    }

    #[tokio::test]
    async fn full_queue_admits_a_smaller_share_in_place_of_the_largest() {
        let queue = queue(8);
        let running = queue.acquire(share(false, "a", "192.0.2.1")).await.unwrap();
        let mut flood = Vec::new();
        for number in 0..8 {
            let address = format!("198.51.100.{}", number / 6);
            flood.push(wait(&queue, share(false, "flooded", &address)).await);
        }
        let more = queue.acquire(share(false, "flooded", "198.51.100.0")).await;
        assert_eq!(more.err(), Some(QueueError::Full));
        let other_address = wait(&queue, share(false, "flooded", "198.51.100.9")).await;
        let other_tenant = wait(&queue, share(false, "calm", "198.51.100.0")).await;
        assert!(!other_address.is_finished() && !other_tenant.is_finished());
        // The latest two of the address with six.
        for place in [5, 4] {
            let dropped = flood.remove(place).await.unwrap();
            assert_eq!(dropped.err(), Some(QueueError::Full));
        }
        assert_eq!(queue.state().waiting.len(), 8);
        drop(running);
    }

    #[tokio::test]
    async fn turn_that_does_not_come_in_time_is_refused_and_passed_on() {
        let queue = HashQueue::new(QueueLimits {
            running: 1,
            waiting: 8,
            deadline: Duration::from_millis(1),
        });
        let running = queue.acquire(share(false, "a", "192.0.2.1")).await.unwrap();
        let late = queue.acquire(share(false, "a", "192.0.2.1")).await;
        assert_eq!(late.err(), Some(QueueError::Deadline));
        drop(running);
        assert_eq!(queue.state().running, 0);
        assert!(queue.acquire(share(false, "a", "192.0.2.1")).await.is_ok());
    }

    #[tokio::test]
    async fn turn_of_a_caller_that_has_gone_goes_to_the_next() {
        let queue = queue(8);
        let running = queue.acquire(share(false, "a", "192.0.2.1")).await.unwrap();
        let gone = wait(&queue, share(false, "a", "192.0.2.1")).await;
        let next = wait(&queue, share(false, "b", "192.0.2.2")).await;
        gone.abort();
        assert!(gone.await.is_err(), "aborted");
        drop(running);
        assert!(next.await.unwrap().is_ok());
        assert_eq!(queue.state().running, 0);
    }
}
