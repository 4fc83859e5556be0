//! [`Store`](invoicing_storage::Store) on PostgreSQL: any number of processes share one database, and every change is one
//! transaction that is repeated after an error that a repetition can cure (decision 0102).

mod audit;
mod budgets;
mod clearance;
mod directory;
mod documents;
mod engine;
mod failed_attempts;
mod master_data;
mod payments;
mod reports;
mod rules;
mod tokens;
mod transfer;
mod values;

pub use engine::{
    Migrated, OpenError, Options, UnlimitedRole, UnsupportedUrl, exists, migrate, schema_name,
    schema_version,
};

use std::fmt;
use std::slice;
use std::sync::Arc;

use invoicing_storage::audit::AuditEvent;
use invoicing_storage::read_cache::ReadCache;
use invoicing_storage::{Rng, StorageError, StorageStatistics};

use self::engine::{AuditedStatement, Engine, Parameter};
use self::tokens::{AccessTokenQueue, TokenAuthorizationCache};

/// A database on PostgreSQL with a pool of connections. Clones share the pool.
#[derive(Clone)]
pub struct Postgres {
    engine: Arc<Engine>,
    read_cache: Arc<ReadCache>,
    token_authorizations: Arc<TokenAuthorizationCache>,
    access_token_queue: Arc<AccessTokenQueue>,
    number_queue: Arc<documents::NumberQueue>,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Postgres")
            .field("database", &self.engine.database())
            .finish_non_exhaustive()
    }
}

impl Postgres {
    /// Connects to a database whose schema [`migrate`] has brought up to date.
    ///
    /// # Errors
    /// Every variant of [`OpenError`]. Nothing is changed.
    pub async fn open(options: Options, rng: Arc<dyn Rng>) -> Result<Self, OpenError> {
        let engine = Arc::new(Engine::open(options, rng).await?);
        Ok(Self {
            access_token_queue: Arc::new(AccessTokenQueue::new(engine.clone())),
            engine,
            read_cache: Arc::new(ReadCache::new()),
            token_authorizations: Arc::new(TokenAuthorizationCache::new()),
            number_queue: Arc::default(),
        })
    }

    /// Host, port and name of the database, without user and password.
    #[must_use]
    pub fn database(&self) -> &str {
        self.engine.database()
    }

    /// The pool of connections, and how many attempts at transactions were repeated.
    #[must_use]
    pub fn statistics(&self) -> StorageStatistics {
        self.engine.statistics()
    }

    /// What the role of the connections may do that the policies and privileges of the schema do not limit (decision 0181); `None` for
    /// the role of the application, which they limit.
    ///
    /// # Errors
    /// [`StorageError`] when the server does not answer.
    pub async fn unlimited_role(&self) -> Result<Option<UnlimitedRole>, StorageError> {
        self.engine.unlimited_role().await
    }

    /// Closes the pool. Transactions that have begun are completed; later calls fail.
    pub fn close(&self) {
        self.engine.close();
    }

    /// Pool, transactions and retries.
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Cached members, applications and tenants.
    pub(crate) fn read_cache(&self) -> &ReadCache {
        &self.read_cache
    }

    /// Cached rows of `token_authorizations`.
    pub(crate) fn token_authorizations(&self) -> &TokenAuthorizationCache {
        &self.token_authorizations
    }

    /// Access tokens that wait to be inserted together.
    pub(crate) const fn access_token_queue(&self) -> &Arc<AccessTokenQueue> {
        &self.access_token_queue
    }

    /// Executes one statement, and records `event` in the same transaction if it changed a row. Returns whether it did, also
    /// when the answer to the commit was lost and the statement had to be repeated.
    pub(crate) async fn execute_audited(
        &self,
        statement: &'static str,
        parameters: &[Parameter<'_>],
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let events = slice::from_ref(event);
        let work = AuditedStatement::new(statement, parameters, events, self.engine.rng());
        self.engine.write(&work).await
    }

    /// As [`Postgres::execute_audited`], for a statement that changes a cached record: the version is incremented in the same
    /// transaction.
    pub(crate) async fn change_record(
        &self,
        statement: &'static str,
        parameters: &[Parameter<'_>],
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let events = slice::from_ref(event);
        let work = AuditedStatement::new(statement, parameters, events, self.engine.rng());
        self.engine.write(&work.of_cached_record()).await
    }
}
