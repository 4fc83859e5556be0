//! Single attempts at transactions and statements, and what is known after one that failed.

use invoicing_contract::OrganizationId;
use tokio::join;
use tokio_postgres::Row;

use super::beginning::{Beginning, Isolation, SET_ORGANIZATION_OF_READ};
use super::connection::{Parameter, PooledConnection};
use super::retry::Failure;
use super::transaction::{Transaction, TransactionEnd, TransactionWork};

/// One attempt at a transaction.
pub(super) async fn run<W: TransactionWork>(
    connection: PooledConnection,
    isolation: Isolation,
    repeats_commit: bool,
    work: &W,
) -> Result<W::Output, Failure> {
    let beginning = Beginning::of(work, isolation);
    let transaction = Transaction::new(connection, beginning, repeats_commit);
    if isolation == Isolation::ReadCommitted && !work.begins_with_statements() {
        transaction.begin().await.map_err(Failure::before_commit)?;
    }
    match work.run(&transaction).await {
        Ok(TransactionEnd::Commit(output)) => {
            transaction.commit().await?;
            Ok(output)
        }
        Ok(TransactionEnd::Rollback(output)) => {
            transaction.rollback().await;
            Ok(output)
        }
        Err(error) => Err(transaction.abandon(error).await),
    }
}

/// One attempt at a statement that writes, in a transaction of its own.
pub(super) async fn write(
    connection: PooledConnection,
    statement: &'static str,
    parameters: &[Parameter<'_>],
) -> Result<Vec<Row>, Failure> {
    let rows = async {
        let prepared = connection.prepare(statement).await;
        let prepared = prepared.map_err(Failure::before_commit)?;
        let before = connection.warnings();
        // Its commit is part of the answer.
        let rows = connection.query(&prepared, parameters).await;
        let rows = rows.map_err(Failure::at_commit)?;
        if connection.warnings() != before {
            return Err(Failure::not_replicated());
        }
        // The tests of crashes stop the process here.
        tracing::debug!(statement);
        Ok(rows)
    };
    let rows = rows.await;
    if rows.as_ref().is_err_and(Failure::breaks_connection) {
        connection.discard();
    }
    rows
}

/// One attempt at a statement that writes nothing.
pub(super) async fn select(
    connection: PooledConnection,
    organization: Option<&OrganizationId>,
    statement: &'static str,
    parameters: &[Parameter<'_>],
) -> Result<Vec<Row>, Failure> {
    let rows = async {
        let prepared = connection.prepare(statement).await?;
        let Some(organization) = organization else {
            return connection.query(&prepared, parameters).await;
        };
        let set = connection.prepare(SET_ORGANIZATION_OF_READ).await?;
        let organization: [Parameter<'_>; 1] = [&organization.as_str()];
        // Sent together: one round trip.
        let (begun, set, rows, ended) = join!(
            biased;
            connection.batch_execute("BEGIN READ ONLY"),
            connection.execute(&set, &organization),
            connection.query(&prepared, parameters),
            connection.batch_execute("COMMIT"),
        );
        // The first error is the cause: after it, others only say that the transaction is aborted.
        begun?;
        set?;
        let rows = rows?;
        ended?;
        Ok(rows)
    };
    let rows = rows.await;
    rows.map_err(|error| {
        // Its transaction may be open still.
        if organization.is_some() || error.breaks_connection() {
            connection.discard();
        }
        Failure::before_commit(error)
    })
}
