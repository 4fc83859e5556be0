//! The addresses of servers.

use std::net::Ipv6Addr;

use url::{Host, Url};

use super::EnvironmentError;

/// The loopback literals, for which plain http is accepted (decisions, "Names and constants").
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(domain)) => domain == "localhost",
        Some(Host::Ipv4(ip)) => ip.octets() == [127, 0, 0, 1],
        Some(Host::Ipv6(ip)) => ip == Ipv6Addr::LOCALHOST,
        None => false,
    }
}

/// https, or http to this computer itself; nothing but scheme, host and port.
pub(super) fn address(field: &'static str, text: &str) -> Result<Url, EnvironmentError> {
    let wrong = EnvironmentError::Address { field };
    let Ok(url) = Url::parse(text) else {
        return Err(wrong);
    };
    if url.host().is_none() {
        return Err(wrong);
    }
    let plain = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    if !plain || !url.username().is_empty() || url.password().is_some() {
        return Err(wrong);
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_loopback(&url) => Ok(url),
        "http" => Err(EnvironmentError::NotHttps { field }),
        _ => Err(wrong),
    }
}
