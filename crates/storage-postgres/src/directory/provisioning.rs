//! [`ProvisioningStore`] on PostgreSQL.

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::directory::Tenant;
use invoicing_storage::provisioning::{Machine, Provisioning, ProvisioningStore};
use invoicing_storage::tenants::TenantRevision;

use super::applications::upsert_application;
use super::organizations::insert_organization;
use super::subjects::{insert_grant, insert_subject};
use super::tenant_history::insert_revision;
use super::tenants::insert_tenant;
use super::{increment_version, profile_columns};
use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork};

#[async_trait]
impl ProvisioningStore for Postgres {
    async fn create_tenant(
        &self,
        tenant: &Tenant,
        machine: &Machine,
        revision: &TenantRevision,
        events: &[AuditEvent],
    ) -> Result<Provisioning, StorageError> {
        let work = Provision {
            step: Step::CreateTenant,
            tenant,
            machine,
            revision,
            events: NewEvents::new(events, self.engine().rng()),
        };
        self.engine().write(&work).await
    }

    async fn complete_profile(
        &self,
        tenant: &Tenant,
        machine: &Machine,
        revision: &TenantRevision,
        events: &[AuditEvent],
    ) -> Result<Provisioning, StorageError> {
        let work = Provision {
            step: Step::CompleteProfile,
            tenant,
            machine,
            revision,
            events: NewEvents::new(events, self.engine().rng()),
        };
        self.engine().write(&work).await
    }
}

/// A tenant with a complete profile and its machine user.
struct Provision<'a> {
    step: Step,
    tenant: &'a Tenant,
    machine: &'a Machine,
    revision: &'a TenantRevision,
    events: NewEvents<'a>,
}

/// Where the tenant comes from.
#[derive(Clone, Copy)]
enum Step {
    CreateTenant,
    CompleteProfile,
}

#[async_trait]
impl TransactionWork for Provision<'_> {
    type Output = Provisioning;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(&self.tenant.organization.id)
    }

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Provisioning>, EngineError> {
        let tenant = match self.step {
            Step::CreateTenant => self.create_tenant(transaction).await?,
            Step::CompleteProfile => self.complete_profile(transaction).await?,
        };
        match tenant {
            Provisioning::Done => {}
            taken @ (Provisioning::OrganizationTaken
            | Provisioning::DomainTaken
            | Provisioning::Complete) => {
                let recorded = self.events.are_recorded(transaction).await?;
                let outcome = if recorded { Provisioning::Done } else { taken };
                return Ok(TransactionEnd::Rollback(outcome));
            }
        }
        let Machine {
            subject,
            role,
            application,
        } = self.machine;
        insert_subject(transaction, subject).await?;
        insert_grant(transaction, &subject.id, &subject.home_organization, role).await?;
        upsert_application(transaction, application).await?;
        insert_revision(transaction, &self.tenant.organization.id, self.revision).await?;
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        Ok(TransactionEnd::Commit(Provisioning::Done))
    }
}

impl Provision<'_> {
    /// Inserts the organization and its tenant.
    async fn create_tenant(&self, transaction: &Transaction) -> Result<Provisioning, EngineError> {
        let inserted = insert_organization(transaction, &self.tenant.organization).await?;
        if inserted == Provisioning::Done {
            insert_tenant(transaction, self.tenant, Some(self.revision.at)).await?;
        }
        Ok(inserted)
    }

    async fn complete_profile(
        &self,
        transaction: &Transaction,
    ) -> Result<Provisioning, EngineError> {
        let tenant = self.tenant;
        let update = concat!(
            "UPDATE tenants SET (",
            profile_columns!(),
            ", profile_completed_at, concurrency_stamp)
             = ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
             WHERE organization_id = $1 AND profile_completed_at IS NULL"
        );
        let row: [Parameter<'_>; 14] = [
            &tenant.organization.id.as_str(),
            &tenant.currency,
            &tenant.country,
            &tenant.time_zone,
            &tenant.tax_id,
            &tenant.address.building,
            &tenant.address.street,
            &tenant.address.district,
            &tenant.address.city,
            &tenant.address.postal_code,
            &tenant.registration_number.scheme,
            &tenant.registration_number.value,
            &self.revision.at.as_millis(),
            &tenant.concurrency_stamp,
        ];
        Ok(match transaction.execute(update, &row).await? {
            0 => Provisioning::Complete,
            _ => Provisioning::Done,
        })
    }
}
