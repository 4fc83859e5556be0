//! Connections: TLS, the pool that keeps them, and the limit of their answers.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use deadpool_postgres::{Connect, Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;
use rustls_platform_verifier::{BuilderVerifierExt as _, Verifier};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::config::SslMode;
use tokio_postgres::error::{Severity, SqlState};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Config, Row, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::POOL_TIMEOUT;
use super::commit_gate::UnansweredConnections;
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

/// Connections that this process has opened. After a failover it uses only ones that it has opened since, and the new primary may
/// lack what the old one had committed last: whatever is remembered of a commit holds while none is opened (decision 0172).
#[derive(Debug, Clone, Default)]
pub(super) struct OpenedConnections(Arc<AtomicU64>);

impl OpenedConnections {
    /// How many.
    pub(super) fn count(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}

/// A pool for `options`. It connects when a connection is needed.
pub(super) fn pool(
    options: &Options,
    warnings: &Warnings,
    opened: &OpenedConnections,
) -> Result<Pool, OpenError> {
    let manager = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    let config = options.config();
    let connector = WatchedConnect {
        hosts: Arc::new(Hosts::new(&config)),
        tls: connector(options)?,
        warnings: warnings.clone(),
        opened: opened.clone(),
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
        // No connection is encrypted: the authorities of the system are not read, which would take longer than to connect, and need
        // not exist.
        None if options.config().get_ssl_mode() == SslMode::Disable => {
            builder.with_root_certificates(RootCertStore::empty())
        }
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

/// Opens and counts connections, and counts the warnings that servers send to them.
struct WatchedConnect {
    hosts: Arc<Hosts>,
    tls: MakeRustlsConnect,
    warnings: Warnings,
    opened: OpenedConnections,
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
            // Before anybody can use it.
            self.opened.0.fetch_add(1, Ordering::Release);
            let driven = tokio::spawn(async move {
                while let Some(message) =
                    std::future::poll_fn(|context| connection.poll_message(context)).await
                {
                    match message {
                        Ok(AsyncMessage::Notice(notice)) => {
                            // COMMIT after a BEGIN that was refused says nothing about the standby.
                            let is_about_a_commit =
                                *notice.code() != SqlState::NO_ACTIVE_SQL_TRANSACTION;
                            if is_about_a_commit
                                && notice.parsed_severity() == Some(Severity::Warning)
                            {
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
    /// `None` once it was discarded.
    client: Option<Object>,
    warnings: Warnings,
    unanswered: UnansweredConnections,
    answer_timeout: Duration,
    /// Answers that have not come yet, of requests that were sent together. One that nobody waits for any more stays counted.
    awaited: AtomicU32,
}

impl PooledConnection {
    pub(super) const fn new(
        client: Object,
        warnings: Warnings,
        unanswered: UnansweredConnections,
        answer_timeout: Duration,
    ) -> Self {
        Self {
            client: Some(client),
            warnings,
            unanswered,
            answer_timeout,
            awaited: AtomicU32::new(0),
        }
    }

    fn client(&self) -> &Object {
        self.client
            .as_ref()
            .expect("only what consumes the connection takes its client")
    }

    /// How many warnings have arrived at any connection.
    pub(super) fn warnings(&self) -> u64 {
        self.warnings.count()
    }

    pub(super) async fn prepare(&self, statement: &str) -> Result<Statement, EngineError> {
        self.answer(self.client().prepare_cached(statement)).await
    }

    /// The same, with the types of its parameters given.
    pub(super) async fn prepare_typed(
        &self,
        statement: &str,
        types: &[Type],
    ) -> Result<Statement, EngineError> {
        self.answer(self.client().prepare_typed_cached(statement, types))
            .await
    }

    pub(super) async fn query(
        &self,
        statement: &Statement,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, EngineError> {
        self.answer(self.client().query(statement, parameters))
            .await
    }

    /// The rows of a statement that is planned for these values, and not kept.
    pub(super) async fn query_typed(
        &self,
        statement: &str,
        parameters: &[(Parameter<'_>, Type)],
    ) -> Result<Vec<Row>, EngineError> {
        self.answer(self.client().query_typed(statement, parameters))
            .await
    }

    pub(super) async fn execute(
        &self,
        statement: &Statement,
        parameters: &[Parameter<'_>],
    ) -> Result<u64, EngineError> {
        self.answer(self.client().execute(statement, parameters))
            .await
    }

    pub(super) async fn batch_execute(&self, statements: &str) -> Result<(), EngineError> {
        self.answer(self.client().batch_execute(statements)).await
    }

    /// Closes the connection instead of giving it back.
    pub(super) fn discard(mut self) {
        self.close();
    }

    fn close(&mut self) {
        if let Some(client) = self.client.take() {
            if *self.awaited.get_mut() > 0 {
                self.unanswered.add();
            }
            drop(Object::take(client));
        }
    }

    async fn answer<T>(
        &self,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, EngineError> {
        self.awaited.fetch_add(1, Ordering::Relaxed);
        let answer = timeout(self.answer_timeout, answer).await;
        let answer = answer.map_err(|elapsed| {
            self.close_idle();
            EngineError::NoAnswer(elapsed)
        })?;
        self.awaited.fetch_sub(1, Ordering::Relaxed);
        Ok(answer?)
    }

    /// Closes the connections that nobody uses. Most often the server does not answer on them either, and the pool lends the one that
    /// has waited longest: requests that follow one another would wait at each of them. Where only a commit waits for a standby, they are
    /// opened anew.
    fn close_idle(&self) {
        if let Some(pool) = Object::pool(self.client()) {
            drop(pool.retain(|_, _| false));
        }
    }
}

impl Drop for PooledConnection {
    /// Gives the connection back, unless it owes an answer: whoever waited for that was cancelled (decision 0130), or has waited too
    /// long. The server still works on the statement, and the next caller would wait behind it. So the connection is closed.
    ///
    /// No cancel request is sent. The statement may be a write that waits for the standby: cancelled, it would be durable on the
    /// primary alone, where a repetition by the caller would find it (decision 0102). The request would also need a connection of its
    /// own, which the limit of the pool does not count. The server ends the statement by itself: where it looks for connections that
    /// were closed (`client_connection_check_interval`) within that interval, else at the timeout of statements.
    fn drop(&mut self) {
        if *self.awaited.get_mut() > 0 {
            self.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use invoicing_contract::{OrganizationId, Timestamp};
    use invoicing_storage::{StorageError, SystemRng};
    use invoicing_test_postgres::Server;
    use tokio::select;

    use super::*;
    use crate::{Postgres, migrate, schema_name};

    /// How long the next read may take. The statements below take longer.
    const BOUND: Duration = Duration::from_secs(60);
    const STATEMENT_TIMEOUT: Duration = Duration::from_secs(3_600);

    /// Polls `call` until the server works on its statement, and then drops it.
    async fn abandon(
        call: impl Future<Output = Result<Vec<Row>, StorageError>> + Send,
        statement: &str,
        watcher: &Client,
    ) {
        let count = "SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event = 'PgSleep' AND query = $1";
        let parameters: [Parameter<'_>; 1] = [&statement];
        let mut call = pin!(call);
        loop {
            select! {
                biased;
                outcome = &mut call => panic!("{outcome:?}"),
                working = watcher.query_one(count, &parameters) => {
                    if working.unwrap().get::<_, i64>(0) > 0 {
                        return;
                    }
                }
            }
        }
    }

    #[tokio::test]
    async fn connection_whose_answer_nobody_waits_for_is_not_lent_again() {
        let database = Server::shared()
            .database(&schema_name(), async |owner_url| {
                let options = Options::from_url(owner_url).unwrap();
                migrate(&options, Timestamp::from_millis(0)).await.unwrap();
            })
            .await;
        let mut options = Options::from_url(database.application_url()).unwrap();
        options.connections = 1;
        options.statement_timeout = STATEMENT_TIMEOUT;
        let store = Postgres::open(options, Arc::new(SystemRng)).await.unwrap();
        let engine = store.engine();
        let watcher = Server::shared().connect_as_superuser(&database).await;
        let is_next_served = async || {
            let next = timeout(BOUND, engine.row(None, "SELECT 1", &[]));
            next.await.is_ok_and(|row| row.unwrap().is_some())
        };

        let statement = "SELECT pg_sleep(3601)";
        abandon(engine.rows(None, statement, &[]), statement, &watcher).await;
        assert!(is_next_served().await, "after a read");
        let organization = OrganizationId::from("riyadh");
        let statement = "SELECT pg_sleep(3602)";
        let read = engine.rows(Some(&organization), statement, &[]);
        abandon(read, statement, &watcher).await;
        assert!(is_next_served().await, "after a read of an organization");
        let statement = "SELECT pg_sleep(3603)";
        let write = engine.write_statement(&[], statement, &[]);
        abandon(write, statement, &watcher).await;
        assert!(is_next_served().await, "after a write of one statement");

        let lent = engine.statistics();
        assert_eq!((lent.connections_used, lent.connections_idle), (0, 1));
    }
}
