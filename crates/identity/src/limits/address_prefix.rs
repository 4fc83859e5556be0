//! The network prefixes by which an address is counted.

use std::net::IpAddr;

/// Prefixes of IPv6 with their share of a budget, narrowest first. An internet provider gives a subscriber a /64, a /56 or a
/// /48, so that a caller can send from every address in it. The wider ones have larger budgets, because they may also hold
/// several subscribers (decision 0092).
const IPV6_PREFIXES: [(u8, u32); 3] = [(64, 1), (56, 4), (48, 16)];

/// A network prefix: a whole IPv4 address, or the first bits of an IPv6 address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct AddressPrefix {
    /// The address with all other bits zero. An IPv4 address is mapped into IPv6 (RFC 4291, 2.5.5.2).
    bits: u128,
    /// The number of bits that count.
    length: u8,
}

impl AddressPrefix {
    /// The prefixes by which `address` is counted, narrowest first, each with the factor of its budget.
    pub(crate) fn all(address: IpAddr) -> impl Iterator<Item = (Self, u32)> + Clone {
        let (bits, lengths) = match address.to_canonical() {
            IpAddr::V4(address) => (address.to_ipv6_mapped().to_bits(), &[(128, 1)][..]),
            IpAddr::V6(address) => (address.to_bits(), &IPV6_PREFIXES[..]),
        };
        lengths.iter().map(move |&(length, factor)| {
            let bits = bits & (u128::MAX << (128 - u32::from(length)));
            (Self { bits, length }, factor)
        })
    }

    /// What tells it from all others.
    pub(crate) fn bytes(self) -> [u8; 17] {
        let mut bytes = [self.length; 17];
        bytes[..16].copy_from_slice(&self.bits.to_be_bytes());
        bytes
    }

    /// The prefix of one subscriber: the IPv4 address, or the /64.
    pub(crate) fn narrowest(address: IpAddr) -> Self {
        let (narrowest, _) = Self::all(address)
            .next()
            .expect("every address has at least one prefix");
        narrowest
    }

    /// The prefix of one site: the IPv4 address, or the /48.
    pub(crate) fn widest(address: IpAddr) -> Self {
        let (widest, _) = Self::all(address)
            .last()
            .expect("every address has at least one prefix");
        widest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(address: &str) -> Vec<(AddressPrefix, u32)> {
        AddressPrefix::all(address.parse().unwrap()).collect()
    }

    #[test]
    fn ipv4_address_is_its_only_prefix_in_either_form() {
        assert_eq!(prefixes("192.0.2.1").len(), 1);
        assert_eq!(prefixes("192.0.2.1"), prefixes("::ffff:192.0.2.1"));
        assert_ne!(prefixes("192.0.2.1"), prefixes("192.0.2.2"));
    }

    #[test]
    fn ipv6_addresses_share_the_prefixes_that_they_have_in_common() {
        let shared = |other: &str| {
            let other = prefixes(other);
            let own = prefixes("2001:db8:1:203::1");
            let equal = own.iter().filter(|prefix| other.contains(prefix));
            equal.map(|(_, factor)| *factor).collect::<Vec<_>>()
        };
        assert_eq!(shared("2001:db8:1:203:ffff::9"), [1, 4, 16], "one /64");
        assert_eq!(shared("2001:db8:1:2ff::1"), [4, 16], "one /56");
        assert_eq!(shared("2001:db8:1:ff03::1"), [16], "one /48");
        assert_eq!(shared("2001:db8:2:203::1"), [0; 0]);
    }
}
