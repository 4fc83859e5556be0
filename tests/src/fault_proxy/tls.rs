//! TLS of a proxy: a certificate authority for tests, with certificates that are right and ones that are wrong.

use std::io;
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    date_time_ymd,
};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::fault::ConnectionFault;

/// The host name of every proxy with TLS. A resolver of the client has to know it.
pub const HOST: &str = "desk.invoicing.example";

/// The acceptors of a proxy, one for each certificate.
pub(super) struct Tls {
    valid: TlsAcceptor,
    http2: TlsAcceptor,
    expired: TlsAcceptor,
    other_name: TlsAcceptor,
    unknown_authority: TlsAcceptor,
}

/// A certificate authority that a client can be made to trust.
pub struct TestAuthority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl TestAuthority {
    /// An authority with a new key.
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        Self {
            issuer: CertifiedIssuer::self_signed(params, key).expect("a certificate"),
        }
    }

    /// Its certificate in PEM.
    pub fn pem(&self) -> String {
        let certificate: &rcgen::Certificate = self.issuer.as_ref();
        certificate.pem()
    }

    fn acceptor(&self, host: &str, expired: bool, protocol: &[u8]) -> TlsAcceptor {
        let mut params = CertificateParams::new(vec![host.to_owned()]).expect("a host name");
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        if expired {
            params.not_before = date_time_ymd(2020, 1, 1);
            params.not_after = date_time_ymd(2021, 1, 1);
        }
        let key = KeyPair::generate().expect("a key");
        let certificate = params
            .signed_by(&key, &self.issuer)
            .expect("a signed certificate");
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let mut config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("the key fits the certificate");
        config.alpn_protocols = vec![protocol.to_vec()];
        TlsAcceptor::from(Arc::new(config))
    }
}

impl Default for TestAuthority {
    fn default() -> Self {
        Self::new()
    }
}

impl Tls {
    pub(super) fn new(authority: &TestAuthority) -> Self {
        Self {
            valid: authority.acceptor(HOST, false, b"http/1.1"),
            http2: authority.acceptor(HOST, false, b"h2"),
            expired: authority.acceptor(HOST, true, b"http/1.1"),
            other_name: authority.acceptor("other.example", false, b"http/1.1"),
            unknown_authority: TestAuthority::new().acceptor(HOST, false, b"http/1.1"),
        }
    }

    /// The handshake, with the certificate and protocol of the fault.
    pub(super) async fn accept(
        &self,
        stream: TcpStream,
        fault: Option<ConnectionFault>,
    ) -> io::Result<TlsStream<TcpStream>> {
        let acceptor = match fault {
            Some(ConnectionFault::ExpiredCertificate) => &self.expired,
            Some(ConnectionFault::OtherName) => &self.other_name,
            Some(ConnectionFault::UnknownAuthority) => &self.unknown_authority,
            Some(
                ConnectionFault::GoAwayBefore
                | ConnectionFault::GoAwayAfter
                | ConnectionFault::RefusedStream,
            ) => &self.http2,
            Some(
                ConnectionFault::Refused
                | ConnectionFault::Closed
                | ConnectionFault::Reset
                | ConnectionFault::Silent
                | ConnectionFault::PlainText,
            )
            | None => &self.valid,
        };
        acceptor.accept(stream).await
    }
}
