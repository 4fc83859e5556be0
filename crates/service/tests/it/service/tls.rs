//! Tests of TLS: both listeners, HTTP/2 and HTTP/1.1, renewed certificates, invalid files.

use std::path::Path;
use std::sync::Arc;

use crate::fixtures::process::{Process, command, log};
use crate::fixtures::{Service, ServiceFolder, config_in, wait_until};
use invoicing_service::{Config, StartError, SystemClock, SystemRng, TlsError, TlsFiles, serve};
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use reqwest::{Certificate, Client, StatusCode, Version};

/// Writes a self-signed certificate for 127.0.0.1 and localhost and its key into `folder`.
pub(crate) fn write_certificate(folder: &Path) -> (TlsFiles, Certificate) {
    write_certificate_until(folder, 4096)
}

/// As [`write_certificate`], for a certificate that ends when `year` begins.
pub(super) fn write_certificate_until(folder: &Path, year: i32) -> (TlsFiles, Certificate) {
    let names = ["127.0.0.1".to_owned(), "localhost".to_owned()];
    let mut parameters = CertificateParams::new(names).expect("names of servers");
    parameters.not_after = date_time_ymd(year, 1, 1);
    let signing_key = KeyPair::generate().expect("a key is made");
    let cert = parameters.self_signed(&signing_key);
    let cert = cert.expect("a certificate is made");
    let files = TlsFiles {
        certificate: folder.join("certificate.pem"),
        key: folder.join("key.pem"),
    };
    // Renamed into place, as certificate renewal does.
    for (file, pem) in [
        (&files.key, signing_key.serialize_pem()),
        (&files.certificate, cert.pem()),
    ] {
        let beside = file.with_extension("new");
        std::fs::write(&beside, pem).expect("a file is written");
        std::fs::rename(&beside, file).expect("a file is renamed");
    }
    let trusted = Certificate::from_pem(cert.pem().as_bytes()).expect("a certificate");
    (files, trusted)
}

/// A client with its own connection pool that trusts only `certificate`.
pub(super) fn client_trusting(certificate: Certificate, http1: bool) -> Client {
    let client = Client::builder().no_proxy().tls_certs_only([certificate]);
    let client = if http1 { client.http1_only() } else { client };
    client.build().expect("a client")
}

async fn started(folder: ServiceFolder, files: TlsFiles) -> Service {
    let config = Config {
        tls: Some(files),
        ..config_in(&folder)
    };
    Service::start_configured(folder, config).await
}

#[tokio::test]
async fn both_listeners_serve_http_2_and_http_1_1_over_tls() {
    let folder = ServiceFolder::new();
    let (files, trusted) = write_certificate(folder.path());
    let service = started(folder, files).await;
    let ready = &service.ready;
    for (address, path) in [
        (&ready.auth_url, "/.well-known/openid-configuration"),
        (&ready.base_url, "/health/live"),
    ] {
        assert!(address.starts_with("https://127.0.0.1:"), "{address}");
        for (http1, version) in [(false, Version::HTTP_2), (true, Version::HTTP_11)] {
            let client = client_trusting(trusted.clone(), http1);
            let response = client.get(format!("{address}{path}")).send().await.unwrap();
            assert_eq!(
                (response.status(), response.version()),
                (StatusCode::OK, version),
                "{address}"
            );
        }
    }
    let client = client_trusting(trusted, false);
    let discovery = client
        .get(service.auth("/.well-known/openid-configuration"))
        .send()
        .await
        .unwrap();
    assert_eq!(
        discovery.headers()["strict-transport-security"],
        "max-age=63072000",
        "HSTS is sent"
    );
    let document: serde_json::Value =
        serde_json::from_str(&discovery.text().await.unwrap()).unwrap();
    assert_eq!(document["issuer"], ready.auth_url.as_str());
}

#[tokio::test]
async fn plaintext_request_to_a_tls_listener_gets_no_response() {
    let folder = ServiceFolder::new();
    let (files, _) = write_certificate(folder.path());
    let service = started(folder, files).await;
    let plain = service.ready.auth_url.replace("https:", "http:");
    let response = service
        .http
        .get(format!("{plain}/.well-known/openid-configuration"))
        .send()
        .await;
    assert!(response.is_err(), "{response:?}");
    let untrusting = service
        .http
        .get(service.auth("/oauth/v2/keys"))
        .send()
        .await;
    assert!(untrusting.is_err(), "an untrusted certificate is rejected");
}

#[tokio::test]
async fn renewed_certificate_is_served_without_restart() {
    let folder = ServiceFolder::new();
    let path = folder.path().to_owned();
    let (files, first) = write_certificate(&path);
    let service = started(folder, files.clone()).await;
    let keys = service.auth("/oauth/v2/keys");
    let persistent = client_trusting(first.clone(), false);
    assert_eq!(
        persistent.get(&keys).send().await.unwrap().status(),
        StatusCode::OK
    );

    // An incomplete renewal: the key does not match, so the former certificate is kept.
    std::fs::write(&files.key, KeyPair::generate().unwrap().serialize_pem()).unwrap();
    let (_, second) = write_certificate(&path);
    // A new client for each attempt: an open connection keeps the former certificate.
    wait_until("the renewed certificate is used", async || {
        let client = client_trusting(second.clone(), false);
        client.get(&keys).send().await.is_ok()
    })
    .await;
    assert!(
        client_trusting(first, false)
            .get(&keys)
            .send()
            .await
            .is_err(),
        "the former certificate is gone"
    );
    assert_eq!(
        persistent.get(&keys).send().await.unwrap().status(),
        StatusCode::OK,
        "existing connections stay open"
    );
}

/// The start of the service can take a while, for example until its database answers.
#[tokio::test]
async fn certificate_that_is_renewed_before_the_watch_begins_is_served() {
    use invoicing_http::server::{self, ListenerOptions};
    use invoicing_http::tls::Certificate as Served;
    use invoicing_http::{ExpiryWatch, Metrics, WatchedCertificates};
    use tokio_util::sync::CancellationToken;

    let folder = tempfile::tempdir().expect("a folder");
    let (files, _) = write_certificate(folder.path());
    // Older than the renewal, whatever steps the times of files have.
    for file in [&files.certificate, &files.key] {
        let file = std::fs::File::options().write(true).open(file);
        let aged = file.and_then(|file| file.set_modified(std::time::SystemTime::UNIX_EPOCH));
        aged.expect("it is ours");
    }
    let certificate = Served::load(files).expect("a certificate");
    let (_, renewed) = write_certificate(folder.path());
    let stop = CancellationToken::new();
    let options = ListenerOptions {
        tls: Some(certificate.acceptor()),
        ..ListenerOptions::new(Arc::new(SystemClock))
    };
    let any = "127.0.0.1:0".parse().expect("an address");
    let (listener, address) = server::bind(any).await.expect("a port");
    let router = axum::Router::new();
    let running = tokio::spawn(server::run(listener, router, options, stop.clone()));
    let metrics = Arc::new(Metrics::default());
    let expiry = ExpiryWatch::new(WatchedCertificates::Server, Arc::new(SystemClock), metrics);
    let watching = tokio::spawn(certificate.watch_renewal(expiry, stop.clone()));
    wait_until("the renewed certificate is used", async || {
        let client = client_trusting(renewed.clone(), false);
        client
            .get(format!("https://{address}"))
            .send()
            .await
            .is_ok()
    })
    .await;
    stop.cancel();
    running.await.expect("it ends");
    watching.await.expect("it ends");
}

#[tokio::test]
async fn stalled_tls_handshake_does_not_block_others() {
    let folder = ServiceFolder::new();
    let (files, trusted) = write_certificate(folder.path());
    let service = started(folder, files).await;
    let mut silent = Vec::new();
    for _ in 0..50 {
        silent.push(
            tokio::net::TcpStream::connect(service.running.identity)
                .await
                .unwrap(),
        );
    }
    let response = client_trusting(trusted, false)
        .get(service.auth("/oauth/v2/keys"))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let Service { running, .. } = service;
    running.shutdown().await;
}

#[tokio::test]
async fn invalid_tls_files_are_named_and_prevent_start() {
    let folder = ServiceFolder::new();
    let (good, _) = write_certificate(folder.path());
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    };
    let other_key = file("other.pem", &KeyPair::generate().unwrap().serialize_pem());
    let empty = file("empty.pem", "");
    let garbage = file(
        "garbage.pem",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    );
    let missing = folder.path().join("missing.pem");
    let with = |certificate: &Path, key: &Path| TlsFiles {
        certificate: certificate.to_owned(),
        key: key.to_owned(),
    };
    let refused = async |files: TlsFiles| {
        let config = Config {
            tls: Some(files),
            ..config_in(&folder)
        };
        match serve(config, Arc::new(SystemClock), Arc::new(SystemRng)).await {
            Err(StartError::Tls(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    let found = refused(with(&missing, &good.key)).await;
    assert!(matches!(found, TlsError::ReadFailed { .. }), "{found}");
    let found = refused(with(&empty, &good.key)).await;
    assert!(matches!(found, TlsError::NoCertificate { .. }), "{found}");
    let found = refused(with(&good.certificate, &empty)).await;
    assert!(matches!(found, TlsError::NoKey { .. }), "{found}");
    let found = refused(with(&good.certificate, &other_key)).await;
    assert!(matches!(found, TlsError::KeyMismatch { .. }), "{found}");
    let found = refused(with(&garbage, &good.key)).await;
    assert!(matches!(found, TlsError::Unusable { .. }), "{found}");
    assert!(
        !folder.path().join("invoicing.db").exists(),
        "no file is created"
    );
}

#[tokio::test]
async fn tls_options_require_certificate_and_key_together() {
    let folder = ServiceFolder::new();
    let (files, trusted) = write_certificate(folder.path());
    let certificate = files.certificate.to_str().unwrap();
    let key = files.key.to_str().unwrap();
    let half = command(&folder, &["--tls-cert", certificate]);
    assert_eq!(
        { half }.status().unwrap().code(),
        Some(2),
        "a certificate without a key"
    );
    let wrong = command(&folder, &["--tls-cert", key, "--tls-key", certificate]);
    assert_eq!({ wrong }.status().unwrap().code(), Some(64), "exchanged");
    assert!(
        log(folder.path()).contains("holds no certificate"),
        "{}",
        log(folder.path())
    );
    let unnamed = command(
        &folder,
        &[
            "--tls-cert",
            certificate,
            "--tls-key",
            key,
            "--identity",
            "0.0.0.0:0",
        ],
    );
    assert_eq!({ unnamed }.status().unwrap().code(), Some(64), "no name");
    assert!(
        log(folder.path()).contains("name the https address"),
        "{}",
        log(folder.path())
    );
    let process = Process::start(&folder, &["--tls-cert", certificate, "--tls-key", key]).await;
    let response = client_trusting(trusted, false)
        .get(process.client.auth("/oauth/v2/keys"))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), StatusCode::OK);
}

#[tokio::test]
async fn metrics_on_an_address_that_others_reach_are_served_with_the_certificate() {
    let folder = ServiceFolder::new();
    let (files, trusted) = write_certificate(folder.path());
    let config = Config {
        tls: Some(files),
        metrics: Some("0.0.0.0:0".parse().unwrap()),
        ..config_in(&folder)
    };
    let service = Service::start_configured(folder, config).await;
    let port = service.running.metrics.expect("metrics").port();
    let client = client_trusting(trusted, false);
    let get = async |address: String| client.get(address).send().await;
    let encrypted = get(format!("https://127.0.0.1:{port}/healthz")).await;
    assert_eq!(encrypted.unwrap().status(), StatusCode::OK);
    let clear = get(format!("http://127.0.0.1:{port}/healthz")).await;
    assert!(clear.is_err(), "{clear:?}");
    service.running.shutdown().await;
}
