//! Which addresses the service connects to for a tenant. An endpoint is typed by an operator, and a name can point anywhere, so
//! that without a check the service could be led to hosts of its own network (server-side request forgery).

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use invoicing_http::is_public_address;
use ipnet::IpNet;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

/// The longest endpoint.
const MAX_ENDPOINT_CHARACTERS: usize = 500;

/// Public addresses, and those of networks that the environment allows.
#[derive(Debug, Clone, Default)]
pub struct AddressPolicy {
    networks: Vec<IpNet>,
}

/// Why an endpoint cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum EndpointProblem {
    /// It is no absolute URL of at most 500 characters.
    #[error("must be an absolute URL of at most 500 characters")]
    NotAUrl,
    /// Plain HTTP is for this computer only (decision 0003).
    #[error("must begin with https://")]
    NotEncrypted,
    /// A user name or a password is no part of an endpoint: it would be shown.
    #[error("must not contain a user name, a password or a fragment")]
    Credentials,
    /// The address is not public, and no network of the environment contains it.
    #[error("must be a public address, or one of a network that this environment allows")]
    Private,
}

impl AddressPolicy {
    /// Public addresses and those in `networks`.
    #[must_use]
    pub const fn new(networks: Vec<IpNet>) -> Self {
        Self { networks }
    }

    fn allows(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        is_public_address(address)
            || self
                .networks
                .iter()
                .any(|network| network.contains(&address))
    }
}

/// An endpoint that the service may connect to. A name is checked when it is resolved.
///
/// # Errors
/// See [`EndpointProblem`].
pub(crate) fn parse_endpoint(
    endpoint: &str,
    policy: &AddressPolicy,
) -> Result<Url, EndpointProblem> {
    // A URL is read without line breaks and tabs, and what is shown and stored would be another text.
    let is_text = !endpoint.chars().any(char::is_control);
    if !is_text || endpoint.chars().count() > MAX_ENDPOINT_CHARACTERS {
        return Err(EndpointProblem::NotAUrl);
    }
    let url = Url::parse(endpoint).map_err(|_not_a_url| EndpointProblem::NotAUrl)?;
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return Err(EndpointProblem::Credentials);
    }
    let loopback = matches!(url.host_str(), Some("127.0.0.1" | "[::1]" | "localhost"));
    if url.scheme() != "https" && !(url.scheme() == "http" && loopback) {
        return Err(EndpointProblem::NotEncrypted);
    }
    let address = match url.host() {
        Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
        Some(Host::Domain("localhost")) => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        Some(Host::Domain(_)) => None,
        None => return Err(EndpointProblem::NotAUrl),
    };
    if address.is_some_and(|address| !policy.allows(address)) {
        return Err(EndpointProblem::Private);
    }
    Ok(url)
}

/// Resolves names to the addresses of a policy only. What was checked is what is connected to, so that a name that changes its
/// address in between (DNS rebinding) changes nothing.
pub(super) struct PublicResolver(AddressPolicy);

impl PublicResolver {
    pub(super) const fn new(policy: AddressPolicy) -> Self {
        Self(policy)
    }
}

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = self.0.clone();
        Box::pin(async move {
            let resolved = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = resolved
                .filter(|address| policy.allows(address.ip()))
                .collect();
            if allowed.is_empty() {
                return Err(EndpointProblem::Private.into());
            }
            let addresses: Addrs = Box::new(allowed.into_iter());
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_not_public_are_refused() {
        let policy = AddressPolicy::default();
        for endpoint in [
            "https://10.0.0.1/",
            "https://127.0.0.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://192.168.1.1/",
            "https://100.64.0.1/",
            "https://0.0.0.0/",
            "https://[::1]/",
            "https://[fd00::1]/",
            "https://[fe80::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://[2002:a00:1::]/",
            "https://2130706433/",
            "https://localhost/",
        ] {
            let parsed = parse_endpoint(endpoint, &policy);
            assert_eq!(parsed, Err(EndpointProblem::Private), "{endpoint}");
        }
        for endpoint in [
            "https://8.8.8.8/",
            "https://[2606:4700::1]/",
            "https://tax.example/x",
        ] {
            assert!(parse_endpoint(endpoint, &policy).is_ok(), "{endpoint}");
        }
    }

    #[test]
    fn network_of_the_environment_is_allowed_and_only_loopback_without_encryption() {
        let networks = ["127.0.0.0/8", "10.1.0.0/16"].map(|network| network.parse().expect("one"));
        let policy = AddressPolicy::new(networks.to_vec());
        for (endpoint, expected) in [
            ("http://127.0.0.1:9/clear", None),
            ("https://10.1.2.3/", None),
            ("http://10.1.2.3/", Some(EndpointProblem::NotEncrypted)),
            ("ftp://127.0.0.1/", Some(EndpointProblem::NotEncrypted)),
            ("https://10.2.0.1/", Some(EndpointProblem::Private)),
            (
                "https://a:b@tax.example/",
                Some(EndpointProblem::Credentials),
            ),
            ("https://tax.example/#a", Some(EndpointProblem::Credentials)),
            ("tax.example", Some(EndpointProblem::NotAUrl)),
            ("https://tax.exa\nmple/", Some(EndpointProblem::NotAUrl)),
            ("https://tax.example/\0", Some(EndpointProblem::NotAUrl)),
        ] {
            assert_eq!(
                parse_endpoint(endpoint, &policy).err(),
                expected,
                "{endpoint}"
            );
        }
    }

    #[tokio::test]
    async fn name_of_a_private_address_is_not_resolved() {
        let refused = PublicResolver::new(AddressPolicy::default());
        let name = || -> Name { "localhost".parse().expect("a name") };
        assert!(refused.resolve(name()).await.is_err());
        let allowed = AddressPolicy::new(vec!["127.0.0.0/8".parse().expect("a network")]);
        let resolved = PublicResolver::new(allowed).resolve(name()).await;
        let resolved = resolved.expect("this computer has a name");
        assert!(resolved.count() > 0);
    }
}
