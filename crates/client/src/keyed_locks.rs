//! Locks by key: for each key one task at a time works, and others wait for it.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::OwnedMutexGuard;

type LockMap<K> = HashMap<K, Weak<tokio::sync::Mutex<()>>>;

/// The locks of keys. A key has one as long as somebody holds it or waits for it.
pub(crate) struct KeyedLocks<K> {
    locks: Mutex<LockMap<K>>,
}

impl<K: Eq + Hash> KeyedLocks<K> {
    /// Waits until nobody else holds the lock of a key.
    pub(crate) async fn lock(&self, key: K) -> OwnedMutexGuard<()> {
        self.lock_of(key).lock_owned().await
    }

    /// The lock of a key; `None` if somebody holds it.
    pub(crate) fn try_lock(&self, key: K) -> Option<OwnedMutexGuard<()>> {
        self.lock_of(key).try_lock_owned().ok()
    }

    /// Whether somebody holds the lock of a key.
    pub(crate) fn is_locked(&self, key: &K) -> bool {
        let lock = self.map().get(key).and_then(Weak::upgrade);
        lock.is_some_and(|lock| lock.try_lock().is_err())
    }

    fn lock_of(&self, key: K) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.map();
        locks.retain(|_, lock| lock.strong_count() > 0);
        let slot = locks.entry(key).or_default();
        slot.upgrade().unwrap_or_else(|| {
            let lock = Arc::default();
            *slot = Arc::downgrade(&lock);
            lock
        })
    }

    fn map(&self) -> MutexGuard<'_, LockMap<K>> {
        self.locks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K> Default for KeyedLocks<K> {
    fn default() -> Self {
        Self {
            locks: Mutex::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_task_at_a_time_holds_the_lock_of_a_key_and_other_keys_are_free() {
        let locks = KeyedLocks::default();
        let first = locks.lock("a").await;
        assert!(locks.is_locked(&"a") && !locks.is_locked(&"b"));
        assert!(locks.try_lock("a").is_none() && locks.try_lock("b").is_some());
        let mut second = std::pin::pin!(locks.lock("a"));
        tokio::select! {
            biased;
            _ = &mut second => panic!("two held it at once"),
            _ = locks.lock("b") => {}
        }
        drop(first);
        drop(second.await);
        assert!(!locks.is_locked(&"a"));
        // The next key removes those that nobody holds.
        drop(locks.lock("c").await);
        assert_eq!(locks.map().len(), 1);
    }
}
