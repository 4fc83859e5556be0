//! Which redirect URIs an application may use.

use url::{Host, Url};

/// Whether `given` is one of `registered`: character for character, except that a native application's loopback address
/// matches with any port (RFC 8252, 7.3).
pub(crate) fn is_registered(given: &str, registered: &[String], native: bool) -> bool {
    registered
        .iter()
        .any(|known| known == given || (native && same_but_for_the_port(given, known)))
}

/// What a page must allow as the target of its form, so that the browser follows the redirect after it (CSP form-action).
pub(crate) fn form_target(uri: &str) -> Option<String> {
    let url = Url::parse(uri).ok()?;
    match url.host() {
        // A source expression cannot name an IPv6 address.
        None | Some(Host::Ipv6(_)) => Some(format!("{}:", url.scheme())),
        Some(Host::Domain(_) | Host::Ipv4(_)) => Some(url.origin().ascii_serialization()),
    }
}

fn same_but_for_the_port(given: &str, known: &str) -> bool {
    ["http://127.0.0.1", "http://[::1]"].iter().any(|loopback| {
        let Some(given) = given.strip_prefix(loopback) else {
            return false;
        };
        let Some(known) = known.strip_prefix(loopback) else {
            return false;
        };
        without_port(given).is_some_and(|path| Some(path) == without_port(known))
    })
}

/// What follows the port; `None` if what is there is no port.
fn without_port(rest: &str) -> Option<&str> {
    let Some(after_colon) = rest.strip_prefix(':') else {
        return rest.starts_with('/').then_some(rest);
    };
    let (port, _) = after_colon.split_once('/')?;
    let digits = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    (digits && port.parse::<u16>().is_ok_and(|port| port != 0)).then(|| &after_colon[port.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const NATIVE: [&str; 3] = [
        "com.invoicedesk.desktop:/oauth/local",
        "http://127.0.0.1/oauth/local",
        "http://[::1]/oauth/local",
    ];

    fn allowed(given: &str) -> bool {
        is_registered(given, &NATIVE.map(str::to_owned), true)
    }

    #[test]
    fn a_registered_uri_and_a_loopback_address_with_any_port_are_allowed() {
        for given in [
            NATIVE[0],
            NATIVE[1],
            NATIVE[2],
            "http://127.0.0.1:49152/oauth/local",
            "http://[::1]:1/oauth/local",
        ] {
            assert!(allowed(given), "{given}");
        }
    }

    #[test]
    fn anything_that_differs_is_refused() {
        for given in [
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
            assert!(!allowed(given), "{given}");
        }
    }

    #[test]
    fn only_native_applications_have_a_free_port() {
        assert!(!is_registered(
            "http://127.0.0.1:5/oauth/local",
            &NATIVE.map(str::to_owned),
            false
        ));
    }

    #[test]
    fn the_form_may_lead_to_the_redirect_and_nowhere_else() {
        assert_eq!(
            form_target(NATIVE[0]).as_deref(),
            Some("com.invoicedesk.desktop:")
        );
        assert_eq!(
            form_target("http://127.0.0.1:7/oauth").as_deref(),
            Some("http://127.0.0.1:7")
        );
        assert_eq!(
            form_target("https://books.example/callback").as_deref(),
            Some("https://books.example")
        );
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_allowed_begins_with_something_registered(tail in "\\PC*") {
            for known in NATIVE {
                let given = format!("{known}{tail}");
                proptest::prop_assert_eq!(allowed(&given), tail.is_empty(), "{}", given);
            }
        }

        #[test]
        fn between_host_and_path_only_a_port_fits(middle in "\\PC*") {
            let given = format!("http://127.0.0.1{middle}/oauth/local");
            let port = middle.strip_prefix(':').and_then(|port| port.parse::<u16>().ok());
            let expected = middle.is_empty() || (port.is_some_and(|port| port != 0) && !middle.contains('+'));
            proptest::prop_assert_eq!(allowed(&given), expected, "{}", given);
        }
    }
}
