//! Each step against a server of the test that fails at exactly this step.

use std::sync::Arc;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::diagnose;
use crate::clock::{Clock, FakeClock, SystemClock};
use crate::environments::{Environment, EnvironmentConfig};
use crate::http::Network;
use crate::rng::{Rng, SystemRng};
use crate::views::{
    ConnectProblem, DiagnosedServer, Diagnosis, DiagnosisFinding, EnvironmentKind, TlsProblem,
};

fn config(address: &str) -> EnvironmentConfig {
    EnvironmentConfig {
        name: "staging".to_owned(),
        kind: EnvironmentKind::Staging,
        auth_url: address.to_owned(),
        base_url: address.to_owned(),
        project_audience_id: "1".to_owned(),
        client_id: "desk".into(),
        namespace: "idp".to_owned(),
        proxy: String::new(),
        ca_file: String::new(),
    }
}

async fn run(config: EnvironmentConfig) -> Vec<DiagnosisFinding> {
    run_at(config, Arc::new(SystemClock::new())).await
}

/// The findings about the identity provider.
async fn run_at(config: EnvironmentConfig, clock: Arc<dyn Clock>) -> Vec<DiagnosisFinding> {
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let environment = Environment::new(config).expect("a valid configuration");
    let rng: Arc<dyn Rng> = Arc::new(SystemRng);
    let Diagnosis { steps, .. } = diagnose(&environment, &Network::default(), &clock, &rng).await;
    let of_identity = steps
        .into_iter()
        .filter(|step| step.server == DiagnosedServer::IdentityProvider);
    of_identity.map(|step| step.finding).collect()
}

/// A server that gives each connection the same answer. Returns its port.
async fn serve(answer: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let _ = stream.read(&mut [0; 4096]).await;
                let _ = stream.write_all(answer.as_bytes()).await;
            });
        }
    });
    port
}

/// A server with a certificate for these names. Returns its port.
async fn serve_tls(made: &CertifiedKey<rcgen::KeyPair>) -> u16 {
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(
        rustls::crypto::aws_lc_rs::default_provider(),
    ))
    .with_safe_default_protocol_versions()
    .expect("versions")
    .with_no_client_auth()
    .with_single_cert(vec![made.cert.der().clone()], key)
    .expect("a pair");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                if let Ok(mut stream) = acceptor.accept(stream).await {
                    let _ = stream.read(&mut [0; 4096]).await;
                    let answer = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
                    let _ = stream.write_all(answer.as_bytes()).await;
                }
            });
        }
    });
    port
}

fn certificate(name: &str) -> CertifiedKey<rcgen::KeyPair> {
    generate_simple_self_signed([name.to_owned()]).expect("made")
}

#[tokio::test]
async fn name_without_an_address_is_told_and_ends_the_steps() {
    let found = run(EnvironmentConfig {
        proxy: "direct".to_owned(),
        ..config("https://no-such-host.invalid")
    })
    .await;
    assert_eq!(found[0], DiagnosisFinding::NoProxy);
    assert!(
        matches!(found[1], DiagnosisFinding::NotResolved { .. }),
        "{found:?}"
    );
    assert_eq!(found.len(), 2);
}

#[tokio::test]
async fn port_without_a_listener_is_told_as_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    drop(listener);
    let found = run(config(&format!("http://127.0.0.1:{port}"))).await;
    let refused = found.last().expect("a step");
    assert!(
        matches!(
            refused,
            DiagnosisFinding::NotConnected {
                problem: ConnectProblem::Refused,
                ..
            }
        ),
        "{found:?}"
    );
}

#[tokio::test]
async fn certificate_of_an_unknown_authority_is_told_with_its_issuer() {
    let port = serve_tls(&certificate("localhost")).await;
    let found = run(config(&format!("https://localhost:{port}"))).await;
    let Some(DiagnosisFinding::NotTrusted {
        problem, issuers, ..
    }) = found.last()
    else {
        panic!("{found:?}")
    };
    // A self-signed certificate is not one of an authority, which the platforms tell apart.
    assert!(
        matches!(problem, TlsProblem::UnknownIssuer | TlsProblem::Other),
        "{found:?}"
    );
    assert_eq!(issuers.len(), 1, "{issuers:?}");
    assert!(issuers[0].contains("rcgen"), "{issuers:?}");
}

/// Wine 8 has no `dwExclusiveFlags` in `CERT_CHAIN_ENGINE_CONFIG`, and answers `E_INVALIDARG` to a verifier with an authority of
/// our own. Windows has it since version 8.
fn system_verifies_own_authorities() -> bool {
    !cfg!(windows) || std::env::var_os("WINEPREFIX").is_none()
}

#[tokio::test]
async fn certificate_of_the_environments_own_authority_is_trusted() {
    if !system_verifies_own_authorities() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let made = certificate("localhost");
    let ca_file = folder.path().join("company.pem");
    std::fs::write(&ca_file, made.cert.pem()).expect("written");
    let port = serve_tls(&made).await;
    let with_ca = EnvironmentConfig {
        ca_file: ca_file.display().to_string(),
        ..config(&format!("https://localhost:{port}"))
    };
    let found = run(with_ca.clone()).await;
    assert_eq!(found[0], DiagnosisFinding::CaFile { certificates: 1 });
    assert!(
        found
            .iter()
            .any(|finding| matches!(finding, DiagnosisFinding::Trusted { .. })),
        "{found:?}"
    );
    assert!(
        found.contains(&DiagnosisFinding::Answered { status: 404 }),
        "{found:?}"
    );
    std::fs::write(&ca_file, "no certificate").expect("written");
    let found = run(with_ca).await;
    assert!(
        matches!(found[0], DiagnosisFinding::CaFileUnusable { .. }),
        "{found:?}"
    );
}

#[tokio::test]
async fn certificate_for_another_host_is_told_as_a_wrong_name() {
    if !system_verifies_own_authorities() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let made = certificate("other.example.com");
    let ca_file = folder.path().join("company.pem");
    std::fs::write(&ca_file, made.cert.pem()).expect("written");
    let port = serve_tls(&made).await;
    let found = run(EnvironmentConfig {
        ca_file: ca_file.display().to_string(),
        ..config(&format!("https://localhost:{port}"))
    })
    .await;
    assert!(
        matches!(
            found.last(),
            Some(DiagnosisFinding::NotTrusted {
                problem: TlsProblem::WrongName,
                ..
            })
        ),
        "{found:?}"
    );
}

#[tokio::test]
async fn proxy_that_asks_for_a_password_is_told_with_its_status() {
    let port =
        serve("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n").await;
    let found = run(EnvironmentConfig {
        proxy: format!("http://127.0.0.1:{port}"),
        ..config("https://id.example.com")
    })
    .await;
    let proxy = DiagnosisFinding::Proxy {
        address: format!("127.0.0.1:{port}"),
        configured: true,
    };
    assert_eq!(found[0], proxy);
    assert_eq!(
        found.last(),
        Some(&DiagnosisFinding::ProxyRefused { status: 407 })
    );
}

#[tokio::test]
async fn page_of_a_captive_portal_is_no_discovery_document_and_a_wrong_clock_is_told() {
    let port = serve(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ndate: Sun, 22 Nov 2026 12:00:00 GMT\r\nconnection: close\r\ncontent-length: 4\r\n\r\nWifi",
    )
    .await;
    let clock = FakeClock::new("2026-11-22T13:00:00Z".parse().expect("a time"));
    let found = run_at(config(&format!("http://127.0.0.1:{port}")), Arc::new(clock)).await;
    assert!(found.contains(&DiagnosisFinding::Plain), "{found:?}");
    assert!(
        found.contains(&DiagnosisFinding::Answered { status: 200 }),
        "{found:?}"
    );
    assert!(
        found.contains(&DiagnosisFinding::ClockWrong { seconds: 3600 }),
        "{found:?}"
    );
    assert!(
        matches!(found.last(), Some(DiagnosisFinding::NotDiscovered { .. })),
        "{found:?}"
    );
}
