//! Administration of tenants: pages of organizations, changes of profiles, states, and their history.

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, Timestamp};

use super::StorageError;
use super::audit::AuditEvent;
use super::directory::{Organization, Tenant};
use super::provisioning::Provisioning;

/// What an organization is to the gateway (decision 0114).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrganizationState {
    /// It has no tenant, so requests that target it cannot be resolved.
    NoTenant,
    /// Its tenant has no profile yet.
    ProfileIncomplete,
    /// Its tenant invoices.
    Active,
    /// An operator has disabled its tenant: requests that target it cannot be resolved.
    Disabled,
}

impl OrganizationState {
    /// Every state.
    pub const ALL: [Self; 4] = [
        Self::NoTenant,
        Self::ProfileIncomplete,
        Self::Active,
        Self::Disabled,
    ];

    /// The state of an organization with this tenant.
    #[must_use]
    pub fn of(tenant: Option<&Tenant>) -> Self {
        match tenant {
            None => Self::NoTenant,
            Some(tenant) if tenant.disabled_at.is_some() => Self::Disabled,
            Some(tenant) if !tenant.has_profile() => Self::ProfileIncomplete,
            Some(_) => Self::Active,
        }
    }

    /// The name in statements and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoTenant => "no-tenant",
            Self::ProfileIncomplete => "profile-incomplete",
            Self::Active => "active",
            Self::Disabled => "disabled",
        }
    }
}

/// A query for organizations, by id. A field that is `None` or empty does not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrganizationQuery {
    /// Text in the id, a name or the tax number, without regard to the case of ASCII letters.
    pub text: String,
    /// A verified domain, in lower case.
    pub domain: Option<String>,
    /// Organizations in this state.
    pub state: Option<OrganizationState>,
    /// Only organizations that have a tenant.
    pub tenants_only: bool,
    /// The id of the last organization of the page before.
    pub after: Option<OrganizationId>,
    /// Organizations of a page.
    pub size: u32,
}

/// A change of a tenant in its history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantRevision {
    /// 1 for the first, then ascending by one. Ignored when a change is written: the engine counts.
    pub revision: i64,
    /// When.
    pub at: Timestamp,
    /// Who: the id of a subject, [`COMMAND_LINE`](crate::audit::COMMAND_LINE), or `seed` of a demo tenant.
    pub actor: String,
    /// What.
    pub action: TenantAction,
    /// The fields that changed, as JSON: `[{"field": "taxId", "before": "…", "after": "…"}]`.
    pub changes: String,
}

/// What was done to a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TenantAction {
    /// The organization became a tenant.
    Created,
    /// The profile was completed.
    ProfileCompleted,
    /// Fields were changed.
    Updated,
    /// It was disabled.
    Disabled,
    /// It was enabled again.
    Enabled,
}

impl TenantAction {
    /// Every action.
    pub const ALL: [Self; 5] = [
        Self::Created,
        Self::ProfileCompleted,
        Self::Updated,
        Self::Disabled,
        Self::Enabled,
    ];

    /// The stored name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::ProfileCompleted => "profile_completed",
            Self::Updated => "updated",
            Self::Disabled => "disabled",
            Self::Enabled => "enabled",
        }
    }

    /// The action with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }
}

/// The outcome of a change of a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TenantChange {
    /// It is stored.
    Done,
    /// There was another change since the stamp was read. Nothing was written.
    Stale,
    /// There is no such tenant. Nothing was written.
    NotFound,
}

/// Administration of tenants. Each change is one transaction with its revision and its audit event.
#[async_trait]
pub trait TenantStore: Send + Sync {
    /// A page of organizations with their tenants, by id.
    async fn organization_page(
        &self,
        query: &OrganizationQuery,
    ) -> Result<Vec<(Organization, Option<Tenant>)>, StorageError>;
    /// Adds an organization that is no tenant.
    async fn create_organization(
        &self,
        organization: &Organization,
        event: &AuditEvent,
    ) -> Result<Provisioning, StorageError>;
    /// Makes an existing organization a tenant without a profile. [`TenantChange::Stale`] when it is one already.
    async fn make_tenant(
        &self,
        tenant: &Tenant,
        revision: &TenantRevision,
        event: &AuditEvent,
    ) -> Result<TenantChange, StorageError>;
    /// Replaces names, time zone, tax number, registration number and address of a tenant whose stamp is `based_on`, and its stamp.
    async fn update_tenant(
        &self,
        tenant: &Tenant,
        based_on: &str,
        revision: &TenantRevision,
        event: &AuditEvent,
    ) -> Result<TenantChange, StorageError>;
    /// Disables a tenant at the time, or enables it if there is none, and replaces its stamp. False, and nothing is written,
    /// when it is disabled or enabled already, does not exist, or is to be disabled and is the operator's.
    async fn set_tenant_disabled(
        &self,
        organization: &OrganizationId,
        disabled_at: Option<Timestamp>,
        stamp: &str,
        revision: &TenantRevision,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// Revisions of a tenant, newest first, beginning before `before`.
    async fn tenant_history(
        &self,
        organization: &OrganizationId,
        before: Option<i64>,
        size: u32,
    ) -> Result<Vec<TenantRevision>, StorageError>;
}
