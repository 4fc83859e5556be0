//! Settings, organizations and tenants.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use invoice::content::Identifier;
use invoicing_contract::{OrganizationId, Timestamp};

use super::audit::{AuditEvent, AuditedValues};
use super::plans::{Entitlement, Entitlements, Limits, Plan};
use super::{Basis, StorageError};

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    /// Id.
    pub id: OrganizationId,
    /// Name in English.
    pub name: String,
    /// Name in Arabic.
    pub name_ar: String,
    /// Primary domain.
    pub domain: String,
}

impl Organization {
    /// What events say of it.
    #[must_use]
    pub fn audited_values(&self) -> AuditedValues {
        AuditedValues::default()
            .value("domain", &*self.domain)
            .concealed("name", &self.name)
            .concealed("nameAr", &self.name_ar)
    }
}

/// Where a tenant keeps its accounts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TenantRegion {
    /// ISO 3166-1 alpha-2.
    pub country: String,
    /// Currency of its accounts, ISO 4217.
    pub currency: String,
    /// IANA time zone in which its days begin.
    pub time_zone: String,
}

/// The invoicing profile of an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    /// The organization.
    pub organization: Organization,
    /// Currency of its accounts, ISO 4217.
    pub currency: String,
    /// ISO 3166-1 alpha-2.
    pub country: String,
    /// IANA time zone, as `Asia/Riyadh`, in which its days begin.
    pub time_zone: String,
    /// VAT registration number.
    pub tax_id: String,
    /// The number under which an authority of its country has registered it, with its scheme (BT-29). Empty: it has none.
    pub registration_number: Identifier,
    /// Postal address.
    pub address: TenantAddress,
    /// Limits of its own, which replace those of its plan ([`Tenant::limits`]).
    pub own_limits: Limits,
    /// Its plan; `None`: every entitlement, and no limits but its own. A new tenant gets it with
    /// [`assign_plan`](crate::PlanStore::assign_plan).
    pub plan: Option<Plan>,
    /// Clearance endpoint of its tax authority; `None`: no clearance.
    pub authority_endpoint: Option<String>,
    /// Changes with every change of the fields above, except the limits (decision 0019).
    pub concurrency_stamp: String,
    /// When an operator disabled it; `None` if it is enabled.
    pub disabled_at: Option<Timestamp>,
}

impl Tenant {
    /// The stamp of a tenant that was never changed since a seed or a former version added it.
    pub const INITIAL_STAMP: &'static str = "initial";

    /// Whether the profile is there. Without one, all fields of the profile are empty, and the organization can do nothing but
    /// complete it (decision 0114).
    #[must_use]
    pub fn has_profile(&self) -> bool {
        !self.currency.is_empty()
    }

    /// What events say of it and its organization, without its limits and its plan. Its history has all of it.
    #[must_use]
    pub fn audited_values(&self) -> AuditedValues {
        let (number, address) = (&self.registration_number, &self.address);
        self.organization
            .audited_values()
            .value("currency", &*self.currency)
            .value("country", &*self.country)
            .value("time_zone", &*self.time_zone)
            .concealed("profile.taxId", &self.tax_id)
            .concealed("profile.registrationNumber.scheme", &number.scheme)
            .concealed("profile.registrationNumber.value", &number.value)
            .concealed("profile.address.building", &address.building)
            .concealed("profile.address.street", &address.street)
            .concealed("profile.address.district", &address.district)
            .concealed("profile.address.city", &address.city)
            .concealed("profile.address.postalCode", &address.postal_code)
    }

    /// The limits that hold.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let of_plan = self.plan.as_ref().map(|plan| plan.limits);
        self.own_limits.or(of_plan.unwrap_or_default())
    }

    /// The entitlements that hold.
    #[must_use]
    pub fn entitlements(&self) -> &Entitlements {
        self.plan
            .as_ref()
            .map_or(&Entitlements::ALL, |plan| &plan.entitlements)
    }

    /// Whether its plan includes an entitlement. Without it the request is refused as any without permission: 403 (decision
    /// 0118).
    #[must_use]
    pub fn has(&self, entitlement: Entitlement<'_>) -> bool {
        self.entitlements().include(entitlement)
    }
}

/// A postal address.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TenantAddress {
    pub building: String,
    pub street: String,
    pub district: String,
    pub city: String,
    pub postal_code: String,
}

/// Settings, organizations and tenants.
#[async_trait]
pub trait DirectoryStore: Send + Sync {
    /// The value of a setting, which becomes `value` if there is none.
    async fn setting_or(&self, name: &str, value: &str) -> Result<String, StorageError>;

    /// The value of a setting.
    async fn setting(&self, name: &str) -> Result<Option<String>, StorageError>;

    /// Replaces the value of a setting, and records `event`, unless it is no longer `stored`. Returns whether it did.
    async fn replace_setting(
        &self,
        name: &str,
        stored: &str,
        replacement: &str,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;

    /// Adds an organization, unless its id or its domain is taken.
    async fn add_organization(&self, organization: &Organization) -> Result<(), StorageError>;
    /// An organization by id.
    async fn organization(&self, id: &OrganizationId)
    -> Result<Option<Organization>, StorageError>;
    /// The organization that has this domain, verified or named by an operator.
    async fn organization_of_domain(
        &self,
        domain: &str,
    ) -> Result<Option<OrganizationId>, StorageError>;
    /// The organizations with these ids, by id, with the regions of those that are tenants. There is none for an id that no
    /// organization has.
    async fn organizations_with_ids(
        &self,
        ids: &BTreeSet<OrganizationId>,
    ) -> Result<Vec<(Organization, Option<TenantRegion>)>, StorageError>;
    /// All organizations, by id.
    async fn organizations(&self) -> Result<Vec<Organization>, StorageError>;
    /// Makes an existing organization the operator's, unless the environment has one. Returns the operator organization: this
    /// one, or the one that the environment had (decision 0022).
    async fn name_operator(
        &self,
        organization: &OrganizationId,
        event: &AuditEvent,
    ) -> Result<OrganizationId, StorageError>;
    /// The operator organization of the environment.
    async fn operator(&self) -> Result<Option<OrganizationId>, StorageError>;
    /// Adds the tenant of an existing organization, unless it has one.
    async fn add_tenant(&self, tenant: &Tenant) -> Result<(), StorageError>;
    /// Sets the limits of a tenant's own, in place of `before`. False, and nothing is written, when it has others or does not
    /// exist.
    async fn set_limits(
        &self,
        organization: &OrganizationId,
        before: &Limits,
        limits: &Limits,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// The tenant of an organization, at least as new as `basis`.
    async fn tenant(
        &self,
        organization: &OrganizationId,
        basis: Basis,
    ) -> Result<Option<Arc<Tenant>>, StorageError>;
}
