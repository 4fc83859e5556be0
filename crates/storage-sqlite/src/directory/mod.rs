//! The directory on SQLite: organizations and tenants here; settings, subjects, applications, keys and tokens in modules.

mod applications;
mod keys;
mod pats;
mod provisioning;
mod rows;
mod settings;
mod subjects;

use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::OrganizationId;
use rusqlite::{Connection, params};

use self::rows::{organization, tenant};
use crate::Sqlite;
use crate::engine::identifier;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::directory::{DirectoryStore, Organization, Tenant};
use invoicing_storage::{Basis, StorageError};

/// The columns of a tenant that its profile consists of.
macro_rules! profile_columns {
    () => {
        "currency, country, time_zone, tax_id, building, street, district, city, postal_code"
    };
}
use profile_columns;

/// Selects the columns that [`organization`] reads.
macro_rules! select_organizations {
    () => {
        "SELECT id, name, name_ar, domain FROM organizations"
    };
}

#[async_trait]
impl DirectoryStore for Sqlite {
    async fn setting_or(&self, name: &str, value: &str) -> Result<String, StorageError> {
        settings::get_or_insert(self.engine(), name, value).await
    }

    async fn setting(&self, name: &str) -> Result<Option<String>, StorageError> {
        settings::get(self.engine(), name).await
    }

    async fn add_organization(&self, organization: &Organization) -> Result<(), StorageError> {
        let organization = organization.clone();
        self.engine()
            .write(move |transaction| {
                insert_organization(transaction, &organization)?;
                Ok(())
            })
            .await
    }

    async fn organization(
        &self,
        id: &OrganizationId,
    ) -> Result<Option<Organization>, StorageError> {
        let select = concat!(select_organizations!(), " WHERE id = ?1");
        self.engine()
            .lookup_one(select, [id.as_str()], organization)
            .await
    }

    async fn organization_of_domain(
        &self,
        domain: &str,
    ) -> Result<Option<OrganizationId>, StorageError> {
        let select = "SELECT id FROM organizations WHERE domain = ?1";
        self.engine()
            .lookup_one(select, [domain], |row| identifier(row, 0))
            .await
    }

    async fn organizations(&self) -> Result<Vec<Organization>, StorageError> {
        let select = concat!(select_organizations!(), " ORDER BY id");
        self.engine().lookup_all(select, (), organization).await
    }

    async fn add_tenant(&self, tenant: &Tenant) -> Result<(), StorageError> {
        let tenant = tenant.clone();
        self.engine()
            .write(move |transaction| Ok(insert_tenant(transaction, &tenant)?))
            .await
    }

    async fn set_limits(
        &self,
        organization: &OrganizationId,
        monthly_documents: Option<i64>,
        requests_per_minute: Option<i64>,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE tenants SET monthly_documents = ?2, requests_per_minute = ?3 WHERE organization_id = ?1";
        let row = (
            organization.as_str().to_owned(),
            monthly_documents,
            requests_per_minute,
        );
        self.execute_audited(update, row, event).await
    }

    async fn tenant(
        &self,
        organization: &OrganizationId,
        basis: Basis,
    ) -> Result<Option<Arc<Tenant>>, StorageError> {
        let cache = &self.read_cache().tenants;
        if let Some(cached) = cache.get(organization.as_str(), basis) {
            return Ok(Some(cached));
        }
        let select = concat!(
            "SELECT o.id, o.name, o.name_ar, o.domain, ",
            profile_columns!(),
            ", monthly_documents, requests_per_minute, authority_endpoint
             FROM tenants t JOIN organizations o ON o.id = t.organization_id WHERE o.id = ?1"
        );
        let found = self
            .engine()
            .lookup_one(select, [organization.as_str()], tenant);
        let found = found.await?.map(Arc::new);
        if let Some(tenant) = &found {
            cache.insert(organization.as_str(), basis, tenant);
        }
        Ok(found)
    }
}

/// Inserts an organization, unless its id or its domain is taken. Returns whether it did.
pub(crate) fn insert_organization(
    connection: &Connection,
    organization: &Organization,
) -> rusqlite::Result<bool> {
    let insert = "INSERT INTO organizations (id, name, name_ar, domain) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
    let inserted = connection.prepare_cached(insert)?.execute(params![
        organization.id.as_str(),
        organization.name,
        organization.name_ar,
        organization.domain
    ])?;
    Ok(inserted > 0)
}

/// Inserts the tenant of an organization that exists, unless it has one.
pub(crate) fn insert_tenant(connection: &Connection, tenant: &Tenant) -> rusqlite::Result<()> {
    let insert = concat!(
        "INSERT INTO tenants (organization_id, ",
        profile_columns!(),
        ", monthly_documents, requests_per_minute, authority_endpoint)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
         ON CONFLICT DO NOTHING"
    );
    connection.prepare_cached(insert)?.execute(params![
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
        tenant.monthly_documents,
        tenant.requests_per_minute,
        tenant.authority_endpoint
    ])?;
    Ok(())
}
