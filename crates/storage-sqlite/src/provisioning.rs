//! [`ProvisioningStore`] on SQLite.

use async_trait::async_trait;
use sqlx::SqliteConnection;

use super::audit::record;
use super::{Sqlite, applications, directory, subjects};
use invoicing_storage::StorageError;
use invoicing_storage::audit::Entry;
use invoicing_storage::directory::Tenant;
use invoicing_storage::provisioning::{Machine, Provisioning, ProvisioningStore};

#[async_trait]
impl ProvisioningStore for Sqlite {
    async fn create_tenant(
        &self,
        tenant: &Tenant,
        machine: &Machine,
        now: i64,
        entries: &[Entry],
    ) -> Result<Provisioning, StorageError> {
        let organization = &tenant.organization;
        let mut write = self.write().await?;
        let same_id: bool =
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM organizations WHERE id = $1)")
                .bind(organization.id.as_str())
                .fetch_one(&mut *write)
                .await?;
        if same_id {
            return Ok(Provisioning::OrganizationTaken);
        }
        let added = directory::adding_organization(organization)
            .execute(&mut *write)
            .await?;
        if added.rows_affected() == 0 {
            return Ok(Provisioning::DomainTaken);
        }
        directory::adding_tenant(tenant)
            .execute(&mut *write)
            .await?;
        sqlx::query("UPDATE tenants SET profile_completed_at = $2 WHERE organization_id = $1")
            .bind(organization.id.as_str())
            .bind(now)
            .execute(&mut *write)
            .await?;
        add_machine(&mut write, machine, entries).await?;
        write.commit().await?;
        Ok(Provisioning::Done)
    }

    async fn complete_profile(
        &self,
        tenant: &Tenant,
        machine: &Machine,
        now: i64,
        entries: &[Entry],
    ) -> Result<Provisioning, StorageError> {
        let mut write = self.write().await?;
        let completed = sqlx::query(
            "UPDATE tenants SET currency = $2, country = $3, time_zone = $4, tax_id = $5, building = $6, street = $7,
                district = $8, city = $9, postal_code = $10, profile_completed_at = $11
             WHERE organization_id = $1 AND profile_completed_at IS NULL",
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
        .bind(now)
        .execute(&mut *write)
        .await?;
        if completed.rows_affected() == 0 {
            return Ok(Provisioning::Complete);
        }
        add_machine(&mut write, machine, entries).await?;
        write.commit().await?;
        Ok(Provisioning::Done)
    }
}

async fn add_machine(
    write: &mut SqliteConnection,
    machine: &Machine,
    entries: &[Entry],
) -> Result<(), StorageError> {
    let Machine {
        subject,
        role,
        application,
    } = machine;
    subjects::adding(subject).execute(&mut *write).await?;
    subjects::granting(&subject.id, &subject.home_organization, role)
        .execute(&mut *write)
        .await?;
    applications::putting(application)
        .execute(&mut *write)
        .await?;
    for entry in entries {
        record(write, entry).await?;
    }
    Ok(())
}
