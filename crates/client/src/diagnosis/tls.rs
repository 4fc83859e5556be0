//! The TLS handshake with a record of the certificates that the server has shown, also if it fails.

use std::sync::{Arc, Mutex, PoisonError};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, SignatureScheme};
use rustls_platform_verifier::Verifier;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use x509_parser::prelude::{FromDer as _, X509Certificate};

use super::route::Route;
use super::{Step, in_time, timed_out};
use crate::environments::Environment;
use crate::views::{DiagnosisFinding, TlsProblem};

/// Verifies as all requests do, and keeps the certificates.
#[derive(Debug)]
struct RecordingVerifier {
    verifier: Verifier,
    shown: Mutex<Vec<CertificateDer<'static>>>,
}

impl ServerCertVerifier for RecordingVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let all = std::iter::once(end_entity).chain(intermediates);
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = all
            .map(|certificate| certificate.clone().into_owned())
            .collect();
        self.verifier
            .verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier
            .verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.verifier
            .verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}

/// Makes a TLS handshake, and closes the connection.
pub(super) async fn handshake(
    environment: &Environment,
    route: &Route,
    stream: TcpStream,
) -> Step<()> {
    let failed = |problem, reason: String, issuers| {
        let finding = DiagnosisFinding::NotTrusted {
            problem,
            reason,
            issuers,
        };
        (None, finding)
    };
    let (config, recorder) = match client_config(environment) {
        Ok(made) => made,
        Err(error) => return failed(TlsProblem::Other, error.to_string(), Vec::new()),
    };
    let host = route.server.trim_start_matches('[').trim_end_matches(']');
    let Ok(name) = ServerName::try_from(host.to_owned()) else {
        return failed(TlsProblem::WrongName, route.server.clone(), Vec::new());
    };
    let outcome = in_time(TlsConnector::from(Arc::new(config)).connect(name, stream)).await;
    let issuers = recorder.issuers();
    match outcome {
        Some(Ok(_)) => (Some(()), DiagnosisFinding::Trusted { issuers }),
        Some(Err(error)) => {
            let cause = error.get_ref().and_then(|cause| cause.downcast_ref());
            failed(problem(cause), error.to_string(), issuers)
        }
        None => failed(TlsProblem::NoTls, timed_out(), issuers),
    }
}

fn client_config(
    environment: &Environment,
) -> Result<(ClientConfig, Arc<RecordingVerifier>), rustls::Error> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    // The step before has said if the file cannot be used.
    let roots = environment.network().certificates().unwrap_or_default();
    let recorder = Arc::new(RecordingVerifier {
        verifier: verifier(roots, Arc::clone(&provider))?,
        shown: Mutex::default(),
    });
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::clone(&recorder) as Arc<dyn ServerCertVerifier>)
        .with_no_client_auth();
    Ok((config, recorder))
}

fn verifier(
    roots: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
) -> Result<Verifier, rustls::Error> {
    if roots.is_empty() {
        Verifier::new(provider)
    } else {
        Verifier::new_with_extra_roots(roots, provider)
    }
}

impl RecordingVerifier {
    /// The issuer of each certificate that was shown.
    fn issuers(&self) -> Vec<String> {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown
            .iter()
            .filter_map(|certificate| {
                let (_, parsed) = X509Certificate::from_der(certificate).ok()?;
                Some(parsed.issuer().to_string())
            })
            .collect()
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the words for the others are those of the TLS library"
)]
fn problem(error: Option<&rustls::Error>) -> TlsProblem {
    match error {
        Some(rustls::Error::InvalidCertificate(error)) => match error {
            CertificateError::UnknownIssuer => TlsProblem::UnknownIssuer,
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                TlsProblem::Expired
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                TlsProblem::NotYetValid
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                TlsProblem::WrongName
            }
            _ => TlsProblem::Other,
        },
        Some(
            rustls::Error::InvalidMessage(_)
            | rustls::Error::PeerIncompatible(_)
            | rustls::Error::AlertReceived(_),
        )
        | None => TlsProblem::NoTls,
        Some(_) => TlsProblem::Other,
    }
}
