//! Throttling of sign-in attempts. Attempts are counted per account and address, so that nobody can lock out an account
//! from another address, and per address, against trying one password on many accounts.

use std::net::IpAddr;
use std::time::Duration;

use invoicing_contract::Timestamp;

use crate::provider::Provider;
use invoicing_storage::StorageError;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::Attempts;

/// Attempts are counted in this window.
pub(crate) const WINDOW: Duration = Duration::from_secs(15 * 60);
/// Attempts without delay for one account from one address.
const UNDELAYED_ATTEMPTS_PER_ACCOUNT: i64 = 5;
/// Attempts without delay for all accounts from one address, which an office may share.
const UNDELAYED_ATTEMPTS_PER_ADDRESS: i64 = 50;
/// Attempts without delay from the server of an application, which all its users share.
const UNDELAYED_ATTEMPTS_PER_SERVER: i64 = 500;
/// The delay after the last attempt without delay. Each further attempt doubles it.
const INITIAL_DELAY: Duration = Duration::from_secs(5);

/// The delay before the next attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RetryDelay {
    pub(crate) seconds: i64,
}

/// A sign-in attempt, as it is counted.
pub(crate) struct SignInAttempt {
    account: String,
    address: String,
    free_per_address: i64,
}

impl SignInAttempt {
    /// An attempt for `username` from a browser at `address`.
    pub(crate) fn from_browser(username: &str, address: IpAddr) -> Self {
        Self::new(username, address, UNDELAYED_ATTEMPTS_PER_ADDRESS)
    }

    /// An attempt for `username` by the password grant from an application server at `address`.
    pub(crate) fn from_application(username: &str, address: IpAddr) -> Self {
        Self::new(username, address, UNDELAYED_ATTEMPTS_PER_SERVER)
    }

    /// The username is stored as a hash only, since people enter passwords in the wrong field.
    fn new(username: &str, address: IpAddr, free_per_address: i64) -> Self {
        use base64::Engine as _;
        let hash = TokenHash::of(&username.to_lowercase());
        let account = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(hash.as_bytes());
        Self {
            account,
            address: address_prefix(address),
            free_per_address,
        }
    }

    /// Counts the attempt, before the password is checked, so that concurrent attempts are all counted. The inner error is
    /// the delay of a throttled attempt.
    pub(crate) async fn count(
        &self,
        provider: &Provider,
    ) -> Result<Result<(), RetryDelay>, StorageError> {
        let now = provider.now();
        let since = now.minus(WINDOW);
        let counters = [
            (self.account.as_str(), UNDELAYED_ATTEMPTS_PER_ACCOUNT),
            ("", self.free_per_address),
        ];
        for (account, free) in counters {
            let previous = provider
                .store
                .attempts(account, &self.address, since)
                .await?;
            if let Some(delay) = retry_delay(previous, free, now) {
                return Ok(Err(delay));
            }
        }
        for (account, free) in counters {
            let previous = provider
                .store
                .count_attempt(account, &self.address, now, since)
                .await?;
            if let Some(delay) = retry_delay(previous, free, now) {
                return Ok(Err(delay));
            }
        }
        Ok(Ok(()))
    }

    /// Clears the counters of the account and removes its attempts from that of the address, after a successful check.
    pub(crate) async fn reset(&self, provider: &Provider) -> Result<(), StorageError> {
        provider
            .store
            .reset_attempts(&self.account, &self.address)
            .await
    }
}

fn retry_delay(previous: Attempts, free: i64, now: Timestamp) -> Option<RetryDelay> {
    let excess = previous.count - free;
    if excess < 0 {
        return None;
    }
    let delay = INITIAL_DELAY
        .saturating_mul(1 << excess.min(16))
        .min(WINDOW);
    let remaining = previous.last_at.plus(delay).since(now);
    // Rounded up, so that the attempt after it is not too early.
    let seconds = i64::try_from(remaining.as_millis().div_ceil(1000)).unwrap_or(i64::MAX);
    (seconds > 0).then_some(RetryDelay { seconds })
}

/// The counted form of an address: IPv4 addresses, and /64 prefixes of IPv6, because an internet provider gives each subscriber a whole /64.
fn address_prefix(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delay_seconds(count: i64, elapsed_ms: i64) -> Option<i64> {
        let last_at = Timestamp::default();
        let now = Timestamp::from_millis(elapsed_ms);
        let attempts = Attempts { count, last_at };
        retry_delay(attempts, UNDELAYED_ATTEMPTS_PER_ACCOUNT, now).map(|delay| delay.seconds)
    }

    #[test]
    fn delay_doubles_after_five_attempts_up_to_fifteen_minutes() {
        assert_eq!(delay_seconds(4, 0), None);
        assert_eq!(
            (
                delay_seconds(5, 0),
                delay_seconds(6, 0),
                delay_seconds(7, 0)
            ),
            (Some(5), Some(10), Some(20))
        );
        assert_eq!(delay_seconds(5, 5_000), None, "the delay has elapsed");
        assert_eq!(delay_seconds(1_000, 0), Some(900));
    }

    #[test]
    fn addresses_of_one_ipv6_prefix_are_counted_together() {
        let prefix = |text: &str| address_prefix(text.parse().unwrap());
        assert_eq!(prefix("2001:db8:1:2:3::1"), prefix("2001:db8:1:2:ffff::9"));
        assert_ne!(prefix("2001:db8:1:2::1"), prefix("2001:db8:1:3::1"));
        assert_eq!(prefix("::ffff:192.0.2.1"), "192.0.2.1");
    }
}
