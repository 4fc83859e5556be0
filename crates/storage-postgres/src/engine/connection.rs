//! Connections: TLS, and the pool that keeps them.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use deadpool_postgres::{Connect, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use rustls::ClientConfig;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;
use rustls_platform_verifier::{BuilderVerifierExt as _, Verifier};
use tokio::task::JoinHandle;
use tokio_postgres::error::Severity;
use tokio_postgres::{AsyncMessage, Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::POOL_TIMEOUT;
use super::open_error::OpenError;
use super::options::Options;

/// Warnings that servers sent to any connection of this process. One that arrives while a COMMIT is answered means that the
/// commit may not be on the standby (decision 0102).
#[derive(Debug, Clone, Default)]
pub(super) struct Warnings(Arc<AtomicU64>);

impl Warnings {
    /// How many have arrived.
    pub(super) fn count(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}

/// A pool for `options`. It connects when a connection is needed.
pub(super) fn pool(options: &Options, warnings: &Warnings) -> Result<Pool, OpenError> {
    let manager = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    let connector = WatchedConnect {
        tls: connector(options)?,
        warnings: warnings.clone(),
    };
    let manager = Manager::from_connect(options.config(), connector, manager);
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

/// Opens connections, and counts the warnings that servers send to them.
struct WatchedConnect {
    tls: MakeRustlsConnect,
    warnings: Warnings,
}

type Connecting<'a> = Pin<
    Box<dyn Future<Output = Result<(Client, JoinHandle<()>), tokio_postgres::Error>> + Send + 'a>,
>;

impl Connect for WatchedConnect {
    fn connect(&self, config: &Config) -> Connecting<'_> {
        let (config, tls, warnings) = (config.clone(), self.tls.clone(), self.warnings.clone());
        Box::pin(async move {
            let (client, mut connection) = config.connect(tls).await?;
            let driven = tokio::spawn(async move {
                while let Some(message) =
                    std::future::poll_fn(|context| connection.poll_message(context)).await
                {
                    match message {
                        Ok(AsyncMessage::Notice(notice)) => {
                            if notice.parsed_severity() == Some(Severity::Warning) {
                                tracing::warn!(message = notice.message(), "the database warns");
                                warnings.0.fetch_add(1, Ordering::Release);
                            }
                        }
                        Ok(_) => {}
                        Err(error) => {
                            tracing::debug!(%error, "a connection to the database ended");
                            return;
                        }
                    }
                }
            });
            Ok((client, driven))
        })
    }
}
