//! [`DirectoryStore`] on SQLite.

use async_trait::async_trait;
use invoicing_contract::OrganizationId;

use super::directory_rows::{organization, tenant};
use super::{Sqlite, Statement};
use invoicing_storage::StorageError;
use invoicing_storage::audit::Entry;
use invoicing_storage::directory::{DirectoryStore, Organization, Tenant};

#[async_trait]
impl DirectoryStore for Sqlite {
    async fn setting_or(&self, name: &str, value: &str) -> Result<String, StorageError> {
        let mut write = self.write().await?;
        sqlx::query(
            "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
        )
        .bind(name)
        .bind(value)
        .execute(&mut *write)
        .await?;
        let kept = sqlx::query_scalar("SELECT value FROM settings WHERE name = $1")
            .bind(name)
            .fetch_one(&mut *write)
            .await?;
        write.commit().await?;
        Ok(kept)
    }

    async fn setting(&self, name: &str) -> Result<Option<String>, StorageError> {
        let value = sqlx::query_scalar("SELECT value FROM settings WHERE name = $1").bind(name);
        Ok(value.fetch_optional(self.readers()).await?)
    }

    async fn add_organization(&self, organization: &Organization) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        adding_organization(organization)
            .execute(&mut *write)
            .await?;
        Ok(write.commit().await?)
    }

    async fn organization(
        &self,
        id: &OrganizationId,
    ) -> Result<Option<Organization>, StorageError> {
        let select = "SELECT id, name, name_ar, domain FROM organizations WHERE id = ?1";
        self.engine()
            .lookup_one(select, [id.as_str()], organization)
            .await
    }

    async fn organizations(&self) -> Result<Vec<Organization>, StorageError> {
        let select = "SELECT id, name, name_ar, domain FROM organizations ORDER BY id";
        self.engine().lookup_all(select, (), organization).await
    }

    async fn add_tenant(&self, tenant: &Tenant) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        adding_tenant(tenant).execute(&mut *write).await?;
        Ok(write.commit().await?)
    }

    async fn set_limits(
        &self,
        organization: &OrganizationId,
        monthly_documents: Option<i64>,
        requests_per_minute: Option<i64>,
        entry: &Entry,
    ) -> Result<bool, StorageError> {
        let update = sqlx::query(
            "UPDATE tenants SET monthly_documents = $2, requests_per_minute = $3 WHERE organization_id = $1",
        )
        .bind(organization.as_str())
        .bind(monthly_documents)
        .bind(requests_per_minute);
        self.change(update, entry).await
    }

    async fn tenant(&self, organization: &OrganizationId) -> Result<Option<Tenant>, StorageError> {
        let select =
            "SELECT o.id, o.name, o.name_ar, o.domain, t.currency, t.country, t.time_zone, t.tax_id, t.building, t.street,
                t.district, t.city, t.postal_code, t.monthly_documents, t.requests_per_minute, t.authority_endpoint
             FROM tenants t JOIN organizations o ON o.id = t.organization_id WHERE o.id = ?1";
        self.engine()
            .lookup_one(select, [organization.as_str()], tenant)
            .await
    }
}

/// Adds an organization, unless there is one with its id or its domain.
pub(super) fn adding_organization(organization: &Organization) -> Statement<'_> {
    sqlx::query(
            "INSERT INTO organizations (id, name, name_ar, domain) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        )
        .bind(organization.id.as_str())
        .bind(&organization.name)
        .bind(&organization.name_ar)
        .bind(&organization.domain)
}

/// Adds a tenant for an organization that exists, unless it is one.
pub(super) fn adding_tenant(tenant: &Tenant) -> Statement<'_> {
    sqlx::query(
            "INSERT INTO tenants (organization_id, currency, country, time_zone, tax_id, building, street, district, city,
                postal_code, monthly_documents, requests_per_minute, authority_endpoint)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
             ON CONFLICT DO NOTHING",
        )
        .bind(tenant.organization.id.as_str())
        .bind(&tenant.currency)
        .bind(&tenant.country)
        .bind(&tenant.time_zone)
        .bind(&tenant.tax_id)
        .bind(&tenant.address.building)
        .bind(&tenant.address.street)
        .bind(&tenant.address.district)
        .bind(&tenant.address.city)
        .bind(&tenant.address.postal_code)
        .bind(tenant.monthly_documents)
        .bind(tenant.requests_per_minute)
        .bind(&tenant.authority_endpoint)
}
