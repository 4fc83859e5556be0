//! Slows down guessing. It counts per account and address together, so nobody can lock a person out from elsewhere, and
//! per address alone, against trying one password on many accounts.

use std::net::IpAddr;

use super::Provider;
use invoicing_storage::StorageError;
use invoicing_storage::secret::TokenHash;
use invoicing_storage::tokens::Attempts;

/// Tries are counted this long.
pub(super) const WINDOW_MS: i64 = 15 * 60 * 1000;
/// Tries that cost nothing, for one account from one address.
const FREE: i64 = 5;
/// Tries that cost nothing, for all accounts from one address: an office shares one.
const FREE_PER_ADDRESS: i64 = 50;
/// The same where the address is an application's server, behind which all its people are.
const FREE_PER_SERVER: i64 = 500;
/// The first wait after that; every further try doubles it.
const FIRST_WAIT_MS: i64 = 5_000;

/// The delay before the next attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RetryDelay {
    pub(super) seconds: i64,
}

/// One try to sign in.
pub(super) struct SignInAttempt {
    account: String,
    address: String,
    free_per_address: i64,
}

impl SignInAttempt {
    /// Of `username`, with a browser at `address`.
    pub(super) fn with_browser(username: &str, address: IpAddr) -> Self {
        Self::new(username, address, FREE_PER_ADDRESS)
    }

    /// Of `username`, through an application whose server is at `address`.
    pub(super) fn through_application(username: &str, address: IpAddr) -> Self {
        Self::new(username, address, FREE_PER_SERVER)
    }

    /// What was typed is kept only as a hash: people type passwords into the wrong field.
    fn new(username: &str, address: IpAddr, free_per_address: i64) -> Self {
        use base64::Engine as _;
        let hash = TokenHash::of(&username.to_lowercase());
        let account = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(hash.as_bytes());
        Self {
            account,
            address: network(address),
            free_per_address,
        }
    }

    /// Counts the try before the password is looked at, so that a hundred at once count a hundred times.
    pub(super) async fn count(
        &self,
        provider: &Provider,
    ) -> Result<Result<(), RetryDelay>, StorageError> {
        let now = provider.now_ms();
        let since = now - WINDOW_MS;
        let counted = [(self.account.as_str(), FREE), ("", self.free_per_address)];
        for (account, free) in counted {
            let before = provider
                .store
                .attempts(account, &self.address, since)
                .await?;
            if let Some(wait) = wait(before, free, now) {
                return Ok(Err(wait));
            }
        }
        for (account, free) in counted {
            let before = provider
                .store
                .count_attempt(account, &self.address, now, since)
                .await?;
            if let Some(wait) = wait(before, free, now) {
                return Ok(Err(wait));
            }
        }
        Ok(Ok(()))
    }

    /// The password was right: the account starts afresh here, and the address is not held responsible.
    pub(super) async fn succeeded(&self, provider: &Provider) -> Result<(), StorageError> {
        provider
            .store
            .reset_attempts(&self.account, &self.address)
            .await
    }
}

fn wait(before: Attempts, free: i64, now: i64) -> Option<RetryDelay> {
    let over = before.count - free;
    if over < 0 {
        return None;
    }
    let pause = FIRST_WAIT_MS
        .saturating_mul(1 << over.min(16))
        .min(WINDOW_MS);
    let left = before.last_at + pause - now;
    (left > 0).then_some(RetryDelay {
        seconds: (left + 999) / 1000,
    })
}

/// An IPv6 customer has a whole /64 to send from.
fn network(address: IpAddr) -> String {
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

    fn waits(count: i64, after_ms: i64) -> Option<i64> {
        wait(Attempts { count, last_at: 0 }, FREE, after_ms).map(|wait| wait.seconds)
    }

    #[test]
    fn five_tries_are_free_and_then_the_wait_doubles_up_to_a_quarter_of_an_hour() {
        assert_eq!(waits(4, 0), None);
        assert_eq!(
            (waits(5, 0), waits(6, 0), waits(7, 0)),
            (Some(5), Some(10), Some(20))
        );
        assert_eq!(waits(5, 5_000), None, "the wait is over");
        assert_eq!(waits(1_000, 0), Some(900));
    }

    #[test]
    fn addresses_of_one_customer_count_as_one() {
        let network = |text: &str| super::network(text.parse().unwrap());
        assert_eq!(
            network("2001:db8:1:2:3::1"),
            network("2001:db8:1:2:ffff::9")
        );
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_eq!(network("::ffff:192.0.2.1"), "192.0.2.1");
    }
}
