//! How the servers of an environment are reached: the proxy, and certificate authorities of a company (decision 0067).

use std::io;
use std::path::{Path, PathBuf};

use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;
use thiserror::Error;
use url::Url;

use crate::views::InvalidFieldReason;

/// The text of a configuration that asks for no proxy.
const DIRECT: &str = "direct";

/// Network settings of an environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NetworkSettings {
    proxy: Proxy,
    ca_file: Option<PathBuf>,
}

/// Which proxy requests go through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Proxy {
    /// That of the system or of the environment variables, if there is one.
    System,
    /// None.
    Direct,
    /// This one.
    Address(Url),
}

/// Why the file of certificate authorities cannot be used.
#[derive(Debug, Error)]
pub(crate) enum CaFileError {
    /// The system refused.
    #[error("the file cannot be read: {}", .0.kind())]
    NotReadable(#[source] io::Error),
    /// It is no PEM file, or has none.
    #[error("the file holds no certificate")]
    NoCertificate(#[source] Option<rustls_pki_types::pem::Error>),
}

impl CaFileError {
    pub(crate) fn reason(&self) -> InvalidFieldReason {
        match self {
            Self::NotReadable(_) => InvalidFieldReason::NotReadable,
            Self::NoCertificate(_) => InvalidFieldReason::NoCertificate,
        }
    }
}

impl NetworkSettings {
    /// `ca_file` is a path, or empty.
    pub(super) fn new(proxy: Proxy, ca_file: &str) -> Self {
        Self {
            proxy,
            ca_file: (!ca_file.is_empty()).then(|| PathBuf::from(ca_file)),
        }
    }

    pub(crate) const fn proxy(&self) -> &Proxy {
        &self.proxy
    }

    pub(crate) fn ca_file(&self) -> Option<&Path> {
        self.ca_file.as_deref()
    }

    /// The certificates of the file, read now; none without a file.
    pub(crate) fn certificates(&self) -> Result<Vec<CertificateDer<'static>>, CaFileError> {
        let Some(path) = &self.ca_file else {
            return Ok(Vec::new());
        };
        let pem = std::fs::read(path).map_err(CaFileError::NotReadable)?;
        let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
        match found {
            Ok(certificates) if certificates.is_empty() => Err(CaFileError::NoCertificate(None)),
            Ok(certificates) => Ok(certificates),
            Err(error) => Err(CaFileError::NoCertificate(Some(error))),
        }
    }

    /// As in the configuration.
    pub(super) fn proxy_text(&self) -> String {
        match &self.proxy {
            Proxy::System => String::new(),
            Proxy::Direct => DIRECT.to_owned(),
            Proxy::Address(address) => address.as_str().trim_end_matches('/').to_owned(),
        }
    }

    /// As in the configuration.
    pub(super) fn ca_file_text(&self) -> String {
        let path = self.ca_file.as_ref();
        path.map_or_else(String::new, |path| path.display().to_string())
    }
}

/// Parses the proxy of a configuration. User and password are refused: they would lie in a file.
pub(super) fn proxy(text: &str) -> Result<Proxy, InvalidFieldReason> {
    match text {
        "" => return Ok(Proxy::System),
        DIRECT => return Ok(Proxy::Direct),
        _ => {}
    }
    let url = Url::parse(text).map_err(|_malformed| InvalidFieldReason::NotAProxy)?;
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let without_user = url.username().is_empty() && url.password().is_none();
    if url.host().is_some() && bare && without_user && ["http", "https"].contains(&url.scheme()) {
        Ok(Proxy::Address(url))
    } else {
        Err(InvalidFieldReason::NotAProxy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxy_is_that_of_the_system_none_or_an_address_without_a_password() {
        assert_eq!(proxy(""), Ok(Proxy::System));
        assert_eq!(proxy("direct"), Ok(Proxy::Direct));
        assert!(matches!(
            proxy("http://proxy.example.com:3128"),
            Ok(Proxy::Address(_))
        ));
        for wrong in [
            "proxy.example.com:3128",
            "http://",
            "http://u:p@proxy",
            "http://proxy/x",
            "ftp://proxy",
        ] {
            assert_eq!(proxy(wrong), Err(InvalidFieldReason::NotAProxy), "{wrong}");
        }
    }

    #[test]
    fn file_without_certificates_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ca.pem");
        let settings = NetworkSettings::new(Proxy::System, &path.display().to_string());
        let reason =
            |settings: &NetworkSettings| settings.certificates().map_err(|error| error.reason());
        assert_eq!(reason(&settings), Err(InvalidFieldReason::NotReadable));
        std::fs::write(&path, "no certificate").expect("written");
        assert_eq!(reason(&settings), Err(InvalidFieldReason::NoCertificate));
        let made = rcgen::generate_simple_self_signed(["ca.example.com".to_owned()]).expect("made");
        std::fs::write(&path, made.cert.pem()).expect("written");
        assert_eq!(settings.certificates().expect("one").len(), 1);
        assert_eq!(
            NetworkSettings::new(Proxy::System, "")
                .certificates()
                .expect("none")
                .len(),
            0
        );
    }
}
