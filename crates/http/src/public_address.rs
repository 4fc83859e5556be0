//! Which addresses are those of hosts on the Internet: the service connects to no others for a caller that chooses the host.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is reachable from anywhere (the registries of special-purpose addresses, RFC 6890).
#[must_use]
pub fn is_public_address(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = match (a, b, c) {
        // This network, shared addresses, protocol assignments, 6to4 relays, benchmarking, and everything from multicast on.
        (0 | 224.., _, _)
        | (100, 64..=127, _)
        | (192, 0, 0)
        | (192, 88, 99)
        | (198, 18 | 19, _) => true,
        _ => {
            address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address.is_documentation()
        }
    };
    !special
}

/// Global unicast without the parts that hold other addresses or none: 2001::/23, documentation, 6to4.
fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        [0x2001, 0..=0x01ff | 0x0db8, ..] | [0x2002 | 0x3fff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_internet_are_public() {
        for (address, public) in [
            ("8.8.8.8", true),
            ("100.63.0.1", true),
            ("2a00:1450:4001::1", true),
            ("127.0.0.1", false),
            ("10.0.0.1", false),
            ("172.16.0.1", false),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("0.0.0.0", false),
            ("192.88.99.1", false),
            ("198.18.0.1", false),
            ("203.0.113.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("::1", false),
            ("::", false),
            ("::ffff:127.0.0.1", false),
            ("64:ff9b::7f00:1", false),
            ("2002:7f00:1::", false),
            ("2001:db8::1", false),
            ("2001::1", false),
            ("fd00::1", false),
            ("fe80::1", false),
            ("ff02::1", false),
        ] {
            let address: IpAddr = address.parse().expect("an address");
            assert_eq!(is_public_address(address), public, "{address}");
        }
    }
}
