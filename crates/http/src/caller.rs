//! Where a request comes from.

use std::net::{IpAddr, SocketAddr};

use http::HeaderMap;

/// Who opened the connection: an extension of every request.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

impl Peer {
    /// The caller's address. If the peer is one of `proxies`, it is the last address of `X-Forwarded-For` that is not a
    /// proxy's: whatever stands before that one, anybody may have written.
    pub fn caller(self, headers: &HeaderMap, proxies: &[IpAddr]) -> IpAddr {
        let peer = self.0.ip().to_canonical();
        if !proxies.contains(&peer) {
            return peer;
        }
        let lines = headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|line| line.to_str().ok());
        let named: Vec<_> = lines
            .flat_map(|line| line.split(','))
            .map(str::trim)
            .collect();
        let mut nearest = peer;
        for address in named.iter().rev() {
            let Ok(address) = address.parse::<IpAddr>() else {
                break;
            };
            nearest = address.to_canonical();
            if !proxies.contains(&nearest) {
                break;
            }
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(peer: &str, forwarded: &[&str]) -> String {
        let proxies = ["127.0.0.1", "10.0.0.1"].map(|proxy| proxy.parse().unwrap());
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("x-forwarded-for", line.parse().unwrap());
        }
        Peer(SocketAddr::new(peer.parse().unwrap(), 1))
            .caller(&headers, &proxies)
            .to_string()
    }

    #[test]
    fn a_caller_cannot_name_its_own_address() {
        assert_eq!(
            caller("192.0.2.9", &["198.51.100.1"]),
            "192.0.2.9",
            "not a proxy"
        );
        assert_eq!(
            caller("127.0.0.1", &["198.51.100.1, 192.0.2.9"]),
            "192.0.2.9",
            "the last is the proxy's word"
        );
    }

    #[test]
    fn proxies_behind_proxies_are_passed_over() {
        assert_eq!(caller("127.0.0.1", &["192.0.2.9, 10.0.0.1"]), "192.0.2.9");
        assert_eq!(
            caller("127.0.0.1", &["192.0.2.9", "10.0.0.1"]),
            "192.0.2.9",
            "in two lines"
        );
        assert_eq!(caller("::ffff:127.0.0.1", &["2001:db8::1"]), "2001:db8::1");
    }

    #[test]
    fn without_a_usable_word_it_is_the_proxy_itself() {
        assert_eq!(caller("127.0.0.1", &[]), "127.0.0.1");
        assert_eq!(caller("127.0.0.1", &["192.0.2.9, unknown"]), "127.0.0.1");
    }
}
