//! Single attempts at transactions and statements, and what is known after one that failed.

use deadpool_postgres::{Client, Object};
use invoicing_contract::OrganizationId;
use tokio::join;
use tokio_postgres::Row;

use super::connection::Warnings;
use super::error::EngineError;
use super::retry::Failure;
use super::transaction::{
    Isolation, Parameter, SET_ORGANIZATION_OF_READ, Transaction, TransactionEnd, TransactionWork,
};

/// One attempt at a transaction.
pub(super) async fn run<W: TransactionWork>(
    client: Client,
    isolation: Isolation,
    repeats_commit: bool,
    work: &W,
    warnings: &Warnings,
) -> Result<W::Output, Failure> {
    let organization = work.organization();
    let transaction =
        Transaction::begin(client, isolation, organization, repeats_commit, warnings).await;
    let transaction = transaction.map_err(Failure::before_commit)?;
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
    client: Client,
    statement: &'static str,
    parameters: &[Parameter<'_>],
    warnings: &Warnings,
) -> Result<Vec<Row>, Failure> {
    let rows = async {
        let prepared = client.prepare_cached(statement).await;
        let prepared = prepared.map_err(|error| Failure::before_commit(error.into()))?;
        let before = warnings.count();
        // Its commit is part of the answer.
        let rows = client.query(&prepared, parameters).await;
        let rows = rows.map_err(Failure::at_commit)?;
        if warnings.count() != before {
            return Err(Failure::not_replicated());
        }
        // The tests of crashes stop the process here.
        tracing::debug!(statement);
        Ok(rows)
    };
    let rows = rows.await;
    if rows.as_ref().is_err_and(Failure::breaks_connection) {
        drop(Object::take(client));
    }
    rows
}

/// One attempt at a statement that writes nothing.
pub(super) async fn select(
    client: Client,
    organization: Option<&OrganizationId>,
    statement: &'static str,
    parameters: &[Parameter<'_>],
) -> Result<Vec<Row>, Failure> {
    let rows = async {
        let prepared = client.prepare_cached(statement).await?;
        let Some(organization) = organization else {
            return client.query(&prepared, parameters).await;
        };
        let set = client.prepare_cached(SET_ORGANIZATION_OF_READ).await?;
        let organization: [Parameter<'_>; 1] = [&organization.as_str()];
        // Sent together: one round trip.
        let (begun, set, rows, ended) = join!(
            biased;
            client.batch_execute("BEGIN READ ONLY"),
            client.execute(&set, &organization),
            client.query(&prepared, parameters),
            client.batch_execute("COMMIT"),
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
        let error = EngineError::from(error);
        // Its transaction may be open still.
        if organization.is_some() || error.breaks_connection() {
            drop(Object::take(client));
        }
        Failure::before_commit(error)
    })
}
