//! The HTTP clients of the tests.

/// A client of servers on this computer that encrypt nothing. It trusts no certificate: those of the system are some 290 files, which
/// every client would read.
pub fn builder() -> reqwest::ClientBuilder {
    reqwest::Client::builder().no_proxy().tls_certs_only([])
}
