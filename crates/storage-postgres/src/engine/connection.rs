//! Connections: TLS, and the pool that keeps them.

use std::sync::Arc;

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use rustls::ClientConfig;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;
use rustls_platform_verifier::{BuilderVerifierExt as _, Verifier};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::POOL_TIMEOUT;
use super::open_error::OpenError;
use super::options::Options;

/// A pool for `options`. It connects when a connection is needed.
pub(super) fn pool(options: &Options) -> Result<Pool, OpenError> {
    let manager = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    let manager = Manager::from_config(options.config(), connector(options)?, manager);
    let pool = Pool::builder(manager)
        .max_size(options.connections)
        .wait_timeout(Some(POOL_TIMEOUT))
        .create_timeout(Some(POOL_TIMEOUT))
        .recycle_timeout(Some(POOL_TIMEOUT))
        .runtime(Runtime::Tokio1)
        .build();
    pool.map_err(|error| OpenError::not_opened(options, error))
}

/// Verifies certificates against the authorities of the system and those of `ca_file`.
pub(super) fn connector(options: &Options) -> Result<MakeRustlsConnect, OpenError> {
    let invalid =
        |error: Box<dyn std::error::Error + Send + Sync>| OpenError::Tls { source: error };
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| invalid(error.into()))?;
    let config = match &options.ca_file {
        None => builder
            .with_platform_verifier()
            .map_err(|error| invalid(error.into()))?,
        Some(file) => {
            let authorities = CertificateDer::pem_file_iter(file)
                .and_then(Iterator::collect::<Result<Vec<_>, _>>)
                .map_err(|error| invalid(error.into()))?;
            let verifier = Verifier::new_with_extra_roots(authorities, provider)
                .map_err(|error| invalid(error.into()))?;
            builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(verifier))
        }
    };
    Ok(MakeRustlsConnect::new(config.with_no_client_auth()))
}
