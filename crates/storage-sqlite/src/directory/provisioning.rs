//! [`ProvisioningStore`] on SQLite.

use async_trait::async_trait;
use rusqlite::{Transaction, params};

use super::applications::upsert_application;
use super::subjects::{insert_grant, insert_subject};
use super::tenant_administration::insert_revision;
use super::{insert_organization, insert_tenant, profile_columns};
use crate::engine::EngineError;
use crate::{Sqlite, audit};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::directory::Tenant;
use invoicing_storage::provisioning::{Machine, Provisioning, ProvisioningStore};
use invoicing_storage::tenants::TenantRevision;

#[async_trait]
impl ProvisioningStore for Sqlite {
    async fn create_tenant(
        &self,
        tenant: &Tenant,
        machine: &Machine,
        revision: &TenantRevision,
        events: &[AuditEvent],
    ) -> Result<Provisioning, StorageError> {
        let (tenant, machine, events) = (tenant.clone(), machine.clone(), events.to_vec());
        let revision = revision.clone();
        self.engine()
            .write(move |transaction| {
                let organization = &tenant.organization;
                let same_id: bool = transaction
                    .prepare_cached("SELECT EXISTS (SELECT 1 FROM organizations WHERE id = ?1)")?
                    .query_row([organization.id.as_str()], |row| row.get(0))?;
                if same_id {
                    return Ok(Provisioning::OrganizationTaken);
                }
                if !insert_organization(transaction, organization)? {
                    return Ok(Provisioning::DomainTaken);
                }
                insert_tenant(transaction, &tenant)?;
                transaction
                    .prepare_cached(
                        "UPDATE tenants SET profile_completed_at = ?2 WHERE organization_id = ?1",
                    )?
                    .execute((organization.id.as_str(), revision.at.as_millis()))?;
                insert_revision(transaction, &organization.id, &revision)?;
                insert_machine(transaction, &machine, &events)?;
                Ok(Provisioning::Done)
            })
            .await
    }

    async fn complete_profile(
        &self,
        tenant: &Tenant,
        machine: &Machine,
        revision: &TenantRevision,
        events: &[AuditEvent],
    ) -> Result<Provisioning, StorageError> {
        let (tenant, machine, events) = (tenant.clone(), machine.clone(), events.to_vec());
        let revision = revision.clone();
        self.engine()
            .write(move |transaction| {
                let update = concat!(
                    "UPDATE tenants SET (",
                    profile_columns!(),
                    ", profile_completed_at, concurrency_stamp)
                     = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
                     WHERE organization_id = ?1 AND profile_completed_at IS NULL"
                );
                let completed = transaction.prepare_cached(update)?.execute(params![
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
                    revision.at.as_millis(),
                    tenant.concurrency_stamp
                ])?;
                if completed == 0 {
                    return Ok(Provisioning::Complete);
                }
                insert_revision(transaction, &tenant.organization.id, &revision)?;
                insert_machine(transaction, &machine, &events)?;
                Ok(Provisioning::Done)
            })
            .await
    }
}

fn insert_machine(
    transaction: &Transaction<'_>,
    machine: &Machine,
    events: &[AuditEvent],
) -> Result<(), EngineError> {
    let Machine {
        subject,
        role,
        application,
    } = machine;
    insert_subject(transaction, subject)?;
    insert_grant(transaction, &subject.id, &subject.home_organization, role)?;
    upsert_application(transaction, application)?;
    for event in events {
        audit::record_event(transaction, event)?;
    }
    Ok(())
}
