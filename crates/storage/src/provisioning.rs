//! Creation of tenants with their machine users.

use async_trait::async_trait;

use super::StorageError;
use super::applications::Application;
use super::audit::AuditEvent;
use super::directory::Tenant;
use super::subjects::Subject;
use super::tenants::TenantRevision;

/// A new machine user and its application.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The subject.
    pub subject: Subject,
    /// Its role in its home organization.
    pub role: String,
    /// The application that authenticates as the subject.
    pub application: Application,
}

/// The outcome of provisioning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provisioning {
    /// Everything is stored.
    Done,
    /// The organization id is taken. Nothing was written.
    OrganizationTaken,
    /// The domain is taken. Nothing was written.
    DomainTaken,
    /// The profile was completed before, or there is no such tenant. Nothing was written.
    Complete,
}

/// Provisioning. Each method is one transaction with its audit events.
#[async_trait]
pub trait ProvisioningStore: Send + Sync {
    /// Adds an organization, its tenant with a profile that is complete at the time of the revision, and its machine user.
    async fn create_tenant(
        &self,
        tenant: &Tenant,
        machine: &Machine,
        revision: &TenantRevision,
        events: &[AuditEvent],
    ) -> Result<Provisioning, StorageError>;
    /// Completes the profile of an existing tenant, once, at the time of the revision, and adds its machine user.
    async fn complete_profile(
        &self,
        tenant: &Tenant,
        machine: &Machine,
        revision: &TenantRevision,
        events: &[AuditEvent],
    ) -> Result<Provisioning, StorageError>;
}
