//! Connections: TLS, the pool that keeps them, and the limit of their answers.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use deadpool_postgres::{Connect, Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use rustls::ClientConfig;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;
use rustls_platform_verifier::{BuilderVerifierExt as _, Verifier};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::error::Severity;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Config, Row, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::POOL_TIMEOUT;
use super::error::EngineError;
use super::hosts::Hosts;
use super::open_error::OpenError;
use super::options::Options;

/// A parameter of a statement.
pub(crate) type Parameter<'a> = &'a (dyn ToSql + Sync);

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
    let config = options.config();
    let connector = WatchedConnect {
        hosts: Arc::new(Hosts::new(&config)),
        tls: connector(options)?,
        warnings: warnings.clone(),
    };
    let manager = Manager::from_connect(config, connector, manager);
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
    hosts: Arc<Hosts>,
    tls: MakeRustlsConnect,
    warnings: Warnings,
}

type Connecting<'a> = Pin<
    Box<dyn Future<Output = Result<(Client, JoinHandle<()>), tokio_postgres::Error>> + Send + 'a>,
>;

impl Connect for WatchedConnect {
    /// The configuration is that of the pool, which [`Hosts`] has by host.
    fn connect(&self, _config: &Config) -> Connecting<'_> {
        let warnings = self.warnings.clone();
        Box::pin(async move {
            let (client, mut connection) = self.hosts.connect(&self.tls).await?;
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

/// A connection that the pool has lent.
///
/// An answer that does not come in time is an error also when the connection stays open: neither the timeouts of the server nor
/// those of TCP end the wait for a server that is frozen (decision 0102).
pub(super) struct PooledConnection {
    client: Object,
    warnings: Warnings,
    answer_timeout: Duration,
}

impl PooledConnection {
    pub(super) const fn new(client: Object, warnings: Warnings, answer_timeout: Duration) -> Self {
        Self {
            client,
            warnings,
            answer_timeout,
        }
    }

    /// How many warnings have arrived at any connection.
    pub(super) fn warnings(&self) -> u64 {
        self.warnings.count()
    }

    pub(super) async fn prepare(&self, statement: &str) -> Result<Statement, EngineError> {
        self.answer(self.client.prepare_cached(statement)).await
    }

    /// The same, with the types of its parameters given.
    pub(super) async fn prepare_typed(
        &self,
        statement: &str,
        types: &[Type],
    ) -> Result<Statement, EngineError> {
        self.answer(self.client.prepare_typed_cached(statement, types))
            .await
    }

    pub(super) async fn query(
        &self,
        statement: &Statement,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, EngineError> {
        self.answer(self.client.query(statement, parameters)).await
    }

    /// The rows of a statement that is planned for these values, and not kept.
    pub(super) async fn query_typed(
        &self,
        statement: &str,
        parameters: &[(Parameter<'_>, Type)],
    ) -> Result<Vec<Row>, EngineError> {
        self.answer(self.client.query_typed(statement, parameters))
            .await
    }

    pub(super) async fn execute(
        &self,
        statement: &Statement,
        parameters: &[Parameter<'_>],
    ) -> Result<u64, EngineError> {
        self.answer(self.client.execute(statement, parameters))
            .await
    }

    pub(super) async fn batch_execute(&self, statements: &str) -> Result<(), EngineError> {
        self.answer(self.client.batch_execute(statements)).await
    }

    /// Closes the connection instead of giving it back.
    pub(super) fn discard(self) {
        drop(Object::take(self.client));
    }

    async fn answer<T>(
        &self,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, EngineError> {
        match timeout(self.answer_timeout, answer).await {
            Ok(answer) => Ok(answer?),
            Err(elapsed) => Err(EngineError::NoAnswer(elapsed)),
        }
    }
}
