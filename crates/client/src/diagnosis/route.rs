//! The way to a server: directly or through a proxy; name resolution and TCP.

use std::io;
use std::net::SocketAddr;

use hyper_util::client::proxy::matcher::Matcher;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use url::Url;

use super::{Step, host_of, in_time, timed_out, with_sources};
use crate::environments::{Environment, Proxy};
use crate::views::{ConnectProblem, DiagnosisFinding};

/// The most that is read of a proxy's answer.
const MAX_PROXY_ANSWER: usize = 8 << 10;

/// Where the first connection goes, and where in the end.
pub(super) struct Route {
    /// Host of the server, for its certificate.
    pub(super) server: String,
    /// Host and port of the server.
    target: String,
    /// Host and port of the first connection.
    first: (String, u16),
    through_proxy: bool,
    /// Whether the server needs a tunnel through the proxy. Requests with plain HTTP name their server themselves.
    is_tls: bool,
}

impl Route {
    pub(super) fn find(environment: &Environment, address: &Url) -> Step<Self> {
        let proxy = match environment.network().proxy() {
            Proxy::Address(address) => Some((address.clone(), true)),
            Proxy::Direct => None,
            Proxy::System if environment.is_on_this_computer() => None,
            Proxy::System => system_proxy(address).map(|proxy| (proxy, false)),
        };
        let finding = match &proxy {
            Some((proxy, configured)) => DiagnosisFinding::Proxy {
                address: host_of(proxy),
                configured: *configured,
            },
            None => DiagnosisFinding::NoProxy,
        };
        let first = proxy.as_ref().map_or(address, |(proxy, _)| proxy);
        let host = |url: &Url| url.host_str().unwrap_or_default().to_owned();
        let route = Self {
            server: host(address),
            target: host_of(address),
            first: (host(first), first.port_or_known_default().unwrap_or(443)),
            through_proxy: proxy.is_some(),
            is_tls: address.scheme() == "https",
        };
        (Some(route), finding)
    }

    pub(super) async fn resolve(&self) -> Step<Vec<SocketAddr>> {
        let (host, port) = &self.first;
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let reason = match in_time(tokio::net::lookup_host((host, *port))).await {
            Some(Ok(found)) => {
                let found: Vec<_> = found.collect();
                let addresses: Vec<_> = found.iter().map(|found| found.ip().to_string()).collect();
                if !found.is_empty() {
                    return (Some(found), DiagnosisFinding::Resolved { addresses });
                }
                "the name has no address".to_owned()
            }
            Some(Err(error)) => error.to_string(),
            None => timed_out(),
        };
        let finding = if self.through_proxy {
            DiagnosisFinding::ProxyNotResolved { reason }
        } else {
            DiagnosisFinding::NotResolved { reason }
        };
        (None, finding)
    }

    /// Connects to the server, or to the proxy and asks it to connect to a server with TLS.
    pub(super) async fn connect(&self, addresses: &[SocketAddr]) -> Step<TcpStream> {
        let mut stream = match in_time(TcpStream::connect(addresses)).await {
            Some(Ok(stream)) => stream,
            Some(Err(error)) => {
                return (
                    None,
                    self.not_connected(connect_problem(&error), error.to_string()),
                );
            }
            None => {
                return (
                    None,
                    self.not_connected(ConnectProblem::Silent, timed_out()),
                );
            }
        };
        let address = stream.peer_addr();
        let address = address.map_or_else(|_| String::new(), |address| address.to_string());
        if self.through_proxy && self.is_tls {
            match in_time(open_tunnel(&mut stream, &self.target)).await {
                Some(Ok(200..300)) => {}
                Some(Ok(status)) => return (None, DiagnosisFinding::ProxyRefused { status }),
                Some(Err(error)) => {
                    let reason = with_sources(&error);
                    return (None, DiagnosisFinding::NotAnswered { reason });
                }
                None => {
                    return (
                        None,
                        DiagnosisFinding::NotAnswered {
                            reason: timed_out(),
                        },
                    );
                }
            }
        }
        (Some(stream), DiagnosisFinding::Connected { address })
    }

    fn not_connected(&self, problem: ConnectProblem, reason: String) -> DiagnosisFinding {
        if self.through_proxy {
            DiagnosisFinding::ProxyNotConnected { problem, reason }
        } else {
            DiagnosisFinding::NotConnected { problem, reason }
        }
    }
}

/// The proxy that the client of all requests takes from the system or the environment variables.
fn system_proxy(address: &Url) -> Option<Url> {
    let found = Matcher::from_system().intercept(&address.as_str().parse().ok()?)?;
    Url::parse(&found.uri().to_string()).ok()
}

/// `CONNECT` (RFC 9110, section 9.3.6). Returns the status of the proxy.
async fn open_tunnel(stream: &mut TcpStream, target: &str) -> io::Result<u16> {
    let request = format!("CONNECT {target} HTTP/1.1\r\nhost: {target}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        // One byte at a time: what follows the head belongs to TLS.
        answer.push(stream.read_u8().await?);
        if answer.len() > MAX_PROXY_ANSWER {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
    let head = String::from_utf8_lossy(&answer);
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    status.ok_or_else(|| io::ErrorKind::InvalidData.into())
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the words for the others are those of the system"
)]
fn connect_problem(error: &io::Error) -> ConnectProblem {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => ConnectProblem::Refused,
        io::ErrorKind::TimedOut => ConnectProblem::Silent,
        io::ErrorKind::NetworkUnreachable | io::ErrorKind::HostUnreachable => {
            ConnectProblem::Unreachable
        }
        _ => ConnectProblem::Other,
    }
}
