//! Tenants: organizations that invoice.

mod changes;
mod profile;
mod records;
mod seller;

use std::sync::Arc;

use invoicing_contract::OrganizationId;

pub use self::changes::{FieldChange, TenantFields};
pub use self::profile::{NewOrganization, NewTenant, Profile};
pub(super) use self::profile::{check_text, domain_name, domain_name_of_any_spelling};
pub use self::records::Revision;
use super::{ATTEMPTS, Administration, AdministrationError, RecordKind};
use invoicing_storage::StorageError;
use invoicing_storage::audit::{self, AuditedValues};
use invoicing_storage::directory::{Organization, Tenant};
use invoicing_storage::plans::Limits;
use invoicing_storage::provisioning::{Machine, Provisioning};
use invoicing_storage::secret::{Secret, random_id};
use invoicing_storage::tenants::{TenantAction, TenantRevision};

/// The role of machine users: all operations on documents and none of administration.
const MACHINE_ROLE: &str = "accountant";

/// A tenant and the credentials of its new machine user, which are returned once.
#[derive(Debug)]
pub struct ProvisionedTenant {
    /// The tenant.
    pub tenant: Tenant,
    /// The client id of the machine user's application.
    pub client_id: String,
    /// The client secret of the machine user's application.
    pub client_secret: Secret,
}

impl Administration {
    /// Creates an organization, its tenant and a machine user in one transaction.
    ///
    /// # Errors
    /// [`AdministrationError::Violations`] with all violations; [`AdministrationError::Exists`] for the id or the domain.
    pub async fn create_tenant(
        &self,
        new: NewTenant,
    ) -> Result<ProvisionedTenant, AdministrationError> {
        let NewTenant {
            organization,
            profile,
        } = new;
        let violations = [organization.violations(), profile.violations()].concat();
        if !violations.is_empty() {
            return Err(AdministrationError::Violations(violations));
        }
        let organization = self.new_organization(organization);
        let tenant = profile.into_tenant(organization, self.new_stamp());
        let (machine, client_secret) = self.new_machine(&tenant.organization);
        let events = [
            self.event(audit::AuditEventKind::TenantCreated)
                .organization(&tenant.organization.id)
                .client(&machine.application.client_id)
                .difference(&AuditedValues::default(), &tenant.audited_values()),
            self.machine_created_event(&machine),
        ];
        let revision = self.revision(TenantAction::Created, &[]);
        let outcome = self
            .store
            .create_tenant(&tenant, &machine, &revision, &events)
            .await?;
        provisioning_result(outcome, tenant, machine, client_secret)
    }

    /// Completes the profile of a tenant, which is possible once, and creates a machine user for it.
    ///
    /// # Errors
    /// [`AdministrationError::Violations`] with all violations; [`AdministrationError::ProfileComplete`] if it was
    /// completed before.
    pub async fn complete_profile(
        &self,
        tenant: Tenant,
        profile: Profile,
    ) -> Result<ProvisionedTenant, AdministrationError> {
        let violations = profile.violations();
        if !violations.is_empty() {
            return Err(AdministrationError::Violations(violations));
        }
        let completed = Tenant {
            own_limits: tenant.own_limits,
            plan: tenant.plan.clone(),
            authority_endpoint: tenant.authority_endpoint.clone(),
            disabled_at: tenant.disabled_at,
            ..profile.into_tenant(tenant.organization.clone(), self.new_stamp())
        };
        let revision = self.revision(
            TenantAction::ProfileCompleted,
            &changes::between(&tenant, &completed),
        );
        let (machine, client_secret) = self.new_machine(&completed.organization);
        let events = [
            self.event(audit::AuditEventKind::ProfileCompleted)
                .organization(&completed.organization.id)
                .client(&machine.application.client_id)
                .difference(&tenant.audited_values(), &completed.audited_values()),
            self.machine_created_event(&machine),
        ];
        let outcome = self
            .store
            .complete_profile(&completed, &machine, &revision, &events)
            .await?;
        provisioning_result(outcome, completed, machine, client_secret)
    }

    /// The next revision of a tenant.
    pub(super) fn revision(&self, action: TenantAction, changes: &[FieldChange]) -> TenantRevision {
        TenantRevision {
            revision: 0,
            at: self.now(),
            actor: self.actor.clone(),
            action,
            changes: changes::to_json(changes),
        }
    }

    pub(super) fn new_stamp(&self) -> String {
        random_id(&*self.rng)
    }

    fn new_organization(&self, new: NewOrganization) -> Organization {
        let NewOrganization {
            id,
            name,
            name_ar,
            domain,
        } = new;
        let id = if id.is_empty() { self.new_id() } else { id };
        Organization {
            id: id.into(),
            name_ar: if name_ar.is_empty() {
                name.clone()
            } else {
                name_ar
            },
            name,
            domain: domain_name(&domain).unwrap_or(domain),
        }
    }

    pub(super) fn machine_created_event(&self, machine: &Machine) -> audit::AuditEvent {
        self.event(audit::AuditEventKind::UserCreated)
            .subject(&machine.subject.id)
            .organization(&machine.subject.home_organization)
            .client(&machine.application.client_id)
            .detail("role", &*machine.role)
    }

    /// The machine user of a new tenant.
    fn new_machine(&self, organization: &Organization) -> (Machine, Secret) {
        let name = format!("{} (automation)", organization.name);
        self.machine(self.new_id(), &organization.id, name, MACHINE_ROLE)
    }

    /// Makes a tenant the operator organization. Naming it again changes nothing.
    ///
    /// # Errors
    /// [`AdministrationError::Exists`] if the environment has another one; [`AdministrationError::NotFound`] if it is no tenant.
    pub async fn name_operator(&self, organization: &str) -> Result<Tenant, AdministrationError> {
        let organization = &OrganizationId::new(organization);
        let basis = self.store.basis().await?;
        let Some(tenant) = self.store.tenant(organization, basis).await? else {
            return Err(AdministrationError::NotFound {
                kind: RecordKind::Tenant,
                name: organization.to_string(),
            });
        };
        let event = self
            .event(audit::AuditEventKind::OperatorNamed)
            .organization(organization);
        let operator = self.store.name_operator(organization, &event).await?;
        if operator != *organization {
            return Err(AdministrationError::Exists {
                kind: RecordKind::Operator,
                name: operator.into_string(),
            });
        }
        Ok(Arc::unwrap_or_clone(tenant))
    }

    /// Sets the limits of a tenant's own, which replace those of its plan; `None` for that of the plan (decision 0118).
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn set_limits(
        &self,
        organization: &str,
        limits: &Limits,
    ) -> Result<Tenant, AdministrationError> {
        for _attempt in 0..ATTEMPTS {
            let tenant = self.tenant(organization).await?;
            let (id, before) = (&tenant.organization.id, &tenant.own_limits);
            if before == limits {
                return Ok(tenant);
            }
            let event = self
                .event(audit::AuditEventKind::TenantChanged)
                .organization(id)
                .difference(&before.audited_values(), &limits.audited_values());
            if self.store.set_limits(id, before, limits, &event).await? {
                return self.tenant(organization).await;
            }
        }
        Err(StorageError::Busy.into())
    }
}

fn provisioning_result(
    outcome: Provisioning,
    tenant: Tenant,
    machine: Machine,
    client_secret: Secret,
) -> Result<ProvisionedTenant, AdministrationError> {
    match outcome {
        Provisioning::Done => Ok(ProvisionedTenant {
            tenant,
            client_id: machine.application.client_id.into_string(),
            client_secret,
        }),
        Provisioning::OrganizationTaken => Err(AdministrationError::Exists {
            kind: RecordKind::Tenant,
            name: tenant.organization.id.into_string(),
        }),
        Provisioning::DomainTaken => Err(AdministrationError::Exists {
            kind: RecordKind::Domain,
            name: tenant.organization.domain,
        }),
        Provisioning::Complete => Err(AdministrationError::ProfileComplete),
    }
}
