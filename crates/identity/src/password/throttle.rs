//! Throttling of sign-in attempts, in memory and in monotonic time (decision 0093). What fails of an account is counted by all processes
//! together as well, in storage (decision 0192).
//!
//! An attempt is counted for its account and address together, for the account over all addresses, and for the prefixes of
//! the address over all accounts. A browser in which the account has signed in before is counted by itself instead, and
//! together with the other browsers that know the account, so that nobody else can keep it out.

mod shared;

use std::hash::{BuildHasher as _, Hash, RandomState};
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use invoicing_storage::failed_attempts::AttemptKey;
use quick_cache::unsync::Cache;

use super::known_devices::KnownDevice;
use crate::limits::{AddressPrefix, AttemptKeys};

/// Counters in memory, about 10 MB.
const CAPACITY: usize = 131_072;
/// An account at an address, and an address, are forgotten so long after their last attempt.
const WINDOW: Duration = Duration::from_secs(15 * 60);
/// An account over all addresses, and over all browsers that know it, is forgotten so long after its last attempt.
const ACCOUNT_WINDOW: Duration = Duration::from_secs(24 * 60 * 60);
/// The longest delay.
const MAX_DELAY: Duration = Duration::from_secs(15 * 60);
/// Attempts without delay for one account from one address, or in one browser that it knows.
const UNDELAYED_ATTEMPTS: u32 = 5;
/// Attempts without delay for one account from all addresses, and as many from all browsers that know it.
const UNDELAYED_ATTEMPTS_PER_ACCOUNT: u32 = 30;
/// Attempts without delay for all accounts from one address, which an office may share.
const UNDELAYED_ATTEMPTS_PER_ADDRESS: u32 = 50;
/// Attempts without delay from the server of an application, which all its users share.
const UNDELAYED_ATTEMPTS_PER_SERVER: u32 = 500;
/// The delay after the last attempt without delay. Each further attempt doubles it.
const INITIAL_DELAY: Duration = Duration::from_secs(5);

/// The delay before the next attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RetryDelay {
    pub(crate) seconds: i64,
}

/// An attempt that was refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ThrottledAttempt {
    pub(crate) delay: RetryDelay,
    /// What the audit has to record, if it has not been recorded in this throttling period.
    pub(crate) report: Option<ThrottledSubject>,
}

/// What was attempted too often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThrottledSubject {
    /// One account.
    Account,
    /// Any accounts from one address.
    Address,
}

/// A sign-in attempt, as it is counted.
pub(crate) struct SignInAttempt {
    counters: Vec<Counter>,
}

/// A counter of an attempt. Its key is a keyed hash: usernames are not kept, since people enter passwords in the wrong field.
struct Counter {
    key: u64,
    undelayed: u32,
    window: Duration,
    subject: ThrottledSubject,
    /// Whether it is that of its own place, the address or the browser, which a success clears.
    is_cleared: bool,
    /// The key by which all processes count it. `None`: each counts by itself.
    shared: Option<AttemptKey>,
    /// How many attempts all processes together have counted, as far as is known.
    stored: i64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    attempts: u32,
    /// The time of the last attempt.
    last: Duration,
    is_reported: bool,
}

/// Who sends the attempt.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AttemptOrigin {
    /// A browser. With `Some` the account has signed in there before.
    Browser(Option<KnownDevice>),
    /// The server of an application, by the password grant.
    Application,
}

/// Counts the attempts of one process, with what it has learnt of those of others. The number of counters is bounded: one that was not
/// used for long makes room.
pub(crate) struct PasswordThrottle {
    counts: Mutex<Cache<u64, Count>>,
    hasher: RandomState,
    keys: AttemptKeys,
}

#[derive(Hash)]
enum Key<'a> {
    Device(&'a str, KnownDevice),
    /// All browsers that know the account.
    Devices(&'a str),
    AccountAt(&'a str, AddressPrefix),
    Account(&'a str),
    Address(AddressPrefix),
}

impl PasswordThrottle {
    /// No attempt is counted yet. `keys` are the same in all processes.
    pub(crate) fn new(keys: AttemptKeys) -> Self {
        Self {
            counts: Mutex::new(Cache::new(CAPACITY)),
            hasher: RandomState::new(),
            keys,
        }
    }

    /// An attempt for `username` from `origin` at `address`. Nothing is counted yet.
    pub(crate) fn attempt(
        &self,
        username: &str,
        address: IpAddr,
        origin: AttemptOrigin,
    ) -> SignInAttempt {
        let account = username.to_lowercase();
        let cleared = |key: Key<'_>| Counter {
            shared: self.shared_key(&key),
            key: self.hasher.hash_one(key),
            undelayed: UNDELAYED_ATTEMPTS,
            window: WINDOW,
            subject: ThrottledSubject::Account,
            is_cleared: true,
            stored: 0,
        };
        let account_wide = |key: Key<'_>| Counter {
            undelayed: UNDELAYED_ATTEMPTS_PER_ACCOUNT,
            window: ACCOUNT_WINDOW,
            is_cleared: false,
            ..cleared(key)
        };
        let per_address = match origin {
            AttemptOrigin::Browser(Some(device)) => {
                // Who has known a password can have collected any number of devices. Together they have the attempts of an
                // account, and a success with one of them does not give the others new ones.
                let counters = vec![
                    cleared(Key::Device(&account, device)),
                    account_wide(Key::Devices(&account)),
                ];
                return SignInAttempt { counters };
            }
            AttemptOrigin::Browser(None) => UNDELAYED_ATTEMPTS_PER_ADDRESS,
            AttemptOrigin::Application => UNDELAYED_ATTEMPTS_PER_SERVER,
        };
        let mut counters = vec![
            cleared(Key::AccountAt(&account, AddressPrefix::narrowest(address))),
            account_wide(Key::Account(&account)),
        ];
        counters.extend(AddressPrefix::all(address).map(|(prefix, factor)| Counter {
            undelayed: per_address * factor,
            subject: ThrottledSubject::Address,
            is_cleared: false,
            ..cleared(Key::Address(prefix))
        }));
        SignInAttempt { counters }
    }

    /// Counts the attempt, before the password is checked, so that concurrent attempts are all counted.
    ///
    /// # Errors
    /// A counter delays the attempt. It is not counted then.
    pub(crate) fn count(
        &self,
        attempt: &SignInAttempt,
        now: Duration,
    ) -> Result<(), ThrottledAttempt> {
        let mut counts = self.lock();
        if let Some((delay, counter, count)) = longest_delay(&counts, attempt, now) {
            let reported = Count {
                is_reported: true,
                ..count
            };
            counts.insert(counter.key, reported);
            // Rounded up, so that the attempt after it is not too early.
            let seconds = i64::try_from(delay.as_millis().div_ceil(1000)).unwrap_or(i64::MAX);
            return Err(ThrottledAttempt {
                delay: RetryDelay { seconds },
                report: (!count.is_reported).then_some(counter.subject),
            });
        }
        for counter in &attempt.counters {
            let count = current(&counts, counter, now);
            let counted = Count {
                attempts: count.attempts.saturating_add(1),
                last: now,
                ..count
            };
            counts.insert(counter.key, counted);
        }
        Ok(())
    }

    /// After the right password: clears the counter of the account at this address or in this browser, and takes what was counted there
    /// back from the one that is common to all of them: the person had mistyped. What others have tried elsewhere stays counted. From
    /// the counters of the address the attempt is taken back.
    pub(crate) fn succeed(&self, attempt: &SignInAttempt) {
        let mut counts = self.lock();
        let own = attempt.counters.iter().find(|counter| counter.is_cleared);
        let own = own.and_then(|counter| counts.get(&counter.key));
        let mistyped = own.map_or(1, |count| count.attempts);
        take_back(&mut counts, attempt, |subject| match subject {
            ThrottledSubject::Account => mistyped,
            ThrottledSubject::Address => 1,
        });
    }

    /// Takes the attempt back: no password was checked.
    pub(crate) fn withdraw(&self, attempt: &SignInAttempt) {
        take_back(&mut self.lock(), attempt, |_| 1);
    }

    fn lock(&self) -> MutexGuard<'_, Cache<u64, Count>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes attempts back from each counter of `attempt`.
fn take_back(
    counts: &mut Cache<u64, Count>,
    attempt: &SignInAttempt,
    number: impl Fn(ThrottledSubject) -> u32,
) {
    for counter in &attempt.counters {
        let Some(count) = counts.get(&counter.key).copied() else {
            continue;
        };
        let attempts = count.attempts.saturating_sub(number(counter.subject));
        if attempts == 0 {
            counts.remove(&counter.key);
        } else {
            counts.insert(counter.key, Count { attempts, ..count });
        }
    }
}

/// What is counted at a counter, if it is not forgotten.
fn current(counts: &Cache<u64, Count>, counter: &Counter, now: Duration) -> Count {
    let count = counts.get(&counter.key).copied().unwrap_or_default();
    let is_current = now.saturating_sub(count.last) < counter.window;
    if is_current { count } else { Count::default() }
}

/// The longest delay of an attempt, with its counter and what is counted there; `None` if it has none.
fn longest_delay<'a>(
    counts: &Cache<u64, Count>,
    attempt: &'a SignInAttempt,
    now: Duration,
) -> Option<(Duration, &'a Counter, Count)> {
    let delays = attempt.counters.iter().filter_map(|counter| {
        let count = current(counts, counter, now);
        Some((delay(count, counter.undelayed, now)?, counter, count))
    });
    delays.max_by_key(|(delay, ..)| *delay)
}

/// The remaining delay after `count`, of which `undelayed` attempts have none.
fn delay(count: Count, undelayed: u32, now: Duration) -> Option<Duration> {
    let excess = count.attempts.checked_sub(undelayed)?;
    let delay = INITIAL_DELAY
        .saturating_mul(1 << excess.min(16))
        .min(MAX_DELAY);
    let remaining = (count.last + delay).saturating_sub(now);
    (!remaining.is_zero()).then_some(remaining)
}

#[cfg(test)]
mod tests;
