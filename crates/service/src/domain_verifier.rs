//! Reads the file by which the owner of a domain verifies it, from the server of the domain (decision 0115).

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use invoicing_identity::administration::{DomainUnreachable, DomainVerifier, verification_path};
use reqwest::StatusCode;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::OnceCell;

/// The time in which a server must answer.
const TIMEOUT: Duration = Duration::from_secs(8);
/// Most bytes of a file.
const MAX_FILE_BYTES: usize = 4 * 1024;

/// [`DomainVerifier`] over HTTPS with the certificates of the system. It follows no redirect, uses no proxy and connects to
/// public addresses only: the caller chooses the server.
#[derive(Debug, Default)]
pub(crate) struct HttpsDomainVerifier {
    /// Made when it is first used: it reads the certificates of the system, and most services verify no domain.
    http: OnceCell<reqwest::Client>,
}

impl HttpsDomainVerifier {
    async fn http(&self) -> Result<&reqwest::Client, reqwest::Error> {
        let client = async || {
            reqwest::Client::builder()
                .https_only(true)
                .no_proxy()
                .timeout(TIMEOUT)
                .redirect(reqwest::redirect::Policy::none())
                .dns_resolver(Arc::new(PublicAddresses))
                .build()
        };
        self.http.get_or_try_init(client).await
    }
}

#[async_trait]
impl DomainVerifier for HttpsDomainVerifier {
    async fn publishes(&self, domain: &str, text: &str) -> Result<bool, DomainUnreachable> {
        let failed = |error: reqwest::Error| DomainUnreachable(error.into());
        let url = format!("https://{domain}{}", verification_path());
        let http = self.http().await.map_err(|error| {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "the HTTP client for the verification of domains cannot be set up"
            );
            failed(error)
        })?;
        let mut response = http.get(url).send().await.map_err(failed)?;
        if response.status().is_server_error() {
            return Err(failed_status(response.status()));
        }
        if response.status() != StatusCode::OK {
            return Ok(false);
        }
        let mut file = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            file.extend_from_slice(&chunk);
            if file.len() > MAX_FILE_BYTES {
                return Ok(false);
            }
        }
        Ok(has_line(&file, text))
    }
}

fn failed_status(status: StatusCode) -> DomainUnreachable {
    DomainUnreachable(io::Error::other(format!("status {status}")).into())
}

fn has_line(file: &[u8], text: &str) -> bool {
    file.split(|byte| *byte == b'\n')
        .any(|line| line.trim_ascii() == text.as_bytes())
}

/// Resolves names to public addresses only, so that nobody reads servers of a private network through the service.
#[derive(Debug)]
struct PublicAddresses;

impl Resolve for PublicAddresses {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|address| is_public(address.ip())).collect();
            if public.is_empty() {
                let problem = "the domain has no public address";
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, problem).into());
            }
            let addresses: Addrs = Box::new(public.into_iter());
            Ok(addresses)
        })
    }
}

/// Whether an address is reachable from anywhere (the registries of special-purpose addresses, RFC 6890).
fn is_public(address: IpAddr) -> bool {
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
    fn only_public_addresses_are_connected_to() {
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
            assert_eq!(is_public(address), public, "{address}");
        }
    }

    #[test]
    fn file_has_the_whole_text_as_a_line() {
        for (file, found) in [
            ("text", true),
            ("other\r\n text \r\n", true),
            ("text2", false),
            ("a text", false),
            ("", false),
        ] {
            assert_eq!(has_line(file.as_bytes(), "text"), found, "{file:?}");
        }
    }

    #[tokio::test]
    async fn server_of_this_machine_is_not_reached() {
        let verifier = HttpsDomainVerifier::default();
        let unreachable = verifier.publishes("localhost", "text").await;
        let problem = format!("{:?}", unreachable.expect_err("no address"));
        assert!(problem.contains("no public address"), "{problem}");
    }
}
