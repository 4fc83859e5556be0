//! Storage of new tenants together with the machine user that each comes with.

use async_trait::async_trait;

use super::StorageError;
use super::applications::Application;
use super::audit::Entry;
use super::directory::Tenant;
use super::subjects::Subject;

/// A machine user to be, with the application that acts for it.
#[derive(Debug, Clone)]
pub struct Machine {
    /// Who it is.
    pub subject: Subject,
    /// Its role in its home organization.
    pub role: &'static str,
    /// What it authenticates with.
    pub application: Application,
}

/// What became of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provisioning {
    /// All of it is stored.
    Done,
    /// There is an organization with this id. Nothing was written.
    OrganizationTaken,
    /// There is an organization with this domain. Nothing was written.
    DomainTaken,
    /// The profile was completed before, or there is no such tenant. Nothing was written.
    Complete,
}

/// What makes tenants: all or nothing, with the entries that tell of it.
#[async_trait]
pub trait ProvisioningStore: Send + Sync {
    /// Adds an organization, its tenant with a profile that is complete, and its machine user.
    async fn create_tenant(
        &self,
        tenant: &Tenant,
        machine: &Machine,
        now: i64,
        entries: &[Entry],
    ) -> Result<Provisioning, StorageError>;
    /// Completes the profile of a tenant that is there, once, and adds its machine user.
    async fn complete_profile(
        &self,
        tenant: &Tenant,
        machine: &Machine,
        now: i64,
        entries: &[Entry],
    ) -> Result<Provisioning, StorageError>;
}
