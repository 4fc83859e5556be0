//! Limits of requests per address and per application at the endpoints of the provider (decision 0092).

mod address_prefix;
mod attempt_keys;
mod budget_table;
mod pages;
mod refused_tokens;
mod wrong_secrets;

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use invoicing_contract::ClientId;

pub(crate) use address_prefix::AddressPrefix;
pub(crate) use attempt_keys::AttemptKeys;
use budget_table::{Budget, BudgetTable};
pub(crate) use pages::limit_pages;
pub(crate) use refused_tokens::RefusedTokens;

/// Keys that are counted at the same time, about 6 MB.
const CAPACITY: usize = 65_536;
/// What a request with wrong credentials takes from the budget of its address.
const COST_OF_FAILURE: u32 = 10;
/// Wrong secrets of one application from one address, after which no further secret is compared.
const WRONG_SECRETS: NonZeroU32 = NonZeroU32::new(20).expect("not zero");
/// The time in which that budget is full again.
const WRONG_SECRETS_PERIOD: Duration = Duration::from_secs(10 * 60);
/// Addresses in that time of which the audit has a wrong secret of one application.
const AUDITED_ADDRESSES: NonZeroU32 = NonZeroU32::new(30).expect("not zero");

/// The limits of requests to the identity provider, and of access tokens that the gateway refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestLimitSettings {
    /// Requests per minute of an address that no secret and no valid token vouches for; 0 for no limit. It is that of an
    /// IPv4 address and of an IPv6 /64; a /56 has four times, a /48 sixteen times as many. An invalid token counts as ten, at the
    /// gateway by itself (decision 0177).
    pub address_per_minute: u32,
    /// Requests per minute of an application that has proved itself with its secret, from all its addresses; 0 for no limit.
    pub application_per_minute: u32,
}

impl Default for RequestLimitSettings {
    /// An address may be that of an office of some hundred people; an application may be a gateway that introspects 10,000
    /// tokens in a second.
    fn default() -> Self {
        Self {
            address_per_minute: 1_200,
            application_per_minute: 1_200_000,
        }
    }
}

/// Counts requests in memory, in monotonic time. A restart forgets the counts, but for those of wrong secrets (decision 0192).
pub(crate) struct RequestLimits {
    address: Option<Budget>,
    application: Option<Budget>,
    table: BudgetTable,
}

/// A request over the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LimitExceeded {
    /// The time until a request is admitted.
    wait: Duration,
}

impl LimitExceeded {
    /// The value of Retry-After: at least 1, rounded up, so that a request after it is not too early.
    pub(crate) fn retry_after_seconds(self) -> i64 {
        let seconds = self.wait.as_millis().div_ceil(1000).max(1);
        i64::try_from(seconds).unwrap_or(i64::MAX)
    }
}

impl From<Duration> for LimitExceeded {
    fn from(wait: Duration) -> Self {
        Self { wait }
    }
}

/// What is counted.
#[derive(Hash)]
enum Key<'a> {
    Address(AddressPrefix),
    Application(&'a ClientId),
    ApplicationAt(&'a ClientId, AddressPrefix),
    WrongSecrets(&'a ClientId, AddressPrefix),
    AuditedSecrets(&'a ClientId),
    AuditedSecretsAt(&'a ClientId, AddressPrefix),
}

impl RequestLimits {
    /// No request is counted yet.
    pub(crate) fn new(settings: RequestLimitSettings) -> Self {
        let budget = |per_minute| NonZeroU32::new(per_minute).map(Budget::per_minute);
        Self {
            address: budget(settings.address_per_minute),
            application: budget(settings.application_per_minute),
            table: BudgetTable::new(CAPACITY),
        }
    }

    /// Whether [`RequestLimits::admit_address`] would admit a request. It is not counted.
    pub(crate) fn check_address(
        &self,
        address: IpAddr,
        now: Duration,
    ) -> Result<(), LimitExceeded> {
        let Some(budget) = self.address else {
            return Ok(());
        };
        for (prefix, factor) in AddressPrefix::all(address) {
            let wait = self
                .table
                .wait(Key::Address(prefix), budget.times(factor), now);
            if let Some(wait) = wait {
                return Err(wait.into());
            }
        }
        Ok(())
    }

    /// Counts a request of `address` that neither a secret nor a valid token vouches for.
    pub(crate) fn admit_address(
        &self,
        address: IpAddr,
        now: Duration,
    ) -> Result<(), LimitExceeded> {
        // All budgets are looked at before any is spent: requests that one prefix is refused must not empty the budget of the
        // wider one, which others share.
        self.check_address(address, now)?;
        let Some(budget) = self.address else {
            return Ok(());
        };
        for (prefix, factor) in AddressPrefix::all(address) {
            self.table
                .spend(Key::Address(prefix), budget.times(factor), now)?;
        }
        Ok(())
    }

    /// Counts a request of `address` that is malformed, or whose credentials are wrong.
    pub(crate) fn admit_failure(
        &self,
        address: IpAddr,
        now: Duration,
    ) -> Result<(), LimitExceeded> {
        self.admit_address(address, now)?;
        self.count_failure(address, now);
        Ok(())
    }

    /// Counts that a request which was admitted has failed.
    pub(crate) fn count_failure(&self, address: IpAddr, now: Duration) {
        let Some(budget) = self.address else {
            return;
        };
        for (prefix, factor) in AddressPrefix::all(address) {
            let budget = budget.times(factor);
            self.table
                .take(Key::Address(prefix), COST_OF_FAILURE - 1, budget, now);
        }
    }

    /// Counts a request of an application that has proved itself with its secret. The budget of its address is not touched:
    /// nobody else at that address can use up what the application needs.
    pub(crate) fn admit_application(
        &self,
        client_id: &ClientId,
        now: Duration,
    ) -> Result<(), LimitExceeded> {
        match self.application {
            Some(budget) => Ok(self.table.spend(Key::Application(client_id), budget, now)?),
            None => Ok(()),
        }
    }

    /// Counts a request with a valid token of `client_id`. The tokens of an application are in many hands, so that one of
    /// them uses up the budget of its own address only.
    pub(crate) fn admit_bearer(
        &self,
        client_id: &ClientId,
        address: IpAddr,
        now: Duration,
    ) -> Result<(), LimitExceeded> {
        let Some(budget) = self.application else {
            return Ok(());
        };
        let key = Key::ApplicationAt(client_id, AddressPrefix::narrowest(address));
        Ok(self.table.spend(key, budget, now)?)
    }

    /// Whether the audit has to record a wrong secret of an application that exists: once for an address, and for a bounded number
    /// of addresses.
    pub(crate) fn admit_secret_event(
        &self,
        client_id: &ClientId,
        address: IpAddr,
        now: Duration,
    ) -> bool {
        let at = Key::AuditedSecretsAt(client_id, AddressPrefix::narrowest(address));
        let once = Budget::per(NonZeroU32::MIN, WRONG_SECRETS_PERIOD);
        let all = Budget::per(AUDITED_ADDRESSES, WRONG_SECRETS_PERIOD);
        let is_first = self.table.spend(at, once, now).is_ok();
        let key = Key::AuditedSecrets(client_id);
        is_first && self.table.spend(key, all, now).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(1_000);

    fn limits(address_per_minute: u32, application_per_minute: u32) -> RequestLimits {
        RequestLimits::new(RequestLimitSettings {
            address_per_minute,
            application_per_minute,
        })
    }

    fn admitted(limits: &RequestLimits, addresses: impl Iterator<Item = String>) -> usize {
        addresses
            .filter(|address| {
                let address = address.parse().expect("an address");
                limits.admit_address(address, NOW).is_ok()
            })
            .count()
    }

    #[test]
    fn ipv6_sites_are_limited_however_many_of_their_addresses_they_use() {
        let addresses = |from: &str, count: u32| {
            let from = from.to_owned();
            (0..count).map(move |number| format!("{from}:{number:x}::1"))
        };
        // Each request comes from a /64 of its own.
        assert_eq!(
            admitted(&limits(10, 0), addresses("2001:db8:1", 256)),
            40,
            "the /64s of one /56"
        );
        assert_eq!(
            admitted(&limits(10, 0), addresses("2001:db8:1", 65_536)),
            160,
            "the /64s of one /48"
        );
        let one = (0..100).map(|number| format!("2001:db8:1:2::{number:x}"));
        assert_eq!(
            admitted(&limits(10, 0), one),
            10,
            "the addresses of one /64"
        );
    }

    #[test]
    fn requests_that_a_prefix_is_refused_leave_the_wider_budget_to_others() {
        let limits = limits(10, 0);
        let flood = (0..1_000).map(|number| format!("2001:db8:1:2::{number:x}"));
        assert_eq!(admitted(&limits, flood), 10);
        let neighbour = (0..10).map(|_| "2001:db8:1:3::1".to_owned());
        assert_eq!(admitted(&limits, neighbour), 10);
    }

    #[test]
    fn failure_costs_as_much_as_ten_requests() {
        let limits = limits(100, 0);
        let address = "192.0.2.1".parse().expect("an address");
        let failures = (0..100).filter(|_| limits.admit_failure(address, NOW).is_ok());
        assert_eq!(failures.count(), 10);
        assert!(limits.admit_address(address, NOW).is_err());
    }

    #[test]
    fn application_is_not_limited_by_its_address_nor_by_another_application() {
        let limits = limits(1, 2);
        let address = "192.0.2.1".parse().expect("an address");
        let (one, other) = (ClientId::new("one"), ClientId::new("other"));
        while limits.admit_address(address, NOW).is_ok() {}
        for client_id in [&one, &other] {
            assert!(limits.admit_application(client_id, NOW).is_ok());
            assert!(limits.admit_application(client_id, NOW).is_ok());
            let refused = limits.admit_application(client_id, NOW).unwrap_err();
            assert_eq!(refused.retry_after_seconds(), 30);
        }
        assert!(
            limits.admit_bearer(&one, address, NOW).is_ok(),
            "its tokens are counted by themselves"
        );
    }

    #[test]
    fn secret_is_not_compared_after_twenty_wrong_ones_from_the_same_address() {
        let limits = limits(1, 0);
        let [address, elsewhere] =
            ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().expect("an address"));
        let client_id = ClientId::new("gateway");
        for _ in 0..20 {
            assert!(limits.check_secret(&client_id, address, NOW).is_ok());
            limits.count_wrong_secret(&client_id, address, NOW);
        }
        assert!(limits.check_secret(&client_id, address, NOW).is_err());
        assert!(limits.check_secret(&client_id, elsewhere, NOW).is_ok());
        assert!(
            limits
                .check_secret(&ClientId::new("other"), address, NOW)
                .is_ok()
        );
        let later = NOW + WRONG_SECRETS_PERIOD;
        assert!(limits.check_secret(&client_id, address, later).is_ok());
    }

    #[test]
    fn wrong_secret_is_audited_once_for_each_of_thirty_addresses() {
        let limits = limits(0, 0);
        let client_id = ClientId::new("gateway");
        let audited = |now: Duration| -> Vec<usize> {
            let addresses = (1..=100).map(|number| IpAddr::from([192, 0, 2, number]));
            let count = |address| {
                let is_audited = || limits.admit_secret_event(&client_id, address, now);
                (0..5).filter(|_| is_audited()).count()
            };
            addresses.map(count).collect()
        };
        let first = audited(NOW);
        assert_eq!(first[..30], [1_usize; 30], "each address once");
        assert_eq!(first[30..], [0_usize; 70], "no further address");
        let later = audited(NOW + WRONG_SECRETS_PERIOD);
        assert_eq!(later[..30], [1_usize; 30], "ten minutes later again");
    }

    #[test]
    fn limit_of_zero_admits_everything() {
        let limits = limits(0, 0);
        let address = "192.0.2.1".parse().expect("an address");
        let client_id = ClientId::new("gateway");
        for _ in 0..10_000 {
            assert!(limits.admit_failure(address, NOW).is_ok());
            assert!(limits.admit_application(&client_id, NOW).is_ok());
            assert!(limits.admit_bearer(&client_id, address, NOW).is_ok());
        }
    }
}
