//! Cases of [`FailedAttemptStore`](crate::FailedAttemptStore).

use std::time::Duration;

use futures_util::future::join_all;
use invoicing_contract::Timestamp;

use super::fixtures::NOW;
use crate::Store;
use crate::failed_attempts::{AttemptCounter, AttemptKey, Forgetting};

/// Handles that a case gets.
pub const HANDLES: usize = 3;

const SECOND: Duration = Duration::from_secs(1);
const WINDOW: Duration = Duration::from_secs(900);
const ONE_BY_ONE: Forgetting = Forgetting::OneByOne {
    interval: Duration::from_secs(30),
    most: 3,
};

fn key(name: &str) -> AttemptKey {
    let mut key = [0; 16];
    key[..name.len()].copy_from_slice(name.as_bytes());
    AttemptKey(key)
}

/// A counter that forgets after [`WINDOW`].
pub(super) fn counter(name: &str) -> AttemptCounter {
    AttemptCounter {
        key: key(name),
        forgetting: Forgetting::Together(WINDOW),
    }
}

fn one_by_one(name: &str) -> AttemptCounter {
    AttemptCounter {
        key: key(name),
        forgetting: ONE_BY_ONE,
    }
}

/// The level of a counter after an attempt.
async fn count(store: &dyn Store, counter: AttemptCounter, now: Timestamp) -> i64 {
    let counted = store.count_failed_attempt(&[counter], now).await.unwrap();
    counted[0].level
}

async fn level(store: &dyn Store, counter: AttemptCounter, now: Timestamp) -> i64 {
    let found = store.failed_attempts(&[counter], now).await.unwrap();
    found[0].level
}

pub async fn attempts_of_many_processes_are_each_counted(stores: &[&dyn Store]) {
    let addresses = ["one", "two", "three"].map(counter);
    let account = counter("account");
    let callers = stores.iter().cycle().zip(addresses.iter().cycle()).take(30);
    let counted = callers
        .enumerate()
        .map(|(caller, (store, address))| async move {
            // Counters that several callers have are given in any order.
            let mut counters = [*address, account];
            if caller % 2 == 0 {
                counters.reverse();
            }
            let counted = store.count_failed_attempt(&counters, NOW).await.unwrap();
            let of_account = counters.iter().position(|one| *one == account).unwrap();
            counted[of_account].level
        });
    let mut levels = join_all(counted).await;
    levels.sort_unstable();
    assert!(levels.iter().copied().eq(1..=30), "{levels:?}");
    for store in stores {
        let found = store.failed_attempts(&[account, addresses[1]], NOW).await;
        let found = found.unwrap();
        assert_eq!((found[0].level, found[1].level), (30, 10));
        assert_eq!(found[0].last, NOW);
    }
}

pub async fn attempts_are_forgotten_together_or_one_by_one(stores: &[&dyn Store]) {
    let (first, second) = (stores[0], stores[1]);
    let together = counter("together");
    assert_eq!(level(first, together, NOW).await, 0);
    assert_eq!(count(first, together, NOW).await, 1);
    let last = NOW.plus(SECOND);
    assert_eq!(count(second, together, last).await, 2);
    let before_the_end = last.plus(WINDOW - SECOND);
    assert_eq!(level(first, together, before_the_end).await, 2);
    assert_eq!(level(first, together, last.plus(WINDOW)).await, 0);
    assert_eq!(count(first, together, last.plus(WINDOW)).await, 1);

    let one_by_one = one_by_one("one by one");
    let mut levels = Vec::new();
    for _ in 0..5 {
        levels.push(count(first, one_by_one, NOW).await);
    }
    assert_eq!(levels, [30_000, 60_000, 90_000, 90_000, 90_000]);
    let later = NOW.plus(SECOND * 40);
    assert_eq!(level(second, one_by_one, later).await, 50_000);
    assert_eq!(count(second, one_by_one, later).await, 80_000);
    assert_eq!(level(first, one_by_one, later.plus(SECOND * 80)).await, 0);
}

pub async fn attempts_of_a_clock_that_was_set_back_keep_nobody_out(stores: &[&dyn Store]) {
    let store = stores[0];
    for counter in [counter("together"), one_by_one("one by one")] {
        let unit = counter.forgetting.unit();
        count(store, counter, NOW).await;
        // That of another process may be a little behind.
        let behind = NOW.minus(SECOND);
        assert_eq!(count(store, counter, behind).await, 2 * unit);
        let found = store.failed_attempts(&[counter], NOW).await.unwrap();
        assert_eq!((found[0].level, found[0].last), (2 * unit, NOW));

        let set_back = NOW.minus(WINDOW);
        assert_eq!(level(store, counter, set_back).await, 0);
        assert_eq!(count(store, counter, set_back).await, unit);
        assert_eq!(level(store, counter, set_back).await, unit);
    }
}

pub async fn attempts_leave_nothing_when_they_are_forgotten(stores: &[&dyn Store]) {
    let store = stores[0];
    let (cleared, lowered, kept) = (counter("cleared"), counter("lowered"), counter("kept"));
    count(store, lowered, NOW).await;
    for _ in 0..2 {
        let counters = [cleared, lowered, kept];
        let counted = store.count_failed_attempt(&counters, NOW);
        counted.await.unwrap();
    }
    let keys = [cleared.key, lowered.key, key("nobody")];
    store.forget_failed_attempts(&keys, 2).await.unwrap();
    store.forget_failed_attempts(&keys[..1], 2).await.unwrap();
    assert_eq!(level(stores[1], cleared, NOW).await, 0);
    assert_eq!(level(stores[1], lowered, NOW).await, 1);
    assert_eq!(level(stores[1], kept, NOW).await, 2);
    assert_eq!(count(stores[1], cleared, NOW).await, 1);
    assert_eq!(store.maintain(NOW).await.unwrap(), 0);
    let expired = NOW.plus(WINDOW + SECOND);
    assert_eq!(store.maintain(expired).await.unwrap(), 3);
    assert_eq!(store.maintain(expired).await.unwrap(), 0);
    assert_eq!(level(store, kept, NOW).await, 0);
}
