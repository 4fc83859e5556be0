//! Which `Host` a listener answers. A page in a browser can point a host name of its own at a loopback address (DNS rebinding)
//! and then read what the service answers, unless the service refuses that name.

use std::net::IpAddr;

use axum::extract::Request;
use axum::response::Response;
use http::uri::Authority;
use http::{StatusCode, Uri, header};
use invoicing_contract::{Code, FieldViolation, Status};

use crate::error_response::{Protocol, error_response};

const REFUSED: &str = "this service runs on this computer and answers at its own address only";

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
    pub(crate) fn refusal(self, request: &Request, protocol: Protocol) -> Option<Response> {
        if self == Self::Any {
            return None;
        }
        let Some(authority) = authority(request) else {
            // RFC 9112, section 3.2: a request without a valid Host is a bad request.
            let violation = FieldViolation::new("host", "must name one host");
            let status = Status::invalid("MALFORMED_HOST", REFUSED, vec![violation]);
            return Some(error_response(protocol, status, None));
        };
        if is_this_computer(authority.host()) {
            return None;
        }
        let status = Status::new(Code::InvalidArgument, "HOST_NOT_SERVED", REFUSED);
        let http = Some(StatusCode::MISDIRECTED_REQUEST);
        Some(error_response(protocol, status, http))
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

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use http_body_util::BodyExt as _;

    use super::*;

    fn policy(public: &str) -> HostPolicy {
        HostPolicy::of(public)
    }

    fn status(policy: HostPolicy, request: http::request::Builder) -> Option<StatusCode> {
        let request = request.body(Body::empty()).expect("a request");
        let refusal = policy.refusal(&request, Protocol::Rest);
        refusal.map(|response| response.status())
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

    #[tokio::test]
    async fn refusal_is_an_error_of_the_contract_in_the_protocol_of_its_request() {
        let local = policy("http://localhost:9000");
        let foreign = Request::builder().header(header::HOST, "attacker.example");
        let foreign = foreign.body(Body::empty()).expect("a request");
        let missing = Request::new(Body::empty());
        for (request, reason, violations) in [
            (&foreign, "HOST_NOT_SERVED", 0),
            (&missing, "MALFORMED_HOST", 1),
        ] {
            let rest = local.refusal(request, Protocol::Rest).expect("refused");
            let body = rest.into_body().collect().await.expect("a body").to_bytes();
            let status: Status = serde_json::from_slice(&body).expect("a Status");
            assert_eq!(status.reason(), Some(reason));
            assert_eq!(status.violations().count(), violations, "{reason}");
            let grpc = local.refusal(request, Protocol::Grpc).expect("refused");
            assert_eq!(grpc.headers()["grpc-status"], "3", "{reason}");
        }
    }

    #[test]
    fn listener_with_a_public_address_answers_every_host() {
        assert_eq!(policy("https://id.example.com"), HostPolicy::Any);
        assert_eq!(policy("https://203.0.113.5:8443"), HostPolicy::Any);
    }
}
