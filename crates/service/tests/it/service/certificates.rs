//! Tests of certificates over time: their end in metrics and log, and a renewal that fails at first.

use std::path::Path;
use std::time::{Duration, SystemTime};

use super::tls::{client_trusting, write_certificate, write_certificate_until};
use crate::fixtures::process::{Process, log};
use crate::fixtures::{Service, ServiceFolder, config_in, wait_until};
use invoicing_service::Config;

#[tokio::test]
async fn end_of_the_certificate_is_in_the_metrics_also_after_a_renewal() {
    let folder = ServiceFolder::new();
    let path = folder.path().to_owned();
    let (files, _) = write_certificate_until(&path, 2040);
    let config = Config {
        tls: Some(files),
        metrics: Some("127.0.0.1:0".parse().unwrap()),
        ..config_in(&folder)
    };
    let service = Service::start_configured(folder, config).await;
    let metrics = service.running.metrics.expect("metrics are configured");
    let shows = async |end: &str| {
        let metrics = service.http.get(format!("http://{metrics}/metrics")).send();
        let metrics = metrics.await.unwrap().text().await.unwrap();
        let series = "invoicing_certificate_expiry_timestamp_seconds{certificate=\"server\"}";
        metrics.contains(&format!("{series} {end}\n"))
    };
    wait_until("2040-01-01 is shown", async || shows("2208988800").await).await;
    write_certificate_until(&path, 2041);
    wait_until("2041-01-01 is shown", async || shows("2240611200").await).await;
    service.running.shutdown().await;
}

#[tokio::test]
async fn certificate_that_has_ended_is_warned_of_in_the_log() {
    let folder = ServiceFolder::new();
    let (files, _) = write_certificate_until(folder.path(), 2020);
    let certificate = files.certificate.to_str().unwrap();
    let key = files.key.to_str().unwrap();
    let process = Process::start(&folder, &["--tls-cert", certificate, "--tls-key", key]).await;
    let warning = "a certificate in the file of --tls-cert has ended";
    wait_until("it is warned of", async || {
        log(folder.path()).contains(warning)
    })
    .await;
    process.kill();
}

/// Puts `content` into `file` at once, with a time of modification that is the same whenever it is done.
fn replace(file: &Path, content: &[u8]) {
    let beside = file.with_extension("new");
    std::fs::write(&beside, content).expect("a file is written");
    let written = std::fs::File::options().write(true).open(&beside);
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    let aged = written.and_then(|file| file.set_modified(time));
    aged.expect("it is ours");
    std::fs::rename(&beside, file).expect("a file is renamed");
}

#[tokio::test]
async fn renewed_certificate_of_the_same_size_and_time_is_served() {
    // Text after the blocks of a PEM file is no part of what it holds.
    let replace_padded = |file: &Path, mut content: Vec<u8>| {
        content.resize(8 * 1024, b'\n');
        replace(file, &content);
    };
    let folder = ServiceFolder::new();
    let (files, _) = write_certificate(folder.path());
    for file in [&files.certificate, &files.key] {
        replace_padded(file, std::fs::read(file).unwrap());
    }
    let [certificate, key] = [&files.certificate, &files.key].map(|file| file.to_str().unwrap());
    let process = Process::start(&folder, &["--tls-cert", certificate, "--tls-key", key]).await;
    let elsewhere = tempfile::tempdir().expect("a folder");
    let (renewed, trusted) = write_certificate(elsewhere.path());
    replace_padded(
        &files.certificate,
        std::fs::read(&renewed.certificate).unwrap(),
    );
    replace_padded(&files.key, std::fs::read(&renewed.key).unwrap());
    let keys = process.client.auth("/oauth/v2/keys");
    wait_until("the renewed certificate is used", async || {
        let client = client_trusting(trusted.clone(), false);
        client.get(&keys).send().await.is_ok()
    })
    .await;
    process.kill();
}

/// What is mended may be the disk, and not the time or the size of a file.
#[tokio::test]
async fn renewed_certificate_that_cannot_be_read_at_first_is_served_when_it_can() {
    let folder = ServiceFolder::new();
    let (files, _) = write_certificate(folder.path());
    let [certificate, key] = [&files.certificate, &files.key].map(|file| file.to_str().unwrap());
    let process = Process::start(&folder, &["--tls-cert", certificate, "--tls-key", key]).await;
    let elsewhere = tempfile::tempdir().expect("a folder");
    let (renewed, trusted) = write_certificate(elsewhere.path());
    let renewed_key = std::fs::read(&renewed.key).unwrap();
    let renewed_certificate = std::fs::read(&renewed.certificate).unwrap();
    let refusals = || {
        log(folder.path())
            .matches("certificate is not used")
            .count()
    };

    replace(&files.key, &vec![b' '; renewed_key.len()]);
    wait_until("the key is refused", async || refusals() == 1).await;
    replace(&files.certificate, &renewed_certificate);
    wait_until("both are refused", async || refusals() == 2).await;
    replace(&files.key, &renewed_key);
    let keys = process.client.auth("/oauth/v2/keys");
    wait_until("the renewed certificate is used", async || {
        let client = client_trusting(trusted.clone(), false);
        client.get(&keys).send().await.is_ok()
    })
    .await;
    assert_eq!(refusals(), 2, "what is refused is logged once");
    process.kill();
}
