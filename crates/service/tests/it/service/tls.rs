//! TLS by itself: both addresses, HTTP/2 and HTTP/1.1, renewed certificates, and files that are no good.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::fixtures::process::{Process, command, log};
use crate::fixtures::{Service, config_in};
use invoicing_service::{Config, StartError, SystemClock, SystemRng, TlsError, TlsFiles, serve};
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use reqwest::{Certificate, Client, StatusCode, Version};
use tempfile::TempDir;

/// A self-signed certificate for this machine, written into `folder`.
fn certify(folder: &Path) -> (TlsFiles, Certificate) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["127.0.0.1".to_owned(), "localhost".to_owned()])
            .expect("a certificate is made");
    let files = TlsFiles {
        certificate: folder.join("certificate.pem"),
        key: folder.join("key.pem"),
    };
    // As a renewal does it: whole or not at all.
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

/// A client that trusts `certificate` and nothing else, with a connection of its own.
fn trusting(certificate: Certificate, http1: bool) -> Client {
    let client = Client::builder().no_proxy().tls_certs_only([certificate]);
    let client = if http1 { client.http1_only() } else { client };
    client.build().expect("a client")
}

async fn started(folder: TempDir, files: TlsFiles) -> Service {
    let config = Config {
        tls: Some(files),
        ..config_in(&folder)
    };
    Service::start_configured(folder, config).await
}

#[tokio::test]
async fn both_addresses_speak_http_2_and_http_1_1_over_tls() {
    let folder = tempfile::tempdir().unwrap();
    let (files, trusted) = certify(folder.path());
    let service = started(folder, files).await;
    let ready = &service.ready;
    for (address, path) in [
        (&ready.auth_url, "/.well-known/openid-configuration"),
        (&ready.base_url, "/health/live"),
    ] {
        assert!(address.starts_with("https://127.0.0.1:"), "{address}");
        for (http1, version) in [(false, Version::HTTP_2), (true, Version::HTTP_11)] {
            let client = trusting(trusted.clone(), http1);
            let answer = client.get(format!("{address}{path}")).send().await.unwrap();
            assert_eq!(
                (answer.status(), answer.version()),
                (StatusCode::OK, version),
                "{address}"
            );
        }
    }
    let client = trusting(trusted, false);
    let discovery = client
        .get(service.auth("/.well-known/openid-configuration"))
        .send()
        .await
        .unwrap();
    assert_eq!(
        discovery.headers()["strict-transport-security"],
        "max-age=63072000",
        "browsers are told to stay with TLS"
    );
    let told: serde_json::Value = serde_json::from_str(&discovery.text().await.unwrap()).unwrap();
    assert_eq!(told["issuer"], ready.auth_url.as_str());
}

#[tokio::test]
async fn without_tls_nothing_is_answered_on_an_address_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (files, _) = certify(folder.path());
    let service = started(folder, files).await;
    let plain = service.ready.auth_url.replace("https:", "http:");
    let answer = service
        .http
        .get(format!("{plain}/.well-known/openid-configuration"))
        .send()
        .await;
    assert!(answer.is_err(), "{answer:?}");
    let untrusting = service
        .http
        .get(service.auth("/oauth/v2/keys"))
        .send()
        .await;
    assert!(untrusting.is_err(), "a stranger's certificate is refused");
}

#[tokio::test]
async fn a_renewed_certificate_is_taken_up_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let (files, first) = certify(&path);
    let service = started(folder, files.clone()).await;
    let keys = service.auth("/oauth/v2/keys");
    let kept = trusting(first.clone(), false);
    assert_eq!(
        kept.get(&keys).send().await.unwrap().status(),
        StatusCode::OK
    );

    // Half a renewal: the key does not fit, so the former certificate stays.
    std::fs::write(&files.key, KeyPair::generate().unwrap().serialize_pem()).unwrap();
    let (_, second) = certify(&path);
    // A fresh client each time: a kept connection would never see the new certificate.
    while trusting(second.clone(), false)
        .get(&keys)
        .send()
        .await
        .is_err()
    {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(
        trusting(first, false).get(&keys).send().await.is_err(),
        "the former certificate is gone"
    );
    assert_eq!(
        kept.get(&keys).send().await.unwrap().status(),
        StatusCode::OK,
        "connections of before go on"
    );
}

#[tokio::test]
async fn a_handshake_that_never_ends_keeps_nobody_else_out() {
    let folder = tempfile::tempdir().unwrap();
    let (files, trusted) = certify(folder.path());
    let service = started(folder, files).await;
    let mut silent = Vec::new();
    for _ in 0..50 {
        silent.push(
            tokio::net::TcpStream::connect(service.running.identity)
                .await
                .unwrap(),
        );
    }
    let answer = trusting(trusted, false)
        .get(service.auth("/oauth/v2/keys"))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let Service { running, .. } = service;
    running.shutdown().await;
}

#[tokio::test]
async fn files_that_are_no_good_are_named_and_nothing_starts() {
    let folder = tempfile::tempdir().unwrap();
    let (good, _) = certify(folder.path());
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
        "nothing was made"
    );
}

#[tokio::test]
async fn the_program_takes_both_files_or_none_and_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let (files, trusted) = certify(folder.path());
    let certificate = files.certificate.to_str().unwrap();
    let key = files.key.to_str().unwrap();
    let half = command(folder.path(), &["--tls-cert", certificate]);
    assert_eq!({ half }.status().unwrap().code(), Some(2), "half of it");
    let wrong = command(
        folder.path(),
        &["--tls-cert", key, "--tls-key", certificate],
    );
    assert_eq!({ wrong }.status().unwrap().code(), Some(64), "exchanged");
    assert!(
        log(folder.path()).contains("holds no certificate"),
        "{}",
        log(folder.path())
    );
    let unnamed = command(
        folder.path(),
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
    let process = Process::start(
        folder.path(),
        &["--tls-cert", certificate, "--tls-key", key],
    )
    .await;
    let answer = trusting(trusted, false)
        .get(process.site.auth("/oauth/v2/keys"))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
}
