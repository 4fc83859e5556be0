//! Wrong secrets of an application from an address, after which no further one is compared (decision 0092). All processes count them
//! together, and each learns the count when it has compared a wrong one (decision 0192).

use std::net::IpAddr;
use std::time::Duration;

use invoicing_contract::ClientId;
use invoicing_storage::failed_attempts::{AttemptCount, AttemptCounter, Forgetting};

use super::budget_table::Budget;
use super::{
    AddressPrefix, AttemptKeys, Key, LimitExceeded, RequestLimits, WRONG_SECRETS,
    WRONG_SECRETS_PERIOD,
};

/// The budget of a prefix of addresses.
fn budget(factor: u32) -> Budget {
    Budget::per(WRONG_SECRETS, WRONG_SECRETS_PERIOD).times(factor)
}

impl RequestLimits {
    /// Whether a secret of `client_id` from `address` may be compared.
    pub(crate) fn check_secret(
        &self,
        client_id: &ClientId,
        address: IpAddr,
        now: Duration,
    ) -> Result<(), LimitExceeded> {
        if self.address.is_none() {
            return Ok(());
        }
        for (prefix, factor) in AddressPrefix::all(address) {
            let key = Key::WrongSecrets(client_id, prefix);
            if let Some(wait) = self.table.wait(key, budget(factor), now) {
                return Err(wait.into());
            }
        }
        Ok(())
    }

    /// Counts a wrong secret of `client_id` from `address` in this process.
    pub(crate) fn count_wrong_secret(&self, client_id: &ClientId, address: IpAddr, now: Duration) {
        if self.address.is_none() {
            return;
        }
        for (prefix, factor) in AddressPrefix::all(address) {
            let key = Key::WrongSecrets(client_id, prefix);
            self.table.take(key, 1, budget(factor), now);
        }
    }

    /// The counters of wrong secrets of `client_id` from `address` that all processes share; none without a limit.
    pub(crate) fn wrong_secret_counters(
        &self,
        keys: &AttemptKeys,
        client_id: &ClientId,
        address: IpAddr,
    ) -> Vec<AttemptCounter> {
        if self.address.is_none() {
            return Vec::new();
        }
        let counter = |(prefix, factor): (AddressPrefix, u32)| AttemptCounter {
            key: keys.key(
                "wrong secret",
                &[client_id.as_str().as_bytes(), &prefix.bytes()],
            ),
            forgetting: Forgetting::OneByOne {
                interval: WRONG_SECRETS_PERIOD / WRONG_SECRETS.get() / factor,
                most: WRONG_SECRETS.get() * factor,
            },
        };
        AddressPrefix::all(address).map(counter).collect()
    }

    /// Takes over what all processes have counted at [`RequestLimits::wrong_secret_counters`].
    pub(crate) fn learn_wrong_secrets(
        &self,
        client_id: &ClientId,
        address: IpAddr,
        shared: &[AttemptCount],
        now: Duration,
    ) {
        for ((prefix, factor), shared) in AddressPrefix::all(address).zip(shared) {
            let key = Key::WrongSecrets(client_id, prefix);
            let milliseconds = u64::try_from(shared.level).unwrap_or_default();
            let level = Duration::from_millis(milliseconds);
            self.table.raise(key, level, budget(factor), now);
        }
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::Timestamp;

    use super::super::RequestLimitSettings;
    use super::*;

    const NOW: Duration = Duration::from_secs(1_000);

    fn limits() -> RequestLimits {
        RequestLimits::new(RequestLimitSettings::default())
    }

    /// What all processes have counted after `attempts` at one moment.
    fn counts(counters: &[AttemptCounter], attempts: i64) -> Vec<AttemptCount> {
        let count = |counter: &AttemptCounter| AttemptCount {
            level: (counter.forgetting.unit() * attempts).min(counter.forgetting.lifetime()),
            last: Timestamp::default(),
        };
        counters.iter().map(count).collect()
    }

    #[test]
    fn secret_is_not_compared_after_those_that_other_processes_have_counted() {
        let (keys, client_id) = (AttemptKeys::new("key"), ClientId::new("gateway"));
        for address in ["192.0.2.1", "2001:db8::1"] {
            let address = address.parse().expect("an address");
            let limits = limits();
            let counters = limits.wrong_secret_counters(&keys, &client_id, address);
            limits.learn_wrong_secrets(&client_id, address, &counts(&counters, 19), NOW);
            assert!(limits.check_secret(&client_id, address, NOW).is_ok());
            limits.count_wrong_secret(&client_id, address, NOW);
            assert!(limits.check_secret(&client_id, address, NOW).is_err());
            let later = NOW + Duration::from_secs(30);
            assert!(limits.check_secret(&client_id, address, later).is_ok());
        }
    }

    #[test]
    fn own_count_is_not_raised_by_less_than_half_an_attempt() {
        let (keys, client_id) = (AttemptKeys::new("key"), ClientId::new("gateway"));
        let address = "192.0.2.1".parse().expect("an address");
        let limits = limits();
        let counters = limits.wrong_secret_counters(&keys, &client_id, address);
        for attempts in 1..=20 {
            limits.count_wrong_secret(&client_id, address, NOW);
            let mut shared = counts(&counters, attempts);
            shared[0].level += 5;
            limits.learn_wrong_secrets(&client_id, address, &shared, NOW);
        }
        let later = NOW + Duration::from_secs(30);
        assert!(limits.check_secret(&client_id, address, later).is_ok());
    }

    #[test]
    fn nothing_is_shared_without_a_limit() {
        let limits = RequestLimits::new(RequestLimitSettings {
            address_per_minute: 0,
            ..RequestLimitSettings::default()
        });
        let address = "192.0.2.1".parse().expect("an address");
        let counters = limits.wrong_secret_counters(
            &AttemptKeys::new("key"),
            &ClientId::new("gateway"),
            address,
        );
        assert_eq!(counters, []);
    }
}
