//! [`TenantStore`] on SQLite.

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, Timestamp};
use rusqlite::{Connection, Row, params};

use super::rows::{organization, tenant};
use super::{insert_organization, insert_tenant, tenant_columns};
use crate::Sqlite;
use crate::audit::record_event;
use crate::engine::{EngineError, invalid_value, timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::directory::{Organization, Tenant};
use invoicing_storage::provisioning::Provisioning;
use invoicing_storage::tenants::{
    OrganizationQuery, OrganizationState, TenantAction, TenantChange, TenantRevision, TenantStore,
};

const SELECT_PAGE: &str = concat!(
    "SELECT o.id, o.name, o.name_ar, o.domain, t.organization_id IS NOT NULL AS is_tenant, ",
    tenant_columns!(),
    " FROM organizations o LEFT JOIN tenants t ON t.organization_id = o.id
     LEFT JOIN plans p ON p.id = t.plan_id
     WHERE o.id > ?1
         AND (?2 = '' OR instr(o.id, ?2) OR instr(lower(o.name), lower(?2)) OR instr(lower(o.name_ar), lower(?2))
             OR instr(lower(t.tax_id), lower(?2)))
         AND (?3 IS NULL OR o.id = (SELECT organization_id FROM domains WHERE name = ?3))
         AND (?4 IS NULL OR ?4 = CASE
             WHEN t.organization_id IS NULL THEN 'no-tenant'
             WHEN t.disabled_at IS NOT NULL THEN 'disabled'
             WHEN t.currency = '' THEN 'profile-incomplete'
             ELSE 'active' END)
         AND (NOT ?5 OR t.organization_id IS NOT NULL)
     ORDER BY o.id LIMIT ?6"
);

#[async_trait]
impl TenantStore for Sqlite {
    async fn organization_page(
        &self,
        query: &OrganizationQuery,
    ) -> Result<Vec<(Organization, Option<Tenant>)>, StorageError> {
        let key = (
            query.after.as_ref().map_or("", OrganizationId::as_str),
            &*query.text,
            query.domain.as_deref(),
            query.state.map(OrganizationState::name),
            query.tenants_only,
            query.size,
        );
        self.engine()
            .lookup_all(SELECT_PAGE, key, organization_and_tenant)
            .await
    }

    async fn create_organization(
        &self,
        organization: &Organization,
        event: &AuditEvent,
    ) -> Result<Provisioning, StorageError> {
        let (organization, event) = (organization.clone(), event.clone());
        self.engine()
            .write(move |transaction| {
                if has_organization(transaction, &organization.id)? {
                    return Ok(Provisioning::OrganizationTaken);
                }
                if !insert_organization(transaction, &organization)? {
                    return Ok(Provisioning::DomainTaken);
                }
                record_event(transaction, &event)?;
                Ok(Provisioning::Done)
            })
            .await
    }

    async fn make_tenant(
        &self,
        tenant: &Tenant,
        revision: &TenantRevision,
        event: &AuditEvent,
    ) -> Result<TenantChange, StorageError> {
        let (tenant, revision, event) = (tenant.clone(), revision.clone(), event.clone());
        self.engine()
            .write(move |transaction| {
                let id = &tenant.organization.id;
                if !has_organization(transaction, id)? {
                    return Ok(TenantChange::NotFound);
                }
                if !insert_tenant(transaction, &tenant)? {
                    return Ok(TenantChange::Stale);
                }
                insert_revision(transaction, id, &revision)?;
                record_event(transaction, &event)?;
                Ok(TenantChange::Done)
            })
            .await
    }

    async fn update_tenant(
        &self,
        tenant: &Tenant,
        based_on: &str,
        revision: &TenantRevision,
        event: &AuditEvent,
    ) -> Result<TenantChange, StorageError> {
        let (tenant, based_on) = (tenant.clone(), based_on.to_owned());
        let (revision, event) = (revision.clone(), event.clone());
        self.engine()
            .write(move |transaction| {
                let (organization, address) = (&tenant.organization, &tenant.address);
                let number = &tenant.registration_number;
                let id = organization.id.as_str();
                let update = "UPDATE tenants SET (time_zone, tax_id, building, street, district, city, postal_code,
                        registration_number_scheme, registration_number_value, concurrency_stamp)
                        = (?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
                    WHERE organization_id = ?1 AND concurrency_stamp = ?2";
                let changed = transaction.prepare_cached(update)?.execute(params![
                    id,
                    based_on,
                    tenant.time_zone,
                    tenant.tax_id,
                    address.building,
                    address.street,
                    address.district,
                    address.city,
                    address.postal_code,
                    number.scheme,
                    number.value,
                    tenant.concurrency_stamp
                ])?;
                if changed == 0 {
                    let exists: bool = transaction
                        .prepare_cached(
                            "SELECT EXISTS (SELECT 1 FROM tenants WHERE organization_id = ?1)",
                        )?
                        .query_row([id], |row| row.get(0))?;
                    return Ok(if exists {
                        TenantChange::Stale
                    } else {
                        TenantChange::NotFound
                    });
                }
                transaction
                    .prepare_cached("UPDATE organizations SET name = ?2, name_ar = ?3 WHERE id = ?1")?
                    .execute(params![id, organization.name, organization.name_ar])?;
                insert_revision(transaction, &organization.id, &revision)?;
                record_event(transaction, &event)?;
                Ok(TenantChange::Done)
            })
            .await
    }

    async fn set_tenant_disabled(
        &self,
        organization: &OrganizationId,
        disabled_at: Option<Timestamp>,
        stamp: &str,
        revision: &TenantRevision,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let (organization, stamp) = (organization.clone(), stamp.to_owned());
        let (revision, event) = (revision.clone(), event.clone());
        self.engine()
            .write(move |transaction| {
                let update = "UPDATE tenants SET disabled_at = ?2, concurrency_stamp = ?3
                    WHERE organization_id = ?1 AND (disabled_at IS NULL) = (?2 IS NOT NULL)
                        AND (?2 IS NULL OR organization_id NOT IN (SELECT organization_id FROM operator_organization))";
                let changed = transaction.prepare_cached(update)?.execute(params![
                    organization.as_str(),
                    disabled_at.map(Timestamp::as_millis),
                    stamp
                ])?;
                if changed > 0 {
                    insert_revision(transaction, &organization, &revision)?;
                    record_event(transaction, &event)?;
                }
                Ok(changed > 0)
            })
            .await
    }

    async fn tenant_history(
        &self,
        organization: &OrganizationId,
        before: Option<i64>,
        size: u32,
    ) -> Result<Vec<TenantRevision>, StorageError> {
        let select = "SELECT revision, at, actor, action, changes FROM tenant_history
            WHERE organization_id = ?1 AND revision < ?2 ORDER BY revision DESC LIMIT ?3";
        let key = (organization.as_str(), before.unwrap_or(i64::MAX), size);
        self.engine().lookup_all(select, key, revision).await
    }
}

fn has_organization(connection: &Connection, id: &OrganizationId) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM organizations WHERE id = ?1)")?
        .query_row([id.as_str()], |row| row.get(0))
}

/// Inserts the next revision of a tenant.
pub(super) fn insert_revision(
    connection: &Connection,
    organization: &OrganizationId,
    revision: &TenantRevision,
) -> Result<(), EngineError> {
    let insert = "INSERT INTO tenant_history (organization_id, revision, at, actor, action, changes)
        SELECT ?1, coalesce(max(revision), 0) + 1, ?2, ?3, ?4, ?5 FROM tenant_history WHERE organization_id = ?1";
    connection.prepare_cached(insert)?.execute(params![
        organization.as_str(),
        revision.at.as_millis(),
        revision.actor,
        revision.action.name(),
        revision.changes
    ])?;
    Ok(())
}

fn organization_and_tenant(row: &Row<'_>) -> rusqlite::Result<(Organization, Option<Tenant>)> {
    let is_tenant: bool = row.get("is_tenant")?;
    Ok((
        organization(row)?,
        is_tenant.then(|| tenant(row)).transpose()?,
    ))
}

fn revision(row: &Row<'_>) -> rusqlite::Result<TenantRevision> {
    let action: String = row.get("action")?;
    Ok(TenantRevision {
        revision: row.get("revision")?,
        at: timestamp(row, "at")?,
        actor: row.get("actor")?,
        action: TenantAction::named(&action)
            .ok_or_else(|| invalid_value(&action, "action on a tenant"))?,
        changes: row.get("changes")?,
    })
}
