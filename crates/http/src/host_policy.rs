//! Which `Host` a listener answers. A page in a browser can point a host name of its own at a loopback address (DNS rebinding)
//! and then read what the service answers, unless the service refuses that name.

use std::net::IpAddr;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use http::uri::Authority;
use http::{StatusCode, Uri, header};

/// The hosts that a listener answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostPolicy {
    /// Every host: a certificate, or the proxy in front, binds the name.
    Any,
    /// The names of this computer, with any port: a page can choose the name that resolves to an address, and the browser
    /// sends that name.
    Loopback,
}

impl HostPolicy {
    /// The policy of a listener whose callers use the address `public`.
    #[must_use]
    pub fn of(public: &str) -> Self {
        let public = public.parse::<Uri>().ok();
        let host = public.as_ref().and_then(Uri::host);
        if host.is_some_and(is_this_computer) {
            Self::Loopback
        } else {
            Self::Any
        }
    }

    /// The response to a request for another host. `None` if the listener answers this one.
    pub(crate) fn refusal(self, request: &Request) -> Option<Response> {
        if self == Self::Any {
            return None;
        }
        let Some(authority) = authority(request) else {
            // RFC 9112, section 3.2: a request without a valid Host is a bad request.
            return Some(refused(StatusCode::BAD_REQUEST));
        };
        if is_this_computer(authority.host()) {
            return None;
        }
        Some(refused(StatusCode::MISDIRECTED_REQUEST))
    }
}

/// The host that a request names: `:authority` of HTTP/2, or `Host`.
fn authority(request: &Request) -> Option<Authority> {
    if let Some(authority) = request.uri().authority() {
        return Some(authority.clone());
    }
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = hosts.next()?;
    if hosts.next().is_some() {
        return None;
    }
    Authority::try_from(host.as_bytes()).ok()
}

/// `localhost`, or any address of the loopback network: a page has no name of its own that a browser sends as one of these.
fn is_this_computer(host: &str) -> bool {
    let bracketed = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let address = bracketed.unwrap_or(host).parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost")
        || address.is_ok_and(|address| address.to_canonical().is_loopback())
}

fn refused(status: StatusCode) -> Response {
    let mut response = Response::new(Body::from(
        "This service runs on this computer and answers at its own address only.\n",
    ));
    *response.status_mut() = status;
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        http::HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(public: &str) -> HostPolicy {
        HostPolicy::of(public)
    }

    fn status(policy: HostPolicy, request: http::request::Builder) -> Option<StatusCode> {
        let request = request.body(Body::empty()).expect("a request");
        policy.refusal(&request).map(|response| response.status())
    }

    #[test]
    fn listener_with_a_loopback_address_answers_names_of_this_computer_only() {
        let local = policy("http://127.0.0.1:9000");
        for host in [
            "127.0.0.1:9000",
            "127.0.0.1",
            "localhost:1",
            "LOCALHOST:9000",
            "[::1]:9000",
        ] {
            let request = Request::builder().uri("/").header(header::HOST, host);
            assert_eq!(status(local, request), None, "{host}");
        }
        for host in [
            "attacker.example:9000",
            "attacker.example",
            "localhost.attacker.example:9000",
            "127.0.0.1.attacker.example:9000",
        ] {
            let request = Request::builder().uri("/").header(header::HOST, host);
            let refused = Some(StatusCode::MISDIRECTED_REQUEST);
            assert_eq!(status(local, request), refused, "{host}");
        }
        let http2 = Request::builder().uri("http://attacker.example:9000/");
        assert_eq!(
            status(local, http2),
            Some(StatusCode::MISDIRECTED_REQUEST),
            "HTTP/2 has the host in the URI"
        );
    }

    #[test]
    fn listener_at_another_loopback_address_answers_names_of_this_computer_only() {
        let local = policy("http://127.0.0.2:9000");
        let own = Request::builder().uri("http://127.0.0.2:9000/");
        assert_eq!(status(local, own), None);
        for host in ["attacker.example:9000", "192.0.2.1", "127.0.0.2.example"] {
            let request = Request::builder().uri("/").header(header::HOST, host);
            let refused = Some(StatusCode::MISDIRECTED_REQUEST);
            assert_eq!(status(local, request), refused, "{host}");
        }
    }

    #[test]
    fn missing_repeated_or_malformed_host_is_a_bad_request() {
        let local = policy("http://localhost:9000");
        let missing = Request::builder().uri("/");
        let twice = Request::builder()
            .uri("/")
            .header(header::HOST, "localhost:9000")
            .header(header::HOST, "localhost:9000");
        let malformed = Request::builder().uri("/").header(header::HOST, "a b");
        for request in [missing, twice, malformed] {
            assert_eq!(status(local, request), Some(StatusCode::BAD_REQUEST));
        }
    }

    #[test]
    fn listener_with_a_public_address_answers_every_host() {
        assert_eq!(policy("https://id.example.com"), HostPolicy::Any);
        assert_eq!(policy("https://203.0.113.5:8443"), HostPolicy::Any);
    }
}
