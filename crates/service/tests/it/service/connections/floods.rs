//! Tests of 5,000 connections that never complete a request: a fresh request is answered within a second.

use std::time::Duration;

use futures_util::StreamExt as _;
use invoicing_http::server::raise_descriptor_limit;
use invoicing_service::TlsFiles;
use tokio::io::AsyncWriteExt as _;

use super::{Connection, Connector, Listener, PREFACE, metric, started, wait_for_metric};

const FLOOD: usize = 5_000;
/// Connections that are being opened at the same time.
const CONCURRENT: usize = 64;

/// What the connections of a flood send.
#[derive(Clone, Copy)]
struct Flood {
    name: &'static str,
    sends: &'static [u8],
    /// Whether a request is answered, after which the connection is idle.
    served: bool,
    /// Whether the bytes are sent instead of a TLS handshake, where there is one.
    without_handshake: bool,
}

const fn flood(name: &'static str, sends: &'static [u8]) -> Flood {
    Flood {
        name,
        sends,
        served: false,
        without_handshake: false,
    }
}

const SILENT: Flood = Flood {
    without_handshake: true,
    ..flood("silent", b"")
};
/// The first bytes of a ClientHello of 512 bytes (RFC 8446, section 5.1).
const HALF_HANDSHAKE: Flood = Flood {
    without_handshake: true,
    ..flood("half of a TLS handshake", b"\x16\x03\x01\x02\x00\x01\x00")
};
const HANDSHAKE_ONLY: Flood = flood("handshake only", b"");
const HALF_HEAD: Flood = flood(
    "half of a head",
    b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
);
const PREFACE_ONLY: Flood = flood("preface only", PREFACE);
/// The head of a HEADERS frame, after the preface.
const HALF_HEADERS_FRAME: Flood = flood(
    "half of a HEADERS frame",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\0\0\x14\x01\x04\0\0\0\x01\x82",
);
const KEEP_ALIVE: Flood = Flood {
    served: true,
    ..flood("idle keep-alive", b"")
};

/// Opens one connection of the flood. `None` if the service closed it meanwhile.
async fn open(connector: &Connector, flood: Flood) -> Option<Connection> {
    let mut connection: Connection = if flood.without_handshake {
        Box::pin(connector.tcp().await)
    } else {
        connector.connect().await.ok()?
    };
    connection.write_all(flood.sends).await.ok()?;
    if flood.served {
        connector.request(&mut connection).await;
    }
    Some(connection)
}

/// Opens [`FLOOD`] connections, of each kind in `floods` the same number, in turn.
async fn open_all(connector: &Connector, floods: &[Flood]) -> Vec<Connection> {
    let kinds = floods.iter().copied().cycle().take(FLOOD);
    futures_util::stream::iter(kinds)
        .map(|flood| open(connector, flood))
        .buffer_unordered(CONCURRENT)
        .filter_map(std::future::ready)
        .collect()
        .await
}

/// Each request on a new connection is answered within a second.
async fn assert_served(connector: &Connector, flood: &str) {
    for _ in 0..5 {
        let fresh = tokio::time::timeout(Duration::from_secs(1), connector.fresh_request());
        let status = fresh
            .await
            .unwrap_or_else(|_| panic!("{flood}: not within a second"));
        assert_eq!(status, 200, "{flood}");
    }
}

fn assert_descriptors_suffice() {
    let limit = raise_descriptor_limit();
    assert!(
        limit.is_none_or(|limit| limit > 10_000),
        "client and service need 10,000 open files: {limit:?}"
    );
}

fn open_connections(listener: Listener) -> String {
    format!("invoicing_connections{{server=\"{}\"}}", listener.name())
}

async fn assert_floods_are_survived(listener: Listener, floods: &[Flood]) {
    assert_descriptors_suffice();
    let service = started(|_| {}).await;
    let connector = Connector::plain(&service, listener);
    // Metrics are read over a connection, too.
    let others = u64::from(listener == Listener::Metrics);
    for flood in floods {
        let connections = open_all(&connector, &[*flood]).await;
        assert_served(&connector, flood.name).await;
        drop(connections);
        let series = open_connections(listener);
        wait_for_metric(&service, &series, |open| open <= others).await;
    }
    let name = listener.name();
    let evicted = format!("invoicing_connections_evicted_total{{server=\"{name}\"}}");
    assert!(
        metric(&service, &evicted).await > 0,
        "the total was reached"
    );
    service.running.shutdown().await;
}

const WITHOUT_TLS: [Flood; 5] = [
    SILENT,
    HALF_HEAD,
    PREFACE_ONLY,
    HALF_HEADERS_FRAME,
    KEEP_ALIVE,
];

#[tokio::test(flavor = "multi_thread")]
async fn gateway_answers_a_fresh_request_beside_5_000_idle_connections() {
    assert_floods_are_survived(Listener::Gateway, &WITHOUT_TLS).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn identity_provider_answers_a_fresh_request_beside_5_000_idle_connections() {
    assert_floods_are_survived(Listener::Identity, &WITHOUT_TLS).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_listener_answers_a_fresh_request_beside_5_000_idle_connections() {
    assert_floods_are_survived(Listener::Metrics, &WITHOUT_TLS).await;
}

async fn assert_floods_are_survived_with_tls(listener: Listener) {
    assert_descriptors_suffice();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (files, certificate) = certificate(folder.path());
    let service = started(|config| {
        config.tls = Some(files);
        config.connections.idle = config.connections.first_head;
    })
    .await;
    let http_1 = Connector::trusting(&service, listener, &certificate, "http/1.1");
    let http_2 = Connector::trusting(&service, listener, &certificate, "h2");
    let floods = [
        SILENT,
        HALF_HANDSHAKE,
        HANDSHAKE_ONLY,
        HALF_HEAD,
        KEEP_ALIVE,
    ];
    let mut connections = open_all(&http_1, &floods).await;
    assert_served(&http_1, "HTTP/1.1").await;
    for _ in 0..100 {
        for flood in [PREFACE_ONLY, HALF_HEADERS_FRAME] {
            connections.extend(open(&http_2, flood).await);
        }
    }
    assert_served(&http_1, "HTTP/2").await;
    // The other side keeps all of them open: the time limits close them.
    wait_for_metric(&service, &open_connections(listener), |open| open == 0).await;
    drop(connections);
    service.running.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_with_tls_answers_a_fresh_request_beside_5_000_idle_connections() {
    assert_floods_are_survived_with_tls(Listener::Gateway).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn identity_provider_with_tls_answers_a_fresh_request_beside_5_000_idle_connections() {
    assert_floods_are_survived_with_tls(Listener::Identity).await;
}

/// A certificate for 127.0.0.1 and its key, in `folder`.
fn certificate(folder: &std::path::Path) -> (TlsFiles, rustls::pki_types::CertificateDer<'static>) {
    let rcgen::CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
    let files = TlsFiles {
        certificate: folder.join("certificate.pem"),
        key: folder.join("key.pem"),
    };
    std::fs::write(&files.certificate, cert.pem()).expect("a file is written");
    std::fs::write(&files.key, signing_key.serialize_pem()).expect("a file is written");
    (files, cert.der().clone())
}
