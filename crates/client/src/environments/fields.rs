//! Validation of the fields of an environment configuration.

use std::net::Ipv6Addr;

use url::{Host, Url};

use crate::views::InvalidFieldReason;

/// Whether the host is a loopback address or `localhost`, for which plain http is accepted (decision 0003).
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(domain)) => domain == "localhost",
        Some(Host::Ipv4(ip)) => ip.octets() == [127, 0, 0, 1],
        Some(Host::Ipv6(ip)) => ip == Ipv6Addr::LOCALHOST,
        None => false,
    }
}

/// Parses the address of a server: https, or http to this computer, with scheme, host and port only.
pub(super) fn address(text: &str) -> Result<Url, InvalidFieldReason> {
    if text.is_empty() {
        return Err(InvalidFieldReason::Empty);
    }
    let Ok(url) = Url::parse(text) else {
        return Err(InvalidFieldReason::NotAnAddress);
    };
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    if url.host().is_none() || !bare || !url.username().is_empty() || url.password().is_some() {
        return Err(InvalidFieldReason::NotAnAddress);
    }
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_loopback(&url) => Ok(url),
        "http" => Err(InvalidFieldReason::NotHttps),
        _ => Err(InvalidFieldReason::NotAnAddress),
    }
}

/// Checks a name, which becomes part of redirect URIs and file names.
pub(super) fn name(name: &str) -> Result<(), InvalidFieldReason> {
    if name.is_empty() {
        return Err(InvalidFieldReason::Empty);
    }
    let valid = name.len() <= 32
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if valid {
        Ok(())
    } else {
        Err(InvalidFieldReason::Characters)
    }
}

/// Checks an id, which becomes part of a scope.
pub(super) fn identifier(id: &str) -> Result<(), InvalidFieldReason> {
    if id.is_empty() {
        return Err(InvalidFieldReason::Empty);
    }
    if id
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b':' && byte != b'"')
    {
        Ok(())
    } else {
        Err(InvalidFieldReason::Characters)
    }
}
