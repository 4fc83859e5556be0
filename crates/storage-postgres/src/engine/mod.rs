//! The PostgreSQL engine: a pool of connections, transactions that are repeated, and migrations.

mod attempt;
mod audited_statement;
mod beginning;
mod commit_gate;
mod connection;
mod error;
mod hosts;
mod lease;
mod migrations;
mod open_error;
mod options;
mod partitions;
mod request_queue;
mod retry;
mod transaction;
mod unlimited_role;

pub(crate) use self::audited_statement::AuditedStatement;
pub(crate) use self::connection::Parameter;
pub(crate) use self::error::{
    EngineError, count, identifier, invalid_value, optional_identifier, optional_timestamp,
    timestamp,
};
pub(crate) use self::lease::Lease;
pub use self::migrations::{Migrated, migrate, schema_name, schema_version};
pub use self::open_error::OpenError;
pub use self::options::{Options, UnsupportedUrl};
pub(crate) use self::request_queue::{OutcomeSender, RequestQueue};
pub(crate) use self::transaction::{Select, Transaction, TransactionEnd, TransactionWork, Write};
pub use self::unlimited_role::UnlimitedRole;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use deadpool_postgres::Pool;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::{Rng, StorageError, StorageStatistics};
use tokio_postgres::Row;

use self::beginning::Isolation;
use self::commit_gate::CommitGate;
use self::connection::{OpenedConnections, PooledConnection, Warnings};
use self::partitions::Partitions;
use self::retry::{Failure, Retry};

/// How long a transaction waits for a connection of the pool, or a request for a transaction, before it fails with [`StorageError::Busy`].
const POOL_TIMEOUT: Duration = Duration::from_secs(10);

/// A pool of connections to one database.
pub(crate) struct Engine {
    pool: Pool,
    warnings: Warnings,
    opened: OpenedConnections,
    commit_gate: CommitGate,
    answer_timeout: Duration,
    database: String,
    rng: Arc<dyn Rng>,
    partitions: Partitions,
    /// Attempts that failed and were repeated.
    retries: AtomicU64,
}

/// Whether there is a database with a schema of ours.
///
/// # Errors
/// When the server does not answer.
pub async fn exists(options: &Options) -> Result<bool, OpenError> {
    Ok(schema_version(options).await?.is_some())
}

impl Engine {
    /// Creates the pool and compares the schema with the one that this program needs.
    ///
    /// # Errors
    /// Every variant of [`OpenError`].
    pub(crate) async fn open(options: Options, rng: Arc<dyn Rng>) -> Result<Self, OpenError> {
        let (warnings, opened) = (Warnings::default(), OpenedConnections::default());
        let engine = Self {
            pool: connection::pool(&options, &warnings, &opened)?,
            warnings,
            opened,
            commit_gate: CommitGate::default(),
            answer_timeout: options.answer_timeout(),
            database: options.display_name(),
            rng,
            partitions: Partitions::default(),
            retries: AtomicU64::new(0),
        };
        migrations::check(&engine, &options).await?;
        Ok(engine)
    }

    /// Host, port and name of the database.
    pub(crate) fn database(&self) -> &str {
        &self.database
    }

    /// The pool, and how many attempts were repeated.
    pub(crate) fn statistics(&self) -> StorageStatistics {
        let pool = self.pool.status();
        let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        StorageStatistics {
            engine: "postgresql",
            connections_used: number(pool.size.saturating_sub(pool.available)),
            connections_idle: number(pool.available),
            connections_limit: number(pool.max_size),
            waiting: number(pool.waiting),
            retries: self.retries.load(Ordering::Relaxed),
        }
    }

    /// How many connections this process has opened. What it knows to be committed it knows only until there is another one: the
    /// server of that one may have lost the commit in a failover (decision 0172).
    pub(crate) fn opened_connections(&self) -> u64 {
        self.opened.count()
    }

    async fn connection(&self) -> Result<PooledConnection, Failure> {
        let client = self.pool.get().await.map_err(Failure::not_begun)?;
        Ok(PooledConnection::new(
            client,
            self.warnings.clone(),
            self.commit_gate.unanswered().clone(),
            self.answer_timeout,
        ))
    }

    /// A connection for a write, unless commits wait for a standby that is lost.
    async fn connection_for_write(&self) -> Result<PooledConnection, Failure> {
        let connection = self.connection().await?;
        match self.commit_gate.pass(&connection).await {
            Ok(()) => Ok(connection),
            Err(error) => {
                if error.breaks_connection() {
                    connection.discard();
                }
                Err(Failure::before_commit(error))
            }
        }
    }

    /// Waits until a transaction may be repeated after `failure`.
    async fn wait_to_repeat(
        &self,
        retry: &mut Retry,
        failure: Failure,
    ) -> Result<(), StorageError> {
        retry.after(failure, &*self.rng).await?;
        self.retries.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// The source of ids of audit events, and of the pauses between attempts.
    pub(crate) fn rng(&self) -> &dyn Rng {
        &*self.rng
    }

    /// Runs `work` in a transaction (READ COMMITTED), again after an error that a repetition can cure, at most five times.
    ///
    /// Also when the answer to COMMIT was lost: the repetition waits for locks that the first attempt still holds, and finds
    /// what that wrote (decision 0102).
    ///
    /// # Errors
    /// The error of `work`; [`StorageError::Busy`] when no attempt could be completed; [`StorageError::InDoubt`] when the
    /// outcome of a commit is unknown and could not be found out.
    pub(crate) async fn write<W: TransactionWork>(
        &self,
        work: &W,
    ) -> Result<W::Output, StorageError> {
        for time in work.partition_times() {
            self.partitions.ensure(self, time.as_millis()).await?;
        }
        self.repeat(Isolation::ReadCommitted, work).await
    }

    /// Runs `work` as the repetition of an attempt whose commit is in doubt. `None` if it fails.
    #[cfg(test)]
    pub(crate) async fn write_again<W: TransactionWork>(&self, work: &W) -> Option<W::Output> {
        let connection = self.connection().await.ok()?;
        let isolation = Isolation::ReadCommitted;
        let attempt = attempt::run(connection, isolation, true, work);
        attempt.await.ok()
    }

    /// Runs `work`, which writes nothing, in a transaction in which all statements see the same snapshot.
    ///
    /// # Errors
    /// As [`Engine::write`].
    pub(crate) async fn read<W: TransactionWork>(
        &self,
        work: &W,
    ) -> Result<W::Output, StorageError> {
        self.repeat(Isolation::Snapshot, work).await
    }

    async fn repeat<W: TransactionWork>(
        &self,
        isolation: Isolation,
        work: &W,
    ) -> Result<W::Output, StorageError> {
        let mut retry = Retry::default();
        loop {
            let in_doubt = retry.in_doubt();
            let attempt = async {
                let connection = match isolation {
                    Isolation::ReadCommitted => self.connection_for_write().await?,
                    Isolation::Snapshot => self.connection().await?,
                };
                attempt::run(connection, isolation, in_doubt, work).await
            };
            match attempt.await {
                Ok(output) => return Ok(output),
                Err(failure) => self.wait_to_repeat(&mut retry, failure).await?,
            }
        }
    }

    /// The rows that `statement` returns, which writes. It is a transaction of its own in one round trip, after the partitions of
    /// `times` exist; again after an error that a repetition can cure, as [`Engine::write`]. So it has to find what an attempt
    /// before has stored, and to return the same rows then.
    ///
    /// # Errors
    /// As [`Engine::write`].
    pub(crate) async fn write_statement(
        &self,
        times: &[Timestamp],
        statement: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, StorageError> {
        for time in times {
            self.ensure_partitions(time.as_millis()).await?;
        }
        let mut retry = Retry::default();
        loop {
            let attempt = async {
                let connection = self.connection_for_write().await?;
                attempt::write(connection, statement, parameters).await
            };
            match attempt.await {
                Ok(rows) => return Ok(rows),
                Err(failure) => self.wait_to_repeat(&mut retry, failure).await?,
            }
        }
    }

    /// The rows that `select`, which writes nothing, returns; none when a parameter is a text with U+0000. With `organization` it runs in a transaction that sees the
    /// documents of that organization, in one round trip.
    ///
    /// # Errors
    /// [`StorageError`] when no attempt could be completed.
    pub(crate) async fn rows(
        &self,
        organization: Option<&OrganizationId>,
        select: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, StorageError> {
        let mut retry = Retry::default();
        loop {
            let attempt = async {
                let connection = self.connection().await?;
                attempt::select(connection, organization, select, parameters).await
            };
            match attempt.await {
                Ok(rows) => return Ok(rows),
                // Nothing is stored under such a text.
                Err(failure) if failure.is_about_a_text() => return Ok(Vec::new()),
                Err(failure) => self.wait_to_repeat(&mut retry, failure).await?,
            }
        }
    }

    /// The first of [`Engine::rows`].
    ///
    /// # Errors
    /// [`StorageError`] when no attempt could be completed.
    pub(crate) async fn row(
        &self,
        organization: Option<&OrganizationId>,
        select: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Option<Row>, StorageError> {
        let rows = self.rows(organization, select, parameters).await?;
        Ok(rows.into_iter().next())
    }

    /// The record that `select`, which writes nothing, returns; none of an organization's documents are seen.
    ///
    /// # Errors
    /// [`StorageError`] when no attempt could be completed, and that of `map`.
    pub(crate) async fn lookup_one<T>(
        &self,
        select: &'static str,
        parameters: &[Parameter<'_>],
        map: fn(&Row) -> Result<T, EngineError>,
    ) -> Result<Option<T>, StorageError> {
        let row = self.row(None, select, parameters).await?;
        Ok(row.as_ref().map(map).transpose()?)
    }

    /// The records that `select` returns, as [`Engine::lookup_one`].
    ///
    /// # Errors
    /// As [`Engine::lookup_one`].
    pub(crate) async fn lookup_all<T>(
        &self,
        select: &'static str,
        parameters: &[Parameter<'_>],
        map: fn(&Row) -> Result<T, EngineError>,
    ) -> Result<Vec<T>, StorageError> {
        let rows = self.rows(None, select, parameters).await?;
        let records: Result<_, EngineError> = rows.iter().map(map).collect();
        Ok(records?)
    }

    /// Makes sure that rows of the time `milliseconds` have partitions.
    ///
    /// # Errors
    /// [`StorageError`] when they are missing and cannot be created.
    pub(crate) async fn ensure_partitions(&self, milliseconds: i64) -> Result<(), StorageError> {
        self.partitions.ensure(self, milliseconds).await
    }

    /// Whether this process knows that rows of `time` have partitions.
    pub(crate) fn has_partitions(&self, time: Timestamp) -> bool {
        let opened = self.opened_connections();
        self.partitions.are_known(opened, time.as_millis())
    }

    /// Closes the pool.
    pub(crate) fn close(&self) {
        self.pool.close();
    }
}
