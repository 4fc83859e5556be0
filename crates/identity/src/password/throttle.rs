//! Throttling of sign-in attempts, in memory and in monotonic time (decision 0093).
//!
//! An attempt is counted for its account and address together, for the account over all addresses, and for the prefixes of
//! the address over all accounts. A browser in which the account has signed in before is counted by itself instead, so that
//! nobody else can keep it out.

use std::hash::{BuildHasher as _, Hash, RandomState};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use quick_cache::unsync::Cache;

use super::known_devices::KnownDevice;
use crate::limits::AddressPrefix;

/// Counters in memory, about 10 MB.
const CAPACITY: usize = 131_072;
/// An account at an address, and an address, are forgotten so long after their last attempt.
const WINDOW: Duration = Duration::from_secs(15 * 60);
/// An account over all addresses is forgotten so long after its last attempt.
const ACCOUNT_WINDOW: Duration = Duration::from_secs(24 * 60 * 60);
/// The longest delay.
const MAX_DELAY: Duration = Duration::from_secs(15 * 60);
/// Attempts without delay for one account from one address, or in one browser that it knows.
const UNDELAYED_ATTEMPTS: u32 = 5;
/// Attempts without delay for one account from all addresses.
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
    /// Whether a success clears it. Otherwise a success takes its own attempt back.
    is_cleared: bool,
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

/// Counts the attempts of one process: with several, each allows as many (decision 0108). A restart forgets them. The number of counters is bounded: one that was not used for long makes room.
pub(crate) struct PasswordThrottle {
    counts: Mutex<Cache<u64, Count>>,
    hasher: RandomState,
}

#[derive(Hash)]
enum Key<'a> {
    Device(&'a str, KnownDevice),
    AccountAt(&'a str, AddressPrefix),
    Account(&'a str),
    Address(AddressPrefix),
}

impl PasswordThrottle {
    /// No attempt is counted yet.
    pub(crate) fn new() -> Self {
        Self {
            counts: Mutex::new(Cache::new(CAPACITY)),
            hasher: RandomState::new(),
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
            key: self.hasher.hash_one(key),
            undelayed: UNDELAYED_ATTEMPTS,
            window: WINDOW,
            subject: ThrottledSubject::Account,
            is_cleared: true,
        };
        let per_address = match origin {
            AttemptOrigin::Browser(Some(device)) => {
                let counters = vec![cleared(Key::Device(&account, device))];
                return SignInAttempt { counters };
            }
            AttemptOrigin::Browser(None) => UNDELAYED_ATTEMPTS_PER_ADDRESS,
            AttemptOrigin::Application => UNDELAYED_ATTEMPTS_PER_SERVER,
        };
        let mut counters = vec![
            cleared(Key::AccountAt(&account, AddressPrefix::narrowest(address))),
            Counter {
                undelayed: UNDELAYED_ATTEMPTS_PER_ACCOUNT,
                window: ACCOUNT_WINDOW,
                is_cleared: false,
                ..cleared(Key::Account(&account))
            },
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
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = |counts: &Cache<u64, Count>, counter: &Counter| {
            let count = counts.get(&counter.key).copied().unwrap_or_default();
            let is_current = now.saturating_sub(count.last) < counter.window;
            if is_current { count } else { Count::default() }
        };
        let delays = attempt.counters.iter().filter_map(|counter| {
            let count = count(&counts, counter);
            Some((delay(count, counter.undelayed, now)?, counter, count))
        });
        if let Some((delay, counter, count)) = delays.max_by_key(|(delay, ..)| *delay) {
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
            let count = count(&counts, counter);
            let counted = Count {
                attempts: count.attempts.saturating_add(1),
                last: now,
                ..count
            };
            counts.insert(counter.key, counted);
        }
        Ok(())
    }

    /// After the right password: clears the counter of the account at this address or in this browser, and takes the attempt
    /// back from the others.
    pub(crate) fn succeed(&self, attempt: &SignInAttempt) {
        self.take_back(attempt, |counter| counter.is_cleared);
    }

    /// Takes the attempt back: no password was checked.
    pub(crate) fn withdraw(&self, attempt: &SignInAttempt) {
        self.take_back(attempt, |_| false);
    }

    fn take_back(&self, attempt: &SignInAttempt, is_cleared: impl Fn(&Counter) -> bool) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        for counter in &attempt.counters {
            let Some(count) = counts.get(&counter.key).copied() else {
                continue;
            };
            if is_cleared(counter) || count.attempts <= 1 {
                counts.remove(&counter.key);
            } else {
                let attempts = count.attempts - 1;
                counts.insert(counter.key, Count { attempts, ..count });
            }
        }
    }
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
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(100_000);
    const SECOND: Duration = Duration::from_secs(1);

    fn attempt(throttle: &PasswordThrottle, account: &str, address: &str) -> SignInAttempt {
        let address = address.parse().unwrap();
        throttle.attempt(account, address, AttemptOrigin::Browser(None))
    }

    fn seconds(result: Result<(), ThrottledAttempt>) -> Option<i64> {
        result.err().map(|throttled| throttled.delay.seconds)
    }

    #[test]
    fn delay_doubles_after_five_attempts_up_to_fifteen_minutes() {
        let delayed = |attempts, elapsed: u64| {
            let last = NOW;
            let count = Count {
                attempts,
                last,
                is_reported: false,
            };
            let remaining = delay(count, UNDELAYED_ATTEMPTS, NOW + SECOND * elapsed as u32);
            remaining.map(|delay| delay.as_secs())
        };
        assert_eq!(delayed(4, 0), None);
        assert_eq!(
            (delayed(5, 0), delayed(6, 0), delayed(7, 0)),
            (Some(5), Some(10), Some(20))
        );
        assert_eq!(delayed(5, 5), None, "the delay has elapsed");
        assert_eq!(delayed(1_000, 0), Some(900));
    }

    #[test]
    fn account_is_delayed_after_thirty_attempts_from_as_many_addresses() {
        let throttle = PasswordThrottle::new();
        let from = |number: u32| attempt(&throttle, "noura", &format!("198.51.100.{number}"));
        for number in 0..30 {
            assert_eq!(throttle.count(&from(number), NOW), Ok(()), "{number}");
        }
        let throttled = throttle.count(&from(30), NOW).unwrap_err();
        assert_eq!(throttled.delay.seconds, 5);
        assert_eq!(throttled.report, Some(ThrottledSubject::Account));
        let again = throttle.count(&from(31), NOW).unwrap_err();
        assert_eq!(again.report, None, "reported once");

        let day = (0_u32..)
            .scan(NOW, |now, number| {
                let address = format!("2001:db8:{number:x}::1");
                while let Some(delay) =
                    seconds(throttle.count(&attempt(&throttle, "noura", &address), *now))
                {
                    *now += SECOND * u32::try_from(delay).unwrap();
                }
                Some(*now)
            })
            .take_while(|now| *now < NOW + ACCOUNT_WINDOW);
        assert!(day.count() < 110, "attempts of a day from any addresses");
        let other = attempt(&throttle, "salem", "198.51.100.99");
        assert_eq!(throttle.count(&other, NOW), Ok(()), "another account");
    }

    #[test]
    fn known_device_is_counted_by_itself() {
        let throttle = PasswordThrottle::new();
        for number in 0..1_000 {
            let address = format!("198.51.{}.{}", number / 250, number % 250);
            let _ = throttle.count(&attempt(&throttle, "noura", &address), NOW);
        }
        let address = "198.51.0.1".parse().unwrap();
        let device = |id| AttemptOrigin::Browser(Some(KnownDevice::of_test(id)));
        let known = throttle.attempt("noura", address, device(1));
        for _ in 0..5 {
            assert_eq!(throttle.count(&known, NOW), Ok(()));
        }
        assert_eq!(seconds(throttle.count(&known, NOW)), Some(5));
        let other = throttle.attempt("noura", address, device(2));
        assert_eq!(throttle.count(&other, NOW), Ok(()));
    }

    #[test]
    fn ipv6_sites_are_delayed_however_many_of_their_addresses_they_use() {
        for (addresses, admitted) in [("2001:db8:1:2", 50), ("2001:db8:1", 800)] {
            let throttle = PasswordThrottle::new();
            let counted = (0..2_000).filter(|number| {
                let account = format!("person-{number}");
                let address = format!("{addresses}:{:x}::1", number * 32);
                throttle
                    .count(&attempt(&throttle, &account, &address), NOW)
                    .is_ok()
            });
            assert_eq!(counted.count(), admitted, "{addresses}");
        }
    }

    #[test]
    fn success_clears_the_account_at_its_address_and_takes_one_attempt_back_from_the_others() {
        let throttle = PasswordThrottle::new();
        let one = attempt(&throttle, "noura", "192.0.2.1");
        for _ in 0..100 {
            assert_eq!(throttle.count(&one, NOW), Ok(()));
            throttle.succeed(&one);
        }
        for _ in 0..5 {
            assert_eq!(throttle.count(&one, NOW), Ok(()));
        }
        assert_eq!(seconds(throttle.count(&one, NOW)), Some(5));
    }

    #[test]
    fn withdrawn_attempt_is_not_counted() {
        let throttle = PasswordThrottle::new();
        let one = attempt(&throttle, "noura", "192.0.2.1");
        for _ in 0..100 {
            assert_eq!(throttle.count(&one, NOW), Ok(()));
            throttle.withdraw(&one);
        }
    }

    #[test]
    fn attempts_are_forgotten_after_the_window() {
        let throttle = PasswordThrottle::new();
        let one = attempt(&throttle, "noura", "192.0.2.1");
        for _ in 0..5 {
            assert_eq!(throttle.count(&one, NOW), Ok(()));
        }
        assert_eq!(seconds(throttle.count(&one, NOW)), Some(5));
        for _ in 0..5 {
            assert_eq!(throttle.count(&one, NOW + WINDOW), Ok(()));
        }
    }

    #[test]
    fn throttle_of_many_addresses_is_reported_once_for_the_address_and_names_no_account() {
        let throttle = PasswordThrottle::new();
        let spray = |number| attempt(&throttle, &format!("person-{number}"), "192.0.2.1");
        for number in 0..50 {
            assert_eq!(throttle.count(&spray(number), NOW), Ok(()));
        }
        let reports =
            (50..100).map(|number| throttle.count(&spray(number), NOW).unwrap_err().report);
        let reports: Vec<_> = reports.flatten().collect();
        assert_eq!(reports, [ThrottledSubject::Address]);
    }

    #[test]
    fn number_of_counters_is_bounded() {
        let throttle = PasswordThrottle::new();
        for number in 0..200_000_u32 {
            let address = std::net::Ipv4Addr::from(number).to_string();
            let one = attempt(&throttle, &number.to_string(), &address);
            let _ = throttle.count(&one, NOW);
        }
        let counts = throttle.counts.lock().unwrap();
        assert!(counts.len() <= CAPACITY, "{}", counts.len());
    }
}
