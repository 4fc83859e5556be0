//! The address that callers reach a listener by.

use std::net::SocketAddr;

use url::Url;

use crate::start_error::StartError;

/// The public base address. Without TLS, here or in a proxy in front, only a loopback address is allowed (decision 0003).
pub(crate) fn public_url(
    public: Option<&Url>,
    bound: SocketAddr,
    encrypted: bool,
) -> Result<String, StartError> {
    if let Some(public) = public {
        let is_https = public.scheme() == "https";
        let loopback = matches!(public.host_str(), Some("127.0.0.1" | "[::1]" | "localhost"));
        let plain = public.query().is_none()
            && public.fragment().is_none()
            && public.username().is_empty()
            && public.password().is_none();
        if !plain || !(is_https || (public.scheme() == "http" && loopback)) {
            return Err(StartError::InvalidPublicUrl {
                url: without_password(public),
            });
        }
        // The address says that callers are on this computer. Others would reach the listener in clear.
        if !is_https && !encrypted && !bound.ip().to_canonical().is_loopback() {
            return Err(StartError::NotEncrypted { address: bound });
        }
        return Ok(public.as_str().trim_end_matches('/').to_owned());
    }
    match (encrypted, bound.ip()) {
        (false, ip) if ip.is_loopback() => Ok(format!("http://{bound}")),
        (false, _) => Err(StartError::NotEncrypted { address: bound }),
        (true, ip) if ip.is_unspecified() => Err(StartError::PublicUrlMissing { address: bound }),
        (true, _) => Ok(format!("https://{bound}")),
    }
}

/// For a message, which may get into a log.
fn without_password(url: &Url) -> Url {
    let mut url = url.clone();
    if url.password().is_some() {
        // An address that can have none has none.
        let _ = url.set_password(Some("***"));
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Url {
        text.parse().expect("an address")
    }

    fn listener(text: &str) -> SocketAddr {
        text.parse().expect("an address")
    }

    fn found(public: &str, bound: &str, encrypted: bool) -> Result<String, StartError> {
        public_url(Some(&address(public)), listener(bound), encrypted)
    }

    #[test]
    fn http_address_is_refused_for_a_listener_that_other_machines_reach_in_clear() {
        for bound in ["0.0.0.0:8460", "[::]:8460", "192.0.2.1:8460"] {
            for public in ["http://localhost:8460", "http://127.0.0.1:8460"] {
                let refused = found(public, bound, false);
                assert!(
                    matches!(refused, Err(StartError::NotEncrypted { .. })),
                    "{public} at {bound}: {refused:?}"
                );
            }
            assert!(found("https://id.example.com", bound, false).is_ok());
        }
        let local = found("http://localhost:9000/", "127.0.0.1:8460", false);
        assert_eq!(local.expect("a loopback address"), "http://localhost:9000");
    }

    #[test]
    fn address_with_credentials_is_refused_and_its_password_not_shown() {
        for public in [
            "https://user:geheim@id.example.com",
            "https://:geheim@id.example.com",
            "http://id.example.com",
            "https://id.example.com/?a=b",
        ] {
            let refused = found(public, "127.0.0.1:8460", false).expect_err(public);
            assert!(matches!(refused, StartError::InvalidPublicUrl { .. }));
            let shown = format!("{refused} {refused:?}");
            assert!(!shown.contains("geheim"), "{shown}");
        }
    }
}
