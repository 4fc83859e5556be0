//! Failed attempts of an account as all processes count them (decision 0192).

use std::time::Duration;

use invoicing_contract::Timestamp;
use invoicing_storage::failed_attempts::{AttemptCount, AttemptCounter, AttemptKey, Forgetting};

use super::{Count, Counter, Key, PasswordThrottle, SignInAttempt, current, longest_delay};

impl SignInAttempt {
    /// The counters of its account, which all processes share.
    pub(crate) fn shared_counters(&self) -> Vec<AttemptCounter> {
        let shared = self.counters.iter().filter_map(Counter::shared);
        shared.collect()
    }

    /// What a success takes back: the keys of the counters of its account, and how many attempts all processes together have counted at its
    /// own place. `None` if there were none.
    pub(crate) fn shared_to_take_back(&self) -> Option<(Vec<AttemptKey>, i64)> {
        let own = self.counters.iter().find(|counter| counter.is_cleared)?;
        let keys = self.counters.iter().filter_map(|counter| counter.shared);
        (own.stored > 0).then(|| (keys.collect(), own.stored))
    }
}

impl Counter {
    fn shared(&self) -> Option<AttemptCounter> {
        Some(AttemptCounter {
            key: self.shared?,
            forgetting: Forgetting::Together(self.window),
        })
    }
}

impl PasswordThrottle {
    /// The key by which all processes count. An address over all accounts is counted by each process for itself: a limit there
    /// protects processors.
    pub(super) fn shared_key(&self, key: &Key<'_>) -> Option<AttemptKey> {
        let (kind, account, place) = match key {
            Key::Device(account, device) => ("device", account, device.id().to_vec()),
            Key::Devices(account) => ("devices", account, Vec::new()),
            Key::AccountAt(account, prefix) => ("account at", account, prefix.bytes().to_vec()),
            Key::Account(account) => ("account", account, Vec::new()),
            Key::Address(_) => return None,
        };
        Some(self.keys.key(kind, &[account.as_bytes(), &place]))
    }

    /// Whether what this process knows delays the attempt.
    pub(crate) fn is_delayed(&self, attempt: &SignInAttempt, now: Duration) -> bool {
        longest_delay(&self.lock(), attempt, now).is_some()
    }

    /// Takes over what all processes have counted at [`SignInAttempt::shared_counters`], as it was at `now` of the wall clock and
    /// `monotonic`. Fewer attempts than this process knows change nothing: it also knows of those that have not ended yet.
    pub(crate) fn learn(
        &self,
        attempt: &mut SignInAttempt,
        shared: &[AttemptCount],
        now: Timestamp,
        monotonic: Duration,
    ) {
        let mut counts = self.lock();
        let counters = attempt.counters.iter_mut();
        let counters = counters.filter(|counter| counter.shared.is_some());
        for (counter, shared) in counters.zip(shared) {
            counter.stored = shared.level;
            let known = current(&counts, counter, monotonic);
            let attempts = u32::try_from(shared.level).unwrap_or(u32::MAX);
            if attempts > known.attempts {
                // The attempt of a clock that is ahead counts as one of this moment, and only once.
                let last = monotonic.saturating_sub(now.since(shared.last));
                let learnt = Count {
                    attempts,
                    last: last.max(known.last),
                    ..known
                };
                counts.insert(counter.key, learnt);
            }
        }
    }
}
