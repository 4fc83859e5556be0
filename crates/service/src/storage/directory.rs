//! Storage of organizations, tenants and subjects.

use async_trait::async_trait;

use super::StorageError;

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    /// Id.
    pub id: String,
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

/// A person or a machine user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Id, the `sub` of its tokens.
    pub id: String,
    /// Name to sign in with, lower case.
    pub username: String,
    /// Name for people.
    pub name: String,
    /// Address for mail.
    pub email: Option<String>,
    /// Id of the home organization.
    pub home_organization: String,
    /// argon2id in PHC form; `None` for a machine user.
    pub password_hash: Option<String>,
    /// What was given out for it before this moment is dead, in milliseconds since 1970.
    pub valid_from: i64,
}

/// A role of a subject in an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Organization id.
    pub organization: String,
    /// The organization's primary domain.
    pub domain: String,
    /// Role key.
    pub role: String,
}

/// What is known about organizations and people.
#[async_trait]
pub trait DirectoryStore: Send + Sync {
    /// The value of a setting, after writing `value` if there was none.
    async fn setting_or(&self, name: &str, value: &str) -> Result<String, StorageError>;

    /// Adds an organization, or brings it up to date.
    async fn put_organization(&self, organization: &Organization) -> Result<(), StorageError>;
    /// An organization by id.
    async fn organization(&self, id: &str) -> Result<Option<Organization>, StorageError>;
    /// All organizations, by id.
    async fn organizations(&self) -> Result<Vec<Organization>, StorageError>;
    /// Adds a tenant for an organization that exists, or brings it up to date.
    async fn put_tenant(&self, tenant: &Tenant) -> Result<(), StorageError>;
    /// The tenant of an organization.
    async fn tenant(&self, organization: &str) -> Result<Option<Tenant>, StorageError>;

    /// Adds a subject, or brings it up to date.
    async fn put_subject(&self, subject: &Subject) -> Result<(), StorageError>;
    /// A subject that is not disabled, by id.
    async fn subject(&self, id: &str) -> Result<Option<Subject>, StorageError>;
    /// A subject that is not disabled, by its lower-case username.
    async fn subject_by_username(&self, username: &str) -> Result<Option<Subject>, StorageError>;
    /// Disables a subject: its password stops working, and whatever was given out for it is dead for good.
    async fn disable_subject(&self, id: &str, now: i64) -> Result<(), StorageError>;
    /// Lets a disabled subject in again, with its password. What was given out for it before stays dead.
    async fn enable_subject(&self, id: &str) -> Result<(), StorageError>;
    /// Grants a role.
    async fn put_grant(
        &self,
        subject: &str,
        organization: &str,
        role: &str,
    ) -> Result<(), StorageError>;
    /// All roles of a subject.
    async fn grants(&self, subject: &str) -> Result<Vec<Grant>, StorageError>;
}
