//! Comparison of redirect URIs with the registered ones.

use url::{Host, Origin, Url};

/// Whether `uri` is one of `registered`, by exact string comparison; the loopback address of a native application matches
/// with any port (RFC 8252, 7.3).
pub(crate) fn is_registered(uri: &str, registered: &[String], native: bool) -> bool {
    registered
        .iter()
        .any(|candidate| candidate == uri || (native && is_same_loopback_uri(uri, candidate)))
}

/// Whether `uri` is an https address that an application can claim at the operating system, which checks with the domain
/// that it may (RFC 8252, 7.2). No domain vouches for a loopback name or an IP address, where any program can listen.
pub(crate) fn is_claimed_https(uri: &str) -> bool {
    let Ok(url) = Url::parse(uri) else {
        return false;
    };
    let Some(Host::Domain(domain)) = url.host() else {
        return false;
    };
    let domain = domain.strip_suffix('.').unwrap_or(domain);
    let is_loopback = domain == "localhost" || domain.ends_with(".localhost");
    url.scheme() == "https" && domain.contains('.') && !is_loopback
}

/// The CSP `form-action` source that lets a browser follow a redirect to `uri` after it submits a form.
pub(crate) fn form_action_source(uri: &str) -> Option<String> {
    let url = Url::parse(uri).ok()?;
    Some(match url.origin() {
        // An address of a private-use scheme has no origin, with a host or without. A source expression cannot name an IPv6 address.
        Origin::Opaque(_) | Origin::Tuple(_, Host::Ipv6(_), _) => format!("{}:", url.scheme()),
        origin @ Origin::Tuple(..) => origin.ascii_serialization(),
    })
}

fn is_same_loopback_uri(uri: &str, candidate: &str) -> bool {
    ["http://127.0.0.1", "http://[::1]"].iter().any(|loopback| {
        let Some(uri) = uri.strip_prefix(loopback) else {
            return false;
        };
        let Some(candidate) = candidate.strip_prefix(loopback) else {
            return false;
        };
        path_after_port(uri).is_some_and(|path| Some(path) == path_after_port(candidate))
    })
}

/// The path after an optional port; `None` if the port is invalid.
fn path_after_port(rest: &str) -> Option<&str> {
    let Some(after_colon) = rest.strip_prefix(':') else {
        return rest.starts_with('/').then_some(rest);
    };
    let (port, _) = after_colon.split_once('/')?;
    let is_numeric = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    (is_numeric && port.parse::<u16>().is_ok_and(|port| port != 0))
        .then(|| &after_colon[port.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const NATIVE: [&str; 3] = [
        "com.invoicedesk.desktop:/oauth/local",
        "http://127.0.0.1/oauth/local",
        "http://[::1]/oauth/local",
    ];

    fn is_accepted(uri: &str) -> bool {
        is_registered(uri, &NATIVE.map(str::to_owned), true)
    }

    #[test]
    fn registered_uri_and_loopback_uri_with_any_port_are_accepted() {
        for uri in [
            NATIVE[0],
            NATIVE[1],
            NATIVE[2],
            "http://127.0.0.1:49152/oauth/local",
            "http://[::1]:1/oauth/local",
        ] {
            assert!(is_accepted(uri), "{uri}");
        }
    }

    #[test]
    fn uri_that_differs_from_all_registered_ones_is_rejected() {
        for uri in [
            "com.invoicedesk.desktop:/oauth/staging",
            "com.invoicedesk.desktop://oauth/local",
            "COM.invoicedesk.desktop:/oauth/local",
            "com.invoicedesk.desktop:/oauth/local/",
            "com.invoicedesk.desktop:/oauth/local?a=b",
            "com.invoicedesk.desktop:/oauth/local#a",
            "http://127.0.0.1:49152/oauth/local/../local",
            "http://127.0.0.1:49152/oauth/local?a=b",
            "http://127.0.0.1:0/oauth/local",
            "http://127.0.0.1:99999/oauth/local",
            "http://127.0.0.1:/oauth/local",
            "http://127.0.0.1:80@evil.example/oauth/local",
            "http://127.0.0.1.evil.example/oauth/local",
            "http://127.0.0.1@evil.example/oauth/local",
            "http://localhost:49152/oauth/local",
            "https://127.0.0.1:49152/oauth/local",
            "",
        ] {
            assert!(!is_accepted(uri), "{uri}");
        }
    }

    #[test]
    fn loopback_port_is_free_for_native_applications_only() {
        assert!(!is_registered(
            "http://127.0.0.1:5/oauth/local",
            &NATIVE.map(str::to_owned),
            false
        ));
    }

    #[test]
    fn only_https_at_a_domain_can_be_claimed() {
        for uri in [
            "https://books.example/callback",
            "https://books.example:8443/callback",
            "https://127.0.0.1.books.example/callback",
        ] {
            assert!(is_claimed_https(uri), "{uri}");
        }
        for uri in [
            NATIVE[0],
            NATIVE[1],
            NATIVE[2],
            "http://books.example/callback",
            "https://localhost/callback",
            "https://localhost.:8443/callback",
            "https://LOCALHOST/callback",
            "https://books.localhost/callback",
            "https://printer/callback",
            "https://127.0.0.1/callback",
            "https://127.1/callback",
            "https://[::1]/callback",
            "https://192.0.2.1/callback",
            "com.books.https:/callback",
            "https:/callback",
            "",
        ] {
            assert!(!is_claimed_https(uri), "{uri}");
        }
    }

    #[test]
    fn form_action_source_is_the_scheme_or_origin_of_the_uri() {
        assert_eq!(
            form_action_source(NATIVE[0]).as_deref(),
            Some("com.invoicedesk.desktop:")
        );
        assert_eq!(
            form_action_source("com.example.books://callback").as_deref(),
            Some("com.example.books:")
        );
        assert_eq!(
            form_action_source("http://127.0.0.1:7/oauth").as_deref(),
            Some("http://127.0.0.1:7")
        );
        assert_eq!(
            form_action_source("http://[::1]:7/oauth").as_deref(),
            Some("http:")
        );
        assert_eq!(
            form_action_source("https://books.example/callback").as_deref(),
            Some("https://books.example")
        );
    }

    proptest::proptest! {
        #[test]
        fn registered_uri_with_a_suffix_is_rejected(tail in "\\PC*") {
            for candidate in NATIVE {
                let uri = format!("{candidate}{tail}");
                proptest::prop_assert_eq!(is_accepted(&uri), tail.is_empty(), "{}", uri);
            }
        }

        #[test]
        fn text_between_host_and_path_is_accepted_only_if_it_is_a_port(middle in "\\PC*") {
            let uri = format!("http://127.0.0.1{middle}/oauth/local");
            let port = middle.strip_prefix(':').and_then(|port| port.parse::<u16>().ok());
            let expected = middle.is_empty() || (port.is_some_and(|port| port != 0) && !middle.contains('+'));
            proptest::prop_assert_eq!(is_accepted(&uri), expected, "{}", uri);
        }
    }
}
