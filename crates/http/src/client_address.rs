//! The address of the client behind trusted proxies.

use std::net::{IpAddr, SocketAddr};

use http::HeaderMap;
use ipnet::IpNet;

/// The remote address of the connection: an extension of every request.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

impl Peer {
    /// The client's address. If the peer is in one of the networks `proxies`, it is the last address of `X-Forwarded-For` that is not a
    /// proxy's: any caller can forge the addresses before that one.
    #[must_use]
    pub fn client_address(self, headers: &HeaderMap, proxies: &[IpNet]) -> IpAddr {
        let is_proxy = |address: &IpAddr| proxies.iter().any(|network| network.contains(address));
        let peer = self.0.ip().to_canonical();
        if !is_proxy(&peer) {
            return peer;
        }
        let lines = headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|line| line.to_str().ok());
        let forwarded: Vec<_> = lines
            .flat_map(|line| line.split(','))
            .map(str::trim)
            .collect();
        let mut nearest = peer;
        for address in forwarded.into_iter().rev() {
            let Some(address) = forwarded_address(address) else {
                break;
            };
            nearest = address.to_canonical();
            if !is_proxy(&nearest) {
                break;
            }
        }
        nearest
    }
}

/// An address of `X-Forwarded-For`. Some proxies add the port of the client.
fn forwarded_address(text: &str) -> Option<IpAddr> {
    let address = text.parse::<IpAddr>().ok();
    address.or_else(|| Some(text.parse::<SocketAddr>().ok()?.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_address(peer: &str, forwarded: &[&str]) -> String {
        let proxies = ["127.0.0.1/32", "10.0.0.0/30"].map(|proxy| proxy.parse().unwrap());
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("x-forwarded-for", line.parse().unwrap());
        }
        Peer(SocketAddr::new(peer.parse().unwrap(), 1))
            .client_address(&headers, &proxies)
            .to_string()
    }

    #[test]
    fn forwarded_addresses_of_untrusted_peers_are_ignored() {
        assert_eq!(
            client_address("192.0.2.9", &["198.51.100.1"]),
            "192.0.2.9",
            "not a proxy"
        );
        assert_eq!(
            client_address("127.0.0.1", &["198.51.100.1, 192.0.2.9"]),
            "192.0.2.9",
            "the last address is the one that the proxy added"
        );
    }

    #[test]
    fn trusted_proxies_in_the_header_are_skipped() {
        assert_eq!(
            client_address("127.0.0.1", &["192.0.2.9, 10.0.0.1"]),
            "192.0.2.9"
        );
        assert_eq!(
            client_address("127.0.0.1", &["192.0.2.9", "10.0.0.1"]),
            "192.0.2.9",
            "in two lines"
        );
        assert_eq!(
            client_address("::ffff:127.0.0.1", &["2001:db8::1"]),
            "2001:db8::1"
        );
    }

    #[test]
    fn every_address_of_a_network_of_proxies_is_skipped_and_no_other() {
        assert_eq!(
            client_address("10.0.0.2", &["192.0.2.9, 10.0.0.3"]),
            "192.0.2.9"
        );
        assert_eq!(client_address("10.0.0.4", &["192.0.2.9"]), "10.0.0.4");
    }

    #[test]
    fn port_that_a_proxy_adds_to_the_address_is_ignored() {
        for (forwarded, address) in [
            ("192.0.2.9:53412", "192.0.2.9"),
            ("[2001:db8::1]:53412", "2001:db8::1"),
            ("192.0.2.9:53412, 10.0.0.1:443", "192.0.2.9"),
        ] {
            assert_eq!(client_address("127.0.0.1", &[forwarded]), address);
        }
    }

    #[test]
    fn without_a_usable_header_the_address_is_that_of_the_proxy() {
        assert_eq!(client_address("127.0.0.1", &[]), "127.0.0.1");
        assert_eq!(
            client_address("127.0.0.1", &["192.0.2.9, unknown"]),
            "127.0.0.1"
        );
    }
}
