//! The limit of access tokens that the gateway refuses, by address (decision 0177).

use std::net::IpAddr;
use std::time::Duration;

use invoicing_storage::secret::TokenHash;
use quick_cache::sync::Cache;

use super::{CAPACITY, RequestLimitSettings, RequestLimits};

/// Counts the tokens that are refused. Above the limit of an address, only tokens of it are looked up that were valid before.
pub(crate) struct RefusedTokens {
    /// Of the gateway alone: what it refuses takes nothing of what the address may send to the provider.
    limits: RequestLimits,
    /// The hashes of tokens that were valid when they were looked up last.
    valid: Cache<Box<[u8]>, ()>,
}

impl RefusedTokens {
    /// No token is counted yet.
    pub(crate) fn new(settings: RequestLimitSettings) -> Self {
        Self {
            limits: RequestLimits::new(settings),
            valid: Cache::new(CAPACITY),
        }
    }

    /// Whether a token that `address` presents may be looked up. One that was valid before always may: nobody else at the address can
    /// keep its caller out.
    ///
    /// # Errors
    /// The address is above its limit: the time until another token of it is looked up.
    pub(crate) fn check(
        &self,
        token: &TokenHash,
        address: IpAddr,
        now: Duration,
    ) -> Result<(), Duration> {
        if self.was_valid(token) {
            return Ok(());
        }
        // Counted before the look-up: of many that arrive together no more are looked up than the limit has.
        let admitted = self.limits.admit_address(address, now);
        admitted.map_err(|exceeded| exceeded.wait)
    }

    /// Notes that a token was looked up and is valid.
    pub(crate) fn note_valid(&self, token: &TokenHash) {
        if !self.was_valid(token) {
            self.valid.insert(token.as_bytes().into(), ());
        }
    }

    /// Counts a token that was looked up and is not valid, or not any more.
    pub(crate) fn count(&self, token: &TokenHash, address: IpAddr, now: Duration) {
        self.valid.remove(token.as_bytes());
        self.limits.count_failure(address, now);
    }

    fn was_valid(&self, token: &TokenHash) -> bool {
        self.valid.get(token.as_bytes()).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(1_000);

    #[test]
    fn address_above_its_limit_has_only_tokens_looked_up_that_were_valid_before() {
        let tokens = RefusedTokens::new(RequestLimitSettings {
            address_per_minute: 50,
            application_per_minute: 0,
        });
        let [address, elsewhere] =
            ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().expect("an address"));
        let (valid, unknown) = (TokenHash::of("valid"), TokenHash::of("unknown"));
        tokens.note_valid(&valid);
        for _ in 0..5 {
            assert_eq!(tokens.check(&unknown, address, NOW), Ok(()));
            tokens.count(&unknown, address, NOW);
        }
        let wait = tokens.check(&unknown, address, NOW).unwrap_err();
        assert!(wait <= Duration::from_secs(2), "{wait:?}");
        assert_eq!(tokens.check(&valid, address, NOW), Ok(()));
        assert_eq!(tokens.check(&unknown, elsewhere, NOW), Ok(()));
        assert_eq!(tokens.check(&unknown, address, NOW + wait), Ok(()));
        // It has expired, or is revoked: from now on it is like any other.
        tokens.count(&valid, address, NOW);
        assert!(tokens.check(&valid, address, NOW).is_err());
    }
}
