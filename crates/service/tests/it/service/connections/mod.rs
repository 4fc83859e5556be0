//! Tests of the limits of connections: floods, eviction, limits per address, deadlines (decision 0085).

mod deadlines;
mod floods;
mod limits;

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use invoicing_service::Config;
use rustls::ClientConfig;
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;

use crate::fixtures::{Service, wait_until};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// An empty SETTINGS frame (RFC 9113, section 6.5), which ends the preface of a client.
const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];

trait Stream: AsyncRead + AsyncWrite + Send {}
impl<Inner: AsyncRead + AsyncWrite + Send> Stream for Inner {}

/// A connection with or without TLS.
type Connection = Pin<Box<dyn Stream>>;

/// A listener of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listener {
    Identity,
    Gateway,
    Metrics,
}

impl Listener {
    /// Its label in the metrics.
    const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Gateway => "gateway",
            Self::Metrics => "metrics",
        }
    }

    /// A request without credentials that it answers with 200.
    const fn request(self) -> &'static [u8] {
        match self {
            Self::Identity => b"GET /oauth/v2/keys HTTP/1.1\r\nHost: localhost\r\n\r\n",
            Self::Gateway => b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n",
            Self::Metrics => b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        }
    }

    fn address(self, service: &Service) -> SocketAddr {
        match self {
            Self::Identity => service.running.identity,
            Self::Gateway => service.running.gateway,
            Self::Metrics => service.running.metrics.expect("metrics are configured"),
        }
    }
}

/// Connects to a listener.
#[derive(Clone)]
struct Connector {
    listener: Listener,
    address: SocketAddr,
    tls: Option<TlsConnector>,
}

impl Connector {
    fn plain(service: &Service, listener: Listener) -> Self {
        Self {
            listener,
            address: listener.address(service),
            tls: None,
        }
    }

    /// Connects with TLS and trusts `certificate`. `protocol` is offered by ALPN.
    fn trusting(
        service: &Service,
        listener: Listener,
        certificate: &CertificateDer<'static>,
        protocol: &str,
    ) -> Self {
        let mut roots = rustls::RootCertStore::empty();
        roots.add(certificate.clone()).expect("a certificate");
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider has TLS 1.2 and 1.3")
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        Self {
            listener,
            address: listener.address(service),
            tls: Some(TlsConnector::from(Arc::new(config))),
        }
    }

    async fn tcp(&self) -> TcpStream {
        TcpStream::connect(self.address)
            .await
            .expect("the service listens")
    }

    /// Connects, with the TLS handshake. An error if the service closes the connection meanwhile.
    async fn connect(&self) -> std::io::Result<Connection> {
        let stream = self.tcp().await;
        let Some(tls) = &self.tls else {
            return Ok(Box::pin(stream));
        };
        let name = ServerName::from(self.address.ip());
        Ok(Box::pin(tls.connect(name, stream).await?))
    }

    /// Connects from `source`, an address of the loopback network, without TLS.
    async fn connect_from(&self, source: &str) -> std::io::Result<Connection> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::new(source.parse().expect("an address"), 0))?;
        Ok(Box::pin(socket.connect(self.address).await?))
    }

    /// Sends a request on `connection` and returns the status, which is 0 if the connection is closed.
    async fn request(&self, connection: &mut Connection) -> u16 {
        match connection.write_all(self.listener.request()).await {
            Ok(()) => read_status(connection).await,
            Err(_) => 0,
        }
    }

    /// Sends a request on a new connection and returns the status.
    async fn fresh_request(&self) -> u16 {
        let mut connection = self.connect().await.expect("a connection is accepted");
        self.request(&mut connection).await
    }
}

/// Reads one response with its body, whose length is in its head, and returns the status: 0 if the connection is closed.
async fn read_status(connection: &mut Connection) -> u16 {
    let mut response = Vec::new();
    let mut part = [0; 4096];
    loop {
        match connection.read(&mut part).await {
            Ok(0) | Err(_) => return 0,
            Ok(read) => response.extend_from_slice(&part[..read]),
        }
        let text = String::from_utf8_lossy(&response);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.map_or(0, |length| length.parse().expect("a length")) {
            let status = head.split(' ').nth(1).expect("a status");
            return status.parse().expect("a status");
        }
    }
}

/// Reads until the service closes the connection, and returns what it sent.
async fn read_to_end(connection: &mut Connection) -> Vec<u8> {
    let mut response = Vec::new();
    // A reset is as good as an end.
    let _ = connection.read_to_end(&mut response).await;
    response
}

/// A service with metrics whose limits are changed by `change`.
async fn started(change: impl FnOnce(&mut Config)) -> Service {
    Service::start_with(|mut config| {
        config.metrics = Some("127.0.0.1:0".parse().expect("an address"));
        change(&mut config);
        config
    })
    .await
}

/// The sum of all series of a metric whose line starts with `series`.
async fn metric(service: &Service, series: &str) -> u64 {
    let address = service.running.metrics.expect("metrics are configured");
    let text = service.http.get(format!("http://{address}/metrics")).send();
    let text = text.await.expect("a response").text().await.expect("text");
    let values = text.lines().filter(|line| line.starts_with(series));
    let values = values.filter_map(|line| line.rsplit_once(' ')?.1.parse::<u64>().ok());
    values.sum()
}

/// Waits until `series` has an `expected` value.
async fn wait_for_metric(
    service: &Service,
    series: &str,
    expected: impl Fn(u64) -> bool + Send + Sync,
) {
    wait_until(series, async || expected(metric(service, series).await)).await;
}
