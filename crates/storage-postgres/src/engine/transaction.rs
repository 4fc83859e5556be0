//! Transactions: begun, given to their work, and committed or rolled back.

use std::future::ready;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use futures_util::future::join_all;
use invoicing_contract::{OrganizationId, Timestamp};
use tokio::join;
use tokio_postgres::Row;
use tokio_postgres::types::Type;

use super::beginning::Beginning;
use super::connection::{Parameter, PooledConnection};
use super::error::EngineError;
use super::retry::Failure;

/// A statement that writes, with its parameters.
pub(crate) struct Write<'a> {
    pub(crate) statement: &'static str,
    pub(crate) parameters: Vec<Parameter<'a>>,
}

/// A statement that reads, whose text was put together.
pub(crate) struct Select<'a> {
    pub(crate) text: &'a str,
    pub(crate) parameters: Vec<(Parameter<'a>, Type)>,
    /// Whether the connection keeps its plan. Each text stays in the memory of the server then, so that there must not be many of
    /// them. Otherwise it is planned for these values.
    pub(crate) keeps_plan: bool,
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

    /// Whether BEGIN is sent together with the first statements, as it always is for a read. Only for a work whose first statements
    /// do nothing without a transaction: if BEGIN fails, the server executes what was sent after it. Row-level security refuses the
    /// rows of an organization then (decision 0103).
    fn begins_with_statements(&self) -> bool {
        false
    }

    /// Whether the plans of all statements are kept, whatever their values are. Those of a transaction that writes are anyway.
    fn keeps_plans(&self) -> bool {
        false
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
    beginning: Beginning,
    /// BEGIN was sent, and did not fail.
    begun: AtomicBool,
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
    /// A transaction that begins with its first statement.
    pub(super) const fn new(
        connection: PooledConnection,
        beginning: Beginning,
        repeats_commit: bool,
    ) -> Self {
        Self {
            connection: Some(connection),
            beginning,
            begun: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            committing: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            repeats_commit,
        }
    }

    /// Sends BEGIN, and waits for it.
    pub(super) async fn begin(&self) -> Result<(), EngineError> {
        self.answered(ready(Ok(()))).await
    }

    /// The outcome of statements. BEGIN is sent with the first of them, if it was not sent before: one round trip.
    async fn answered<T>(
        &self,
        statements: impl Future<Output = Result<T, EngineError>>,
    ) -> Result<T, EngineError> {
        let outcome = if self.begun.load(Ordering::Relaxed) {
            statements.await
        } else {
            self.answered_after_begin(statements).await
        };
        self.noted(outcome)
    }

    async fn answered_after_begin<T>(
        &self,
        statements: impl Future<Output = Result<T, EngineError>>,
    ) -> Result<T, EngineError> {
        let connection = self.connection();
        let set = match self.beginning.set_organization() {
            // Before BEGIN is sent.
            Some((set, organization)) => Some((connection.prepare(set).await?, organization)),
            None => None,
        };
        let set_organization = async {
            match &set {
                Some((set, organization)) => connection.execute(set, &[organization]).await,
                None => Ok(0),
            }
        };
        let (begun, set, outcome) = join!(
            biased;
            connection.batch_execute(self.beginning.begin()),
            set_organization,
            statements,
        );
        self.begun.store(begun.is_ok(), Ordering::Relaxed);
        // The first error is the cause.
        begun?;
        set?;
        outcome
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
        let statements = prepared.iter().zip(writes);
        let statements =
            statements.map(|(statement, write)| connection.query(statement, &write.parameters));
        let statements = join_all(statements);
        let committed = async {
            self.ended.store(true, Ordering::Relaxed);
            self.committing.store(true, Ordering::Relaxed);
            // If one of them fails, the server rolls back instead. The first error is the cause.
            let (rows, committed) = join!(biased; statements, connection.batch_execute("COMMIT"));
            let rows = rows.into_iter().collect::<Result<Vec<_>, _>>()?;
            committed?;
            Ok::<_, EngineError>(rows)
        };
        let rows = self.answered(committed).await?;
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
        self.answered(rows).await
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
        self.answered(rows).await
    }

    /// The rows that a statement returns.
    pub(crate) async fn select(&self, select: &Select<'_>) -> Result<Vec<Row>, EngineError> {
        self.selected(select, false).await
    }

    /// The same for the last statement of a transaction that writes nothing, which ends in the same round trip. Nothing may be
    /// executed after that: the work returns.
    pub(crate) async fn select_last(&self, select: &Select<'_>) -> Result<Vec<Row>, EngineError> {
        self.selected(select, true).await
    }

    async fn selected(&self, select: &Select<'_>, is_last: bool) -> Result<Vec<Row>, EngineError> {
        let connection = self.connection();
        let parameters = &select.parameters;
        let rows = async {
            if !select.keeps_plan {
                let rows = connection.query_typed(select.text, parameters);
                return self.ended_with(rows, is_last).await;
            }
            let (values, types): (Vec<_>, Vec<_>) = parameters.iter().cloned().unzip();
            // Before COMMIT is sent.
            let prepared = connection.prepare_typed(select.text, &types).await?;
            let rows = connection.query(&prepared, &values);
            self.ended_with(rows, is_last).await
        };
        self.answered(rows).await
    }

    /// The rows of a statement. COMMIT is sent with it if it `is_last`.
    async fn ended_with(
        &self,
        rows: impl Future<Output = Result<Vec<Row>, EngineError>>,
        is_last: bool,
    ) -> Result<Vec<Row>, EngineError> {
        if !is_last {
            return rows.await;
        }
        self.ended.store(true, Ordering::Relaxed);
        let (rows, committed) = join!(biased; rows, self.connection().batch_execute("COMMIT"));
        let rows = rows?;
        committed?;
        Ok(rows)
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
        self.answered(changed).await
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

    /// Whether the server has no open transaction for this one.
    fn is_closed(&self) -> bool {
        !self.begun.load(Ordering::Relaxed) || self.ended.load(Ordering::Relaxed)
    }

    pub(super) async fn commit(mut self) -> Result<(), Failure> {
        if self.failed.load(Ordering::Relaxed) {
            return Err(Failure::before_commit(EngineError::FailedStatement));
        }
        if self.is_closed() {
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
        if self.failed.load(Ordering::Relaxed) && !self.begun.load(Ordering::Relaxed) {
            // BEGIN was refused: the connection is closed, since nobody knows what state it is in.
            return;
        }
        if self.is_closed() || self.connection().batch_execute("ROLLBACK").await.is_ok() {
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
