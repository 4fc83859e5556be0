//! Organizations and tenants as records: pages, changes, states and history (decision 0114).

use std::sync::Arc;

use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_http::missing_stamp;
use invoicing_storage::access::Principal;
use invoicing_storage::audit::{AuditEventKind, AuditedValues};
use invoicing_storage::directory::{Organization, Tenant, TenantRegion};
use invoicing_storage::provisioning::Provisioning;
use invoicing_storage::tenants::{OrganizationQuery, TenantAction, TenantChange};

use super::changes::{self, FieldChange, TenantFields};
use super::profile::{NewOrganization, Profile};
use crate::administration::{Administration, AdministrationError, RecordKind, Restriction};

/// A revision of a tenant, with its changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// 1 for the first, then ascending by one.
    pub revision: i64,
    /// When.
    pub at: Timestamp,
    /// Who: the id of a subject, the command line, or the seed.
    pub actor: String,
    /// What was done.
    pub action: TenantAction,
    /// The fields that changed.
    pub changes: Vec<FieldChange>,
}

impl Administration {
    /// An organization by id.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn organization(&self, id: &str) -> Result<Organization, AdministrationError> {
        self.store
            .organization(&id.into())
            .await?
            .ok_or_else(|| AdministrationError::NotFound {
                kind: RecordKind::Organization,
                name: id.to_owned(),
            })
    }

    /// The tenant of an organization, disabled or not.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn tenant(&self, organization: &str) -> Result<Tenant, AdministrationError> {
        let basis = self.store.basis().await?;
        let tenant = self.store.tenant(&organization.into(), basis).await?;
        tenant
            .map(Arc::unwrap_or_clone)
            .ok_or_else(|| tenant_not_found(organization))
    }

    /// The organizations in which a principal has a role, by id.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn organizations_of(
        &self,
        principal: &Principal,
    ) -> Result<Vec<(Organization, Option<TenantRegion>)>, AdministrationError> {
        let ids = principal.roles.values().flatten().cloned().collect();
        Ok(self.store.organizations_with_ids(&ids).await?)
    }

    /// A page of organizations, with their tenants.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn organizations(
        &self,
        query: &OrganizationQuery,
    ) -> Result<Vec<(Organization, Option<Tenant>)>, AdministrationError> {
        Ok(self.store.organization_page(query).await?)
    }

    /// Creates an organization that is no tenant. With `validate_only` nothing is written.
    ///
    /// # Errors
    /// [`AdministrationError::Violations`] with all violations; [`AdministrationError::Exists`] for the id or the domain.
    pub async fn create_organization(
        &self,
        new: NewOrganization,
        validate_only: bool,
    ) -> Result<Organization, AdministrationError> {
        let violations = new.violations();
        if !violations.is_empty() {
            return Err(AdministrationError::Violations(violations));
        }
        let organization = self.new_organization(new);
        let outcome = if validate_only {
            self.check_organization(&organization).await?
        } else {
            let event = self
                .event(AuditEventKind::OrganizationCreated)
                .organization(&organization.id)
                .difference(&AuditedValues::default(), &organization.audited_values());
            self.store
                .create_organization(&organization, &event)
                .await?
        };
        match outcome {
            Provisioning::DomainTaken => Err(AdministrationError::Exists {
                kind: RecordKind::Domain,
                name: organization.domain,
            }),
            Provisioning::OrganizationTaken | Provisioning::Complete => {
                Err(AdministrationError::Exists {
                    kind: RecordKind::Organization,
                    name: organization.id.into_string(),
                })
            }
            Provisioning::Done => Ok(organization),
        }
    }

    /// What [`invoicing_storage::TenantStore::create_organization`] would answer now.
    async fn check_organization(
        &self,
        organization: &Organization,
    ) -> Result<Provisioning, AdministrationError> {
        if self.store.organization(&organization.id).await?.is_some() {
            return Ok(Provisioning::OrganizationTaken);
        }
        let taken = self.store.organization_of_domain(&organization.domain);
        Ok(match taken.await? {
            Some(_) => Provisioning::DomainTaken,
            None => Provisioning::Done,
        })
    }

    /// Makes an organization a tenant without a profile, which its administrator completes. With `validate_only` nothing is
    /// written.
    ///
    /// # Errors
    /// [`AdministrationError::NotFound`] when there is no such organization, [`AdministrationError::Exists`] when it is a tenant.
    pub async fn make_tenant(
        &self,
        organization: &str,
        validate_only: bool,
    ) -> Result<Tenant, AdministrationError> {
        let organization = self.organization(organization).await?;
        // A record that is not stored has no stamp (decision 0129).
        let stamp = if validate_only {
            String::new()
        } else {
            self.new_stamp()
        };
        let tenant = Profile::default().into_tenant(organization, stamp);
        let id = &tenant.organization.id;
        let outcome = if validate_only {
            let basis = self.store.basis().await?;
            match self.store.tenant(id, basis).await? {
                Some(_) => TenantChange::Stale,
                None => TenantChange::Done,
            }
        } else {
            let revision = self.revision(TenantAction::Created, &[]);
            let event = self.event(AuditEventKind::TenantCreated).organization(id);
            self.store.make_tenant(&tenant, &revision, &event).await?
        };
        match outcome {
            TenantChange::Done => Ok(tenant),
            TenantChange::Stale => Err(AdministrationError::Exists {
                kind: RecordKind::Tenant,
                name: tenant.organization.id.into_string(),
            }),
            TenantChange::NotFound => Err(AdministrationError::NotFound {
                kind: RecordKind::Organization,
                name: tenant.organization.id.into_string(),
            }),
        }
    }

    /// Replaces the fields of a tenant that has the stamp. Fields that are all as before are no change. With `validate_only`
    /// nothing is written.
    ///
    /// # Errors
    /// [`AdministrationError::Violations`] with all violations; [`AdministrationError::StampMismatch`] when the tenant was
    /// changed since the stamp was read; [`Restriction::ProfileIncomplete`] before the profile is completed.
    pub async fn update_tenant(
        &self,
        organization: &str,
        fields: TenantFields,
        stamp: &str,
        validate_only: bool,
    ) -> Result<Tenant, AdministrationError> {
        let current = self.tenant(organization).await?;
        // First: without a profile there is no country to check the fields for.
        if !current.has_profile() {
            return Err(AdministrationError::NotAllowed(
                Restriction::ProfileIncomplete,
            ));
        }
        let mut violations = fields.violations(&current);
        violations.extend(missing_stamp(stamp, "state"));
        if !violations.is_empty() {
            return Err(AdministrationError::Violations(violations));
        }
        if current.concurrency_stamp != stamp {
            return Err(AdministrationError::StampMismatch);
        }
        if fields == TenantFields::of(&current) {
            return Ok(current);
        }
        if validate_only {
            // What is stored keeps its stamp (decision 0129).
            return Ok(fields.apply(&current, stamp.to_owned()));
        }
        let changed = fields.apply(&current, self.new_stamp());
        let changes = changes::between(&current, &changed);
        let event = self
            .event(AuditEventKind::TenantChanged)
            .organization(&changed.organization.id)
            .difference(&current.audited_values(), &changed.audited_values());
        let revision = self.revision(TenantAction::Updated, &changes);
        let outcome = self
            .store
            .update_tenant(&changed, stamp, &revision, &event)
            .await?;
        match outcome {
            TenantChange::Done => Ok(changed),
            TenantChange::Stale => Err(AdministrationError::StampMismatch),
            TenantChange::NotFound => Err(tenant_not_found(organization)),
        }
    }

    /// Disables a tenant: from the next request on it cannot be resolved. Disabling it again changes nothing.
    ///
    /// # Errors
    /// [`AdministrationError::NotFound`]; [`Restriction::OperatorStaysEnabled`] for the operator organization.
    pub async fn disable_tenant(&self, organization: &str) -> Result<Tenant, AdministrationError> {
        let current = self.tenant(organization).await?;
        let id = &current.organization.id;
        if self.store.operator().await?.as_ref() == Some(id) {
            return Err(AdministrationError::NotAllowed(
                Restriction::OperatorStaysEnabled,
            ));
        }
        let (action, kind) = (TenantAction::Disabled, AuditEventKind::TenantDisabled);
        self.set_disabled(id, Some(self.now()), action, kind).await
    }

    /// Enables a disabled tenant. Enabling it again changes nothing.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn enable_tenant(&self, organization: &str) -> Result<Tenant, AdministrationError> {
        let (action, kind) = (TenantAction::Enabled, AuditEventKind::TenantEnabled);
        self.set_disabled(&organization.into(), None, action, kind)
            .await
    }

    async fn set_disabled(
        &self,
        organization: &OrganizationId,
        disabled_at: Option<Timestamp>,
        action: TenantAction,
        kind: AuditEventKind,
    ) -> Result<Tenant, AdministrationError> {
        let event = self.event(kind).organization(organization);
        let (revision, stamp) = (self.revision(action, &[]), self.new_stamp());
        self.store
            .set_tenant_disabled(organization, disabled_at, &stamp, &revision, &event)
            .await?;
        self.tenant(organization.as_str()).await
    }

    /// Revisions of a tenant, newest first, before the revision `before`.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn tenant_history(
        &self,
        organization: &str,
        before: Option<i64>,
        size: u32,
    ) -> Result<Vec<Revision>, AdministrationError> {
        let organization = self.tenant(organization).await?.organization.id;
        let revisions = self.store.tenant_history(&organization, before, size);
        let revisions = revisions.await?.into_iter().map(|stored| {
            Ok(Revision {
                revision: stored.revision,
                at: stored.at,
                actor: stored.actor,
                action: stored.action,
                changes: changes::from_json(&stored.changes)?,
            })
        });
        revisions.collect()
    }
}

fn tenant_not_found(organization: &str) -> AdministrationError {
    AdministrationError::NotFound {
        kind: RecordKind::Tenant,
        name: organization.to_owned(),
    }
}
