//! The revisions of tenants.

use invoicing_contract::OrganizationId;
use invoicing_storage::StorageError;
use invoicing_storage::tenants::{TenantAction, TenantRevision};
use tokio_postgres::Row;

use crate::engine::{EngineError, Parameter, Transaction, timestamp};

/// Inserts the next revision of a tenant, whose row the transaction has locked by a change.
pub(super) async fn insert_revision(
    transaction: &Transaction,
    organization: &OrganizationId,
    revision: &TenantRevision,
) -> Result<(), EngineError> {
    let insert = "INSERT INTO tenant_history (organization_id, revision, at, actor, action, changes)
        SELECT $1, coalesce(max(revision), 0) + 1, $2, $3, $4, $5 FROM tenant_history WHERE organization_id = $1";
    let row: [Parameter<'_>; 5] = [
        &organization.as_str(),
        &revision.at.as_millis(),
        &revision.actor,
        &revision.action.name(),
        &revision.changes,
    ];
    transaction.execute(insert, &row).await?;
    Ok(())
}

/// A stored revision.
pub(super) fn revision(row: &Row) -> Result<TenantRevision, EngineError> {
    let action: String = row.try_get("action")?;
    Ok(TenantRevision {
        revision: row.try_get("revision")?,
        at: timestamp(row, "at")?,
        actor: row.try_get("actor")?,
        action: TenantAction::named(&action)
            .ok_or_else(|| StorageError::corrupt(format!("{action:?} is no action on a tenant")))?,
        changes: row.try_get("changes")?,
    })
}
