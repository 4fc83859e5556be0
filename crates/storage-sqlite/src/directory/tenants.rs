//! Tenants, whose rows are cached.

use std::sync::Arc;

use invoicing_contract::OrganizationId;
use rusqlite::{Connection, params};

use super::rows::tenant;
use super::{profile_columns, tenant_columns};
use crate::Sqlite;
use invoicing_storage::directory::Tenant;
use invoicing_storage::{Basis, StorageError};

/// The tenant of an organization, as of `basis`.
pub(super) async fn read(
    store: &Sqlite,
    organization: &OrganizationId,
    basis: Basis,
) -> Result<Option<Arc<Tenant>>, StorageError> {
    let cache = &store.read_cache().tenants;
    if let Some(cached) = cache.get(organization.as_str(), basis) {
        return Ok(Some(cached));
    }
    let select = concat!(
        "SELECT o.id, o.name, o.name_ar, o.domain, ",
        tenant_columns!(),
        " FROM tenants t JOIN organizations o ON o.id = t.organization_id
         LEFT JOIN plans p ON p.id = t.plan_id WHERE o.id = ?1"
    );
    let found = store
        .engine()
        .lookup_one(select, [organization.as_str()], tenant);
    let found = found.await?.map(Arc::new);
    if let Some(tenant) = &found {
        cache.insert(organization.as_str(), basis, tenant);
    }
    Ok(found)
}

/// Inserts the tenant of an organization that exists, unless it has one. Returns whether it did.
pub(crate) fn insert(connection: &Connection, tenant: &Tenant) -> rusqlite::Result<bool> {
    let insert = concat!(
        "INSERT INTO tenants (organization_id, ",
        profile_columns!(),
        ", monthly_documents, requests_per_minute, users, plan_id, authority_endpoint, concurrency_stamp)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
         ON CONFLICT DO NOTHING"
    );
    let inserted = connection.prepare_cached(insert)?.execute(params![
        tenant.organization.id.as_str(),
        tenant.currency,
        tenant.country,
        tenant.time_zone,
        tenant.tax_id,
        tenant.address.building,
        tenant.address.street,
        tenant.address.district,
        tenant.address.city,
        tenant.address.postal_code,
        tenant.registration_number.scheme,
        tenant.registration_number.value,
        tenant.own_limits.monthly_documents,
        tenant.own_limits.requests_per_minute,
        tenant.own_limits.users,
        tenant.plan.as_ref().map(|plan| plan.id.as_str()),
        tenant.authority_endpoint,
        tenant.concurrency_stamp
    ])?;
    Ok(inserted > 0)
}
