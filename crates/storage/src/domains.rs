//! Domains of organizations: claimed with a token, and of one organization once they are verified (decision 0115).

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, Timestamp};

use super::StorageError;
use super::audit::AuditEvent;
use super::tenants::TenantRevision;

/// A domain of an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    /// The name, in lower case and in its ASCII form.
    pub name: String,
    /// What its owner has to publish; `None` once it is verified, or if an operator named it.
    pub token: Option<String>,
    /// Whether it is the primary domain, which claims name (contract, part 2).
    pub is_primary: bool,
}

impl Domain {
    /// Whether it belongs to the organization.
    #[must_use]
    pub const fn is_verified(&self) -> bool {
        self.token.is_none()
    }
}

/// The outcome of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DomainClaim {
    /// It is stored.
    Done,
    /// The organization has or claims it already. Nothing was written.
    Exists,
    /// The organization has as many as it may. Nothing was written.
    TooMany,
}

/// The outcome of a change of a domain. Nothing is written unless it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DomainChange {
    /// It is stored.
    Done,
    /// The organization neither has nor claims it.
    NotFound,
    /// It is verified by another organization.
    Taken,
    /// It is the primary domain, which cannot be removed.
    Primary,
    /// It is not verified, so it cannot be the primary one.
    NotVerified,
    /// The domain is not as the event says: another one is primary, or it was verified meanwhile.
    Stale,
}

/// The domains of organizations. A change is one transaction with its event.
#[async_trait]
pub trait DomainStore: Send + Sync {
    /// Claims a domain, unless the organization has `limit` domains and claims. Several organizations can claim the same one.
    async fn claim_domain(
        &self,
        organization: &OrganizationId,
        name: &str,
        token: &str,
        limit: u32,
        event: &AuditEvent,
    ) -> Result<DomainClaim, StorageError>;
    /// Domains and claims of an organization by name, beginning after `after`.
    async fn domains(
        &self,
        organization: &OrganizationId,
        after: Option<&str>,
        size: u32,
    ) -> Result<Vec<Domain>, StorageError>;
    /// A domain or claim of an organization.
    async fn domain(
        &self,
        organization: &OrganizationId,
        name: &str,
    ) -> Result<Option<Domain>, StorageError>;
    /// Notes that a claim is checked now. False when it was checked after `since`, or does not exist: an attempt makes a request
    /// to a server that the caller chose. No change of a record, so it has no event.
    async fn begin_verification(
        &self,
        organization: &OrganizationId,
        name: &str,
        now: Timestamp,
        since: Timestamp,
    ) -> Result<bool, StorageError>;
    /// Makes a claim a domain of the organization, unless it is one of another. A verified one is done.
    async fn verify_domain(
        &self,
        organization: &OrganizationId,
        name: &str,
        event: &AuditEvent,
    ) -> Result<DomainChange, StorageError>;
    /// Removes a claim, or a domain that is not primary. `verified` is what the event says of it; otherwise it is stale.
    async fn remove_domain(
        &self,
        organization: &OrganizationId,
        name: &str,
        verified: bool,
        event: &AuditEvent,
    ) -> Result<DomainChange, StorageError>;
    /// Makes a verified domain of a tenant the primary one in place of `before`, replaces the stamp of the tenant and adds the
    /// revision. The primary one is done.
    async fn set_primary_domain(
        &self,
        organization: &OrganizationId,
        before: &str,
        name: &str,
        stamp: &str,
        revision: &TenantRevision,
        event: &AuditEvent,
    ) -> Result<DomainChange, StorageError>;
}
