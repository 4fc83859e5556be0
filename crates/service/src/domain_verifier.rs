//! Reads the file by which the owner of a domain verifies it, from the server of the domain (decision 0115).

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use invoicing_http::is_public_address;
use invoicing_identity::administration::{DomainUnreachable, DomainVerifier, verification_path};
use reqwest::StatusCode;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::OnceCell;

/// The time in which a server must answer.
const TIMEOUT: Duration = Duration::from_secs(8);
/// Most bytes of a file.
const MAX_FILE_BYTES: usize = 4 * 1024;

/// [`DomainVerifier`] over HTTPS with the certificates of the system. It follows no redirect, uses no proxy and connects to
/// public addresses only: the caller chooses the server.
#[derive(Debug, Default)]
pub(crate) struct HttpsDomainVerifier {
    /// Made when it is first used: it reads the certificates of the system, and most services verify no domain.
    http: OnceCell<reqwest::Client>,
}

impl HttpsDomainVerifier {
    async fn http(&self) -> Result<&reqwest::Client, reqwest::Error> {
        let client = async || {
            reqwest::Client::builder()
                .https_only(true)
                .no_proxy()
                .timeout(TIMEOUT)
                .redirect(reqwest::redirect::Policy::none())
                .dns_resolver(Arc::new(PublicAddresses))
                .build()
        };
        self.http.get_or_try_init(client).await
    }
}

#[async_trait]
impl DomainVerifier for HttpsDomainVerifier {
    async fn publishes(&self, domain: &str, text: &str) -> Result<bool, DomainUnreachable> {
        let failed = |error: reqwest::Error| DomainUnreachable(error.into());
        let url = format!("https://{domain}{}", verification_path());
        let http = self.http().await.map_err(|error| {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "the HTTP client for the verification of domains cannot be set up"
            );
            failed(error)
        })?;
        let mut response = http.get(url).send().await.map_err(failed)?;
        if response.status().is_server_error() {
            return Err(failed_status(response.status()));
        }
        if response.status() != StatusCode::OK {
            return Ok(false);
        }
        let mut file = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            file.extend_from_slice(&chunk);
            if file.len() > MAX_FILE_BYTES {
                return Ok(false);
            }
        }
        Ok(has_line(&file, text))
    }
}

fn failed_status(status: StatusCode) -> DomainUnreachable {
    DomainUnreachable(io::Error::other(format!("status {status}")).into())
}

fn has_line(file: &[u8], text: &str) -> bool {
    file.split(|byte| *byte == b'\n')
        .any(|line| line.trim_ascii() == text.as_bytes())
}

/// Resolves names to public addresses only, so that nobody reads servers of a private network through the service.
#[derive(Debug)]
struct PublicAddresses;

impl Resolve for PublicAddresses {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found
                .filter(|address| is_public_address(address.ip()))
                .collect();
            if public.is_empty() {
                let problem = "the domain has no public address";
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, problem).into());
            }
            let addresses: Addrs = Box::new(public.into_iter());
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_has_the_whole_text_as_a_line() {
        for (file, found) in [
            ("text", true),
            ("other\r\n text \r\n", true),
            ("text2", false),
            ("a text", false),
            ("", false),
        ] {
            assert_eq!(has_line(file.as_bytes(), "text"), found, "{file:?}");
        }
    }

    #[tokio::test]
    async fn server_of_this_machine_is_not_reached() {
        let verifier = HttpsDomainVerifier::default();
        let unreachable = verifier.publishes("localhost", "text").await;
        let problem = format!("{:?}", unreachable.expect_err("no address"));
        assert!(problem.contains("no public address"), "{problem}");
    }
}
