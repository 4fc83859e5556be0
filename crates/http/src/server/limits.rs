//! How many connections a listener keeps, and how long each may take (decision 0085).

use std::net::IpAddr;
use std::time::Duration;

use ipnet::IpNet;

/// Descriptors that are left for the database, for logs, and for calls to other services.
const RESERVED_DESCRIPTORS: u64 = 256;
/// Fewer connections than this are of no use, whatever the limit of descriptors.
const FEWEST_CONNECTIONS: usize = 64;

/// The limits of one listener.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Concurrent connections. For a further one, the connection that has been idle longest is closed.
    pub total: usize,
    /// Concurrent connections of one IPv4 address or one /64 network of IPv6.
    pub per_address: usize,
    /// Networks without `per_address`: proxies, behind which there are many clients.
    pub exempt_networks: Vec<IpNet>,
    /// Whether loopback addresses are without `per_address`, too.
    pub exempt_loopback: bool,
    /// From the accepted connection to the end of the head of the first request, with the TLS handshake.
    pub first_head: Duration,
    /// From the first byte of a later request to the end of its head (HTTP/1.1).
    pub later_head: Duration,
    /// Without a request.
    pub idle: Duration,
    /// From the head of a request to the end of its body, where the handler has no shorter limit.
    pub request_body: Duration,
    /// How long the client may take nothing of a response that is ready.
    pub response_stall: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            total: 4_096,
            per_address: 256,
            exempt_networks: Vec::new(),
            exempt_loopback: true,
            first_head: Duration::from_secs(10),
            later_head: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            request_body: Duration::from_secs(60),
            response_stall: Duration::from_secs(30),
        }
    }
}

impl ConnectionLimits {
    /// The same limits, with a total that fits when `listeners` share `descriptors`. `None` is no limit.
    #[must_use]
    pub fn within_descriptors(self, descriptors: Option<u64>, listeners: u64) -> Self {
        let Some(descriptors) = descriptors else {
            return self;
        };
        let share = descriptors.saturating_sub(RESERVED_DESCRIPTORS) / listeners.max(1);
        let share = usize::try_from(share).unwrap_or(usize::MAX);
        Self {
            total: self.total.min(share.max(FEWEST_CONNECTIONS)),
            ..self
        }
    }

    /// How often connections are checked against the time limits.
    pub(super) fn check_interval(&self) -> Duration {
        let shortest = [
            self.first_head,
            self.later_head,
            self.idle,
            self.response_stall,
        ];
        let shortest = shortest.into_iter().min().unwrap_or_default();
        (shortest / 8).clamp(Duration::from_millis(5), Duration::from_secs(1))
    }

    /// Whether the connections of `address` are not counted against `per_address`.
    pub(super) fn exempts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let in_network = |network: &IpNet| network.contains(&address);
        (self.exempt_loopback && address.is_loopback())
            || self.exempt_networks.iter().any(in_network)
    }
}

/// Addresses that count as one: an IPv4 address, or a /64 network of IPv6, which one subscriber has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Network(u128);

impl Network {
    pub(super) fn of(address: IpAddr) -> Self {
        const PREFIX: u128 = !0 << 64;
        match address.to_canonical() {
            IpAddr::V4(address) => Self(u128::from(address.to_ipv6_mapped())),
            IpAddr::V6(address) => Self(u128::from(address) & PREFIX),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(address: &str) -> Network {
        Network::of(address.parse().unwrap())
    }

    #[test]
    fn addresses_of_one_ipv6_64_network_and_mapped_ipv4_addresses_count_as_one() {
        assert_eq!(network("2001:db8::1"), network("2001:db8::ffff:1"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_eq!(network("192.0.2.1"), network("::ffff:192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
    }

    #[test]
    fn total_fits_the_descriptors_of_the_process() {
        let total = |descriptors, listeners| {
            ConnectionLimits::default()
                .within_descriptors(descriptors, listeners)
                .total
        };
        assert_eq!(total(None, 2), 4_096);
        assert_eq!(total(Some(1_048_576), 2), 4_096);
        assert_eq!(total(Some(1_024), 2), 384);
        assert_eq!(total(Some(100), 2), FEWEST_CONNECTIONS);
    }

    #[test]
    fn proxies_and_loopback_are_exempt() {
        let limits = ConnectionLimits {
            exempt_networks: vec!["192.0.2.0/31".parse().unwrap()],
            ..ConnectionLimits::default()
        };
        for (address, exempt) in [
            ("127.0.0.9", true),
            ("::1", true),
            ("::ffff:192.0.2.1", true),
            ("192.0.2.2", false),
        ] {
            assert_eq!(
                limits.exempts(address.parse().unwrap()),
                exempt,
                "{address}"
            );
        }
        let limits = ConnectionLimits {
            exempt_loopback: false,
            ..limits
        };
        assert!(!limits.exempts("127.0.0.9".parse().unwrap()));
    }
}
