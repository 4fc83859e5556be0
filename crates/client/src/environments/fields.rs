//! What may stand in the fields of an environment.

use std::net::Ipv6Addr;

use url::{Host, Url};

use crate::views::EnvironmentTrouble;

/// The loopback literals, for which plain http is accepted (decision 0003).
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(domain)) => domain == "localhost",
        Some(Host::Ipv4(ip)) => ip.octets() == [127, 0, 0, 1],
        Some(Host::Ipv6(ip)) => ip == Ipv6Addr::LOCALHOST,
        None => false,
    }
}

/// https, or http to this computer itself; nothing but scheme, host and port.
pub(super) fn address(text: &str) -> Result<Url, EnvironmentTrouble> {
    if text.is_empty() {
        return Err(EnvironmentTrouble::Empty);
    }
    let url = Url::parse(text).map_err(|_| EnvironmentTrouble::NotAnAddress)?;
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    if url.host().is_none() || !bare || !url.username().is_empty() || url.password().is_some() {
        return Err(EnvironmentTrouble::NotAnAddress);
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_loopback(&url) => Ok(url),
        "http" => Err(EnvironmentTrouble::NotHttps),
        _ => Err(EnvironmentTrouble::NotAnAddress),
    }
}

/// A name that can stand in a redirect URI and in a file.
pub(super) fn name(name: &str) -> Result<(), EnvironmentTrouble> {
    if name.is_empty() {
        return Err(EnvironmentTrouble::Empty);
    }
    let fits = name.len() <= 32
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if fits {
        Ok(())
    } else {
        Err(EnvironmentTrouble::Characters)
    }
}

/// An id that can stand in a scope.
pub(super) fn identifier(id: &str) -> Result<(), EnvironmentTrouble> {
    if id.is_empty() {
        return Err(EnvironmentTrouble::Empty);
    }
    if id
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b':' && byte != b'"')
    {
        Ok(())
    } else {
        Err(EnvironmentTrouble::Characters)
    }
}
