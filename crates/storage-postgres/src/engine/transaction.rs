//! Transactions: begun, given to their work, and committed or rolled back.

use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use futures_util::future::join_all;
use invoicing_contract::{OrganizationId, Timestamp};
use tokio::join;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::connection::{Parameter, PooledConnection};
use super::error::EngineError;
use super::retry::Failure;

/// Which rows the statements of a transaction see.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Isolation {
    /// Each statement sees what was committed before it began. For writes.
    ReadCommitted,
    /// All statements see what was committed before the first began. For reads.
    Snapshot,
}

impl Isolation {
    const fn begin(self) -> &'static str {
        match self {
            Self::ReadCommitted => "BEGIN ISOLATION LEVEL READ COMMITTED",
            Self::Snapshot => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        }
    }

    const fn set_organization(self) -> &'static str {
        match self {
            Self::ReadCommitted => SET_ORGANIZATION,
            Self::Snapshot => SET_ORGANIZATION_OF_READ,
        }
    }
}

/// Row-level security compares `organization_id` with this setting (decision 0103). It ends with the transaction.
const SET_ORGANIZATION: &str = "SELECT set_config('app.organization', $1, true)";
/// The same before statements that read: they are planned for their parameters, since how many documents a filter selects
/// depends on them. Statements that write name their rows, and planning the longest takes longer than its execution.
pub(super) const SET_ORGANIZATION_OF_READ: &str =
    "SELECT set_config('app.organization', $1, true), set_config('plan_cache_mode', 'auto', true)";

/// A statement that writes, with its parameters.
pub(crate) struct Write<'a> {
    pub(crate) statement: &'static str,
    pub(crate) parameters: Vec<Parameter<'a>>,
}

/// Whether what a transaction wrote is kept.
pub(crate) enum TransactionEnd<T> {
    Commit(T),
    Rollback(T),
}

/// What a transaction does. It can be run several times: an attempt that failed left nothing, except that the outcome of its
/// commit may be unknown. So every write carries a value that was made before (a hash, a stamp, a key, an id), and a run that
/// finds its own value stored has succeeded before (decision 0102).
#[async_trait]
pub(crate) trait TransactionWork: Sync {
    /// What the caller gets.
    type Output: Send;

    /// The organization whose documents the transaction may see and change; `None` for no documents.
    fn organization(&self) -> Option<&OrganizationId> {
        None
    }

    /// The times of the rows that it inserts into partitioned tables. Their partitions are created before it begins.
    fn partition_times(&self) -> Vec<Timestamp> {
        Vec::new()
    }

    /// Executes the statements.
    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Self::Output>, EngineError>;
}

/// An open transaction. Dropped without an end, it closes its connection.
pub(crate) struct Transaction {
    /// `None` after the end.
    connection: Option<PooledConnection>,
    /// COMMIT was sent with statements: nothing may follow.
    ended: AtomicBool,
    /// The answer to that COMMIT is not known.
    committing: AtomicBool,
    /// A statement failed, after which the server accepts a COMMIT and rolls back.
    failed: AtomicBool,
    /// The commit of an attempt before is in doubt.
    repeats_commit: bool,
}

impl Transaction {
    /// Sends BEGIN, and waits for it: statements sent after one that failed would be transactions of their own.
    pub(super) async fn begin(
        connection: PooledConnection,
        isolation: Isolation,
        organization: Option<&OrganizationId>,
        repeats_commit: bool,
    ) -> Result<Self, EngineError> {
        let transaction = Self {
            connection: Some(connection),
            ended: AtomicBool::new(false),
            committing: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            repeats_commit,
        };
        let connection = transaction.connection();
        if let Some(organization) = organization {
            let set = connection.prepare(isolation.set_organization());
            let set = set.await?;
            let organization: [Parameter<'_>; 1] = [&organization.as_str()];
            // Sent together: one round trip.
            let (begun, set) = join!(
                biased;
                connection.batch_execute(isolation.begin()),
                connection.execute(&set, &organization),
            );
            begun?;
            set?;
        } else {
            connection.batch_execute(isolation.begin()).await?;
        }
        Ok(transaction)
    }

    /// Executes statements in their order and commits, in one round trip. Returns the rows of each. Nothing may be executed after
    /// that: the work returns.
    pub(crate) async fn commit_with(
        &self,
        writes: &[Write<'_>],
    ) -> Result<Vec<Vec<Row>>, EngineError> {
        if self.failed.load(Ordering::Relaxed) {
            return Err(EngineError::FailedStatement);
        }
        let connection = self.connection();
        // All are prepared before the first is sent, which would follow COMMIT otherwise.
        let mut prepared = Vec::new();
        for write in writes {
            let statement = connection.prepare(write.statement).await;
            prepared.push(self.noted(statement)?);
        }
        let before = connection.warnings();
        self.ended.store(true, Ordering::Relaxed);
        self.committing.store(true, Ordering::Relaxed);
        let statements = prepared.iter().zip(writes);
        let statements =
            statements.map(|(statement, write)| connection.query(statement, &write.parameters));
        // If one of them fails, the server rolls back instead. The first error is the cause.
        let (rows, committed) = join!(
            biased;
            join_all(statements),
            connection.batch_execute("COMMIT"),
        );
        let rows: Result<Vec<_>, _> = rows.into_iter().collect();
        let rows = self.noted(rows)?;
        self.noted(committed)?;
        if connection.warnings() != before {
            return Err(EngineError::NotReplicated);
        }
        self.committing.store(false, Ordering::Relaxed);
        Ok(rows)
    }

    /// Whether an attempt before may have been committed. Only then what this one wants to write can be stored already.
    pub(crate) const fn repeats_commit(&self) -> bool {
        self.repeats_commit
    }

    /// The rows that a statement returns.
    pub(crate) async fn rows(
        &self,
        statement: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, EngineError> {
        let connection = self.connection();
        let rows = async {
            let prepared = connection.prepare(statement).await?;
            connection.query(&prepared, parameters).await
        };
        self.noted(rows.await)
    }

    /// The first row that a statement returns.
    pub(crate) async fn row(
        &self,
        statement: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Option<Row>, EngineError> {
        let rows = self.rows(statement, parameters).await?;
        Ok(rows.into_iter().next())
    }

    /// The rows that each of two statements returns. Sent together, in their order: one round trip.
    pub(crate) async fn rows_of_both(
        &self,
        first: (&'static str, &[Parameter<'_>]),
        second: (&'static str, &[Parameter<'_>]),
    ) -> Result<(Vec<Row>, Vec<Row>), EngineError> {
        let connection = self.connection();
        let rows = async {
            // Both are prepared before the first is sent, which would follow the second otherwise.
            let statements = (
                connection.prepare(first.0).await?,
                connection.prepare(second.0).await?,
            );
            let (first, second) = join!(
                biased;
                connection.query(&statements.0, first.1),
                connection.query(&statements.1, second.1),
            );
            // The first error is the cause: after it, others only say that the transaction is aborted.
            Ok((first?, second?))
        };
        self.noted(rows.await)
    }

    /// The rows that a statement returns which is planned for these values, and not kept.
    pub(crate) async fn rows_planned(
        &self,
        statement: &str,
        parameters: &[(Parameter<'_>, Type)],
    ) -> Result<Vec<Row>, EngineError> {
        self.noted(self.connection().query_typed(statement, parameters).await)
    }

    /// The rows that a statement returns whose plan the connection keeps. Each text stays in the memory of the server, so that
    /// there must not be many of them.
    pub(crate) async fn rows_of_kept_plan(
        &self,
        statement: &str,
        parameters: &[(Parameter<'_>, Type)],
    ) -> Result<Vec<Row>, EngineError> {
        let connection = self.connection();
        let (values, types): (Vec<_>, Vec<_>) = parameters.iter().cloned().unzip();
        let rows = async {
            let prepared = connection.prepare_typed(statement, &types).await?;
            connection.query(&prepared, &values).await
        };
        self.noted(rows.await)
    }

    /// Executes a statement.
    pub(crate) async fn write(&self, write: &Write<'_>) -> Result<u64, EngineError> {
        self.execute(write.statement, &write.parameters).await
    }

    /// Executes a statement. Returns how many rows it changed.
    pub(crate) async fn execute(
        &self,
        statement: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<u64, EngineError> {
        let connection = self.connection();
        let changed = async {
            let prepared = connection.prepare(statement).await?;
            connection.execute(&prepared, parameters).await
        };
        self.noted(changed.await)
    }

    fn noted<T>(&self, outcome: Result<T, EngineError>) -> Result<T, EngineError> {
        if outcome.is_err() {
            self.failed.store(true, Ordering::Relaxed);
        }
        outcome
    }

    fn connection(&self) -> &PooledConnection {
        self.connection
            .as_ref()
            .expect("the connection is taken by the end, which consumes the transaction")
    }

    pub(super) async fn commit(mut self) -> Result<(), Failure> {
        if self.failed.load(Ordering::Relaxed) {
            return Err(Failure::before_commit(EngineError::FailedStatement));
        }
        if self.ended.load(Ordering::Relaxed) {
            drop(self.connection.take());
            return Ok(());
        }
        let before = self.connection().warnings();
        match self.connection().batch_execute("COMMIT").await {
            Ok(()) if self.connection().warnings() == before => {
                drop(self.connection.take());
                Ok(())
            }
            Ok(()) => Err(Failure::not_replicated()),
            Err(error) => Err(Failure::at_commit(error)),
        }
    }

    /// Ends the transaction after `error`.
    pub(super) async fn abandon(self, error: EngineError) -> Failure {
        if self.committing.load(Ordering::Relaxed) {
            return Failure::at_commit(error);
        }
        // A connection to a server that no longer accepts writes is closed and not kept.
        if !error.breaks_connection() {
            self.rollback().await;
        }
        Failure::before_commit(error)
    }

    pub(super) async fn rollback(mut self) {
        let has_ended = self.ended.load(Ordering::Relaxed);
        if has_ended || self.connection().batch_execute("ROLLBACK").await.is_ok() {
            drop(self.connection.take());
        }
    }
}

impl Drop for Transaction {
    /// A connection whose transaction has not ended does not return to the pool.
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            connection.discard();
        }
    }
}
