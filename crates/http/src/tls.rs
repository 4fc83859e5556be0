//! TLS from two PEM files, certificate and key, which are read again when they are renewed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use aws_lc_rs::digest::{SHA256, digest};
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert, ServerConfig};
use rustls::sign::CertifiedKey;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use zeroize::Zeroizing;

use crate::certificate_expiry::{ExpiryWatch, earliest_end};

/// How often the files are checked for a renewal.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Paths of the certificate chain and the private key, both PEM.
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
    #[error("{path} cannot be read: {source}")]
    ReadFailed {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{path} holds no certificate in PEM form")]
    NoCertificate {
        path: PathBuf,
        #[source]
        source: Option<pem::Error>,
    },
    #[error("{path} holds no private key in PEM form")]
    NoKey { path: PathBuf, source: pem::Error },
    #[error("the key in {key} is not the key of the certificate in {certificate}")]
    KeyMismatch { certificate: PathBuf, key: PathBuf },
    #[error("the certificate in {certificate} or the key in {key} cannot be used: {source}")]
    Unusable {
        certificate: PathBuf,
        key: PathBuf,
        source: rustls::Error,
    },
}

/// The certificate in use. It can be replaced while connections are accepted.
#[derive(Debug)]
pub struct Certificate {
    files: TlsFiles,
    /// Those of the files before they were read: a change after that is a renewal, also one before the watch begins.
    loaded: [FileVersion; 2],
    current: ArcSwap<CertifiedKey>,
}

impl Certificate {
    /// Reads `files`.
    ///
    /// # Errors
    /// When one of them cannot be read or used, or they do not belong together.
    pub fn load(files: TlsFiles) -> Result<Arc<Self>, TlsError> {
        let loaded = file_versions(&files);
        let current = ArcSwap::from_pointee(read(&files)?);
        Ok(Arc::new(Self {
            files,
            loaded,
            current,
        }))
    }

    /// An acceptor for TLS 1.2 and 1.3, which prefers HTTP/2 to HTTP/1.1.
    #[must_use]
    pub fn acceptor(self: &Arc<Self>) -> TlsAcceptor {
        let mut config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .expect("the provider has TLS 1.2 and 1.3")
            .with_no_client_auth()
            .with_cert_resolver(self.clone());
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        TlsAcceptor::from(Arc::new(config))
    }

    /// Loads a renewed certificate as soon as both files are consistent, until `stop`. Until then the former one stays in use, and
    /// `expiry` watches its end.
    pub async fn watch_renewal(self: Arc<Self>, mut expiry: ExpiryWatch, stop: CancellationToken) {
        let mut known = self.loaded;
        // The versions that were logged as unusable.
        let mut refused = None;
        let mut end = earliest_end(&self.current.load().cert);
        loop {
            expiry.observe(end);
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(CHECK_INTERVAL) => {}
            }
            let found = file_versions(&self.files);
            if found == known {
                continue;
            }
            match read(&self.files) {
                Ok(renewed) => {
                    (known, refused) = (found, None);
                    end = earliest_end(&renewed.cert);
                    self.current.store(Arc::new(renewed));
                    tracing::info!("the renewed certificate is in use");
                }
                // One file may be written before the other, and a read may fail for a moment without a change of a file: each check
                // tries again.
                Err(error) => {
                    if refused.replace(found) != Some(found) {
                        tracing::warn!(%error, "the changed certificate is not used, the former one is");
                    }
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

/// Passed explicitly, so that it does not depend on what an embedding program has installed.
fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::aws_lc_rs::default_provider())
}

/// The SHA-256 of a file; `None` while it cannot be read. Its time and size do not tell a renewal: both stay the same within the
/// resolution of the times of the file system, or with a copy that keeps times.
type FileVersion = Option<[u8; 32]>;

fn file_versions(files: &TlsFiles) -> [FileVersion; 2] {
    [&files.certificate, &files.key].map(|path| {
        let content = Zeroizing::new(fs::read(path).ok()?);
        <[u8; 32]>::try_from(digest(&SHA256, &content).as_ref()).ok()
    })
}

fn read(files: &TlsFiles) -> Result<CertifiedKey, TlsError> {
    let TlsFiles { certificate, key } = files;
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&content(certificate)?)
        .collect::<Result<_, _>>()
        .map_err(|error| TlsError::NoCertificate {
            path: certificate.clone(),
            source: Some(error),
        })?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate {
            path: certificate.clone(),
            source: None,
        });
    }
    let private = Zeroizing::new(content(key)?);
    let private = PrivateKeyDer::from_pem_slice(&private).map_err(|error| TlsError::NoKey {
        path: key.clone(),
        source: error,
    })?;
    CertifiedKey::from_der(chain, private, &provider()).map_err(|error| {
        if let rustls::Error::InconsistentKeys(_) = error {
            return TlsError::KeyMismatch {
                certificate: certificate.clone(),
                key: key.clone(),
            };
        }
        TlsError::Unusable {
            certificate: certificate.clone(),
            key: key.clone(),
            source: error,
        }
    })
}

fn content(path: &Path) -> Result<Vec<u8>, TlsError> {
    fs::read(path).map_err(|error| TlsError::ReadFailed {
        path: path.to_owned(),
        source: error,
    })
}
