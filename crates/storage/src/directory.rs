//! Storage of organizations and tenants.

use async_trait::async_trait;
use invoicing_contract::OrganizationId;

use super::StorageError;
use super::audit::Entry;

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

/// What invoicing for an organization needs to know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    /// The organization.
    pub organization: Organization,
    /// Currency of its accounts, ISO 4217.
    pub currency: String,
    /// ISO 3166-1 alpha-2.
    pub country: String,
    /// IANA name, as `Asia/Riyadh`: where its days begin.
    pub time_zone: String,
    /// Its VAT number.
    pub tax_id: String,
    /// Where it is.
    pub address: TenantAddress,
    /// Documents it may issue in a month; `None` for no limit.
    pub monthly_documents: Option<i64>,
    /// Requests it may send in a minute; `None` for the service's default.
    pub requests_per_minute: Option<i64>,
    /// Where the tax authority clears its documents; `None` when nobody does.
    pub authority_endpoint: Option<String>,
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

/// What is known about organizations.
#[async_trait]
pub trait DirectoryStore: Send + Sync {
    /// The value of a setting, after writing `value` if there was none.
    async fn setting_or(&self, name: &str, value: &str) -> Result<String, StorageError>;

    /// The value of a setting.
    async fn setting(&self, name: &str) -> Result<Option<String>, StorageError>;

    /// Adds an organization, unless there is one with its id or its domain.
    async fn add_organization(&self, organization: &Organization) -> Result<(), StorageError>;
    /// An organization by id.
    async fn organization(&self, id: &OrganizationId)
    -> Result<Option<Organization>, StorageError>;
    /// All organizations, by id.
    async fn organizations(&self) -> Result<Vec<Organization>, StorageError>;
    /// Adds a tenant for an organization that exists, unless it is one.
    async fn add_tenant(&self, tenant: &Tenant) -> Result<(), StorageError>;
    /// Sets how much a tenant may do. False when there is no such tenant.
    async fn set_limits(
        &self,
        organization: &OrganizationId,
        monthly_documents: Option<i64>,
        requests_per_minute: Option<i64>,
        entry: &Entry,
    ) -> Result<bool, StorageError>;
    /// The tenant of an organization.
    async fn tenant(&self, organization: &OrganizationId) -> Result<Option<Tenant>, StorageError>;
}
