//! TLS by itself: certificate and key from two PEM files, read again when they are renewed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use arc_swap::ArcSwap;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert, ServerConfig};
use rustls::sign::CertifiedKey;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;

/// How often the files are looked at. Renewed certificates overlap for days, so that this is soon enough.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Where certificate and key are kept, both PEM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, followed by those that lead to a root.
    pub certificate: PathBuf,
    /// Its private key: PKCS #8, PKCS #1 or SEC 1.
    pub key: PathBuf,
}

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum TlsError {
    #[error("{path} cannot be read: {reason}")]
    NotRead { path: PathBuf, reason: String },
    #[error("{path} holds no certificate in PEM form")]
    NoCertificate { path: PathBuf },
    #[error("{path} holds no private key in PEM form")]
    NoKey { path: PathBuf },
    #[error("the key in {key} is not the key of the certificate in {certificate}")]
    NotItsKey { certificate: PathBuf, key: PathBuf },
    #[error("the certificate in {certificate} or the key in {key} cannot be used: {reason}")]
    Unusable {
        certificate: PathBuf,
        key: PathBuf,
        reason: String,
    },
}

/// A certificate that connections are encrypted with, and that can be replaced while they come.
#[derive(Debug)]
pub struct Certificate {
    files: TlsFiles,
    current: ArcSwap<CertifiedKey>,
}

impl Certificate {
    /// Reads `files`.
    ///
    /// # Errors
    /// When one of them cannot be read or used, or they do not belong together.
    pub fn load(files: TlsFiles) -> Result<Arc<Self>, TlsError> {
        let current = ArcSwap::from_pointee(read(&files)?);
        Ok(Arc::new(Self { files, current }))
    }

    /// What turns a connection into an encrypted one: TLS 1.2 and 1.3, HTTP/2 before HTTP/1.1.
    pub fn acceptor(self: &Arc<Self>) -> TlsAcceptor {
        let mut config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .expect("the provider has TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_cert_resolver(self.clone());
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        TlsAcceptor::from(Arc::new(config))
    }

    /// Takes a renewed certificate as soon as both files fit, until `stop`. What is there meanwhile goes on being used.
    pub async fn follow(self: Arc<Self>, stop: CancellationToken) {
        let mut seen = stamps(&self.files);
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            let found = stamps(&self.files);
            if found == seen {
                continue;
            }
            seen = found;
            match read(&self.files) {
                Ok(renewed) => {
                    self.current.store(Arc::new(renewed));
                    tracing::info!("the renewed certificate is in use");
                }
                // One file may be there before the other: the next look sees both.
                Err(error) => {
                    tracing::warn!(%error, "the changed certificate is not used, the former one is");
                }
            }
        }
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _client_hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current.load_full())
    }
}

/// Named, so that it does not depend on what a program that embeds us has installed.
fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::aws_lc_rs::default_provider())
}

/// What changes when a file is written anew. None while it is not there.
type Stamp = Option<(SystemTime, u64)>;

fn stamps(files: &TlsFiles) -> [Stamp; 2] {
    [&files.certificate, &files.key].map(|path| {
        let found = fs::metadata(path).ok()?;
        Some((found.modified().ok()?, found.len()))
    })
}

fn read(files: &TlsFiles) -> Result<CertifiedKey, TlsError> {
    let TlsFiles { certificate, key } = files;
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&content(certificate)?)
        .collect::<Result<_, _>>()
        .map_err(|_| TlsError::NoCertificate {
            path: certificate.clone(),
        })?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate {
            path: certificate.clone(),
        });
    }
    let private = zeroize::Zeroizing::new(content(key)?);
    let private = PrivateKeyDer::from_pem_slice(&private)
        .map_err(|_| TlsError::NoKey { path: key.clone() })?;
    CertifiedKey::from_der(chain, private, &provider()).map_err(|error| {
        if let rustls::Error::InconsistentKeys(_) = error {
            return TlsError::NotItsKey {
                certificate: certificate.clone(),
                key: key.clone(),
            };
        }
        TlsError::Unusable {
            certificate: certificate.clone(),
            key: key.clone(),
            reason: error.to_string(),
        }
    })
}

fn content(path: &Path) -> Result<Vec<u8>, TlsError> {
    fs::read(path).map_err(|error| TlsError::NotRead {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}
