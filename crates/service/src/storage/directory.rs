//! Storage of organizations, tenants, subjects, applications and signing keys.

use async_trait::async_trait;
use invoicing_contract::ready::ApplicationKind;

use super::StorageError;
use crate::identity::secret::TokenHash;

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

/// A registered application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    /// OAuth client id.
    pub client_id: String,
    /// Name for people.
    pub name: String,
    /// What it is for.
    pub kind: ApplicationKind,
    /// Hash of the client secret, if it has one.
    pub secret_hash: Option<TokenHash>,
    /// The machine user it acts as.
    pub subject: Option<String>,
    /// Grant types it may use, by their OAuth names.
    pub grant_types: Vec<String>,
    /// Where it may be called back.
    pub redirect_uris: Vec<String>,
    /// Where it may be called back after signing out.
    pub post_logout_uris: Vec<String>,
    /// What its id_tokens are signed with.
    pub id_token_algorithm: SigningAlgorithm,
    /// Presenting a used refresh token revokes the whole family (off by default; decisions, "Identity").
    pub revoke_family_on_reuse: bool,
}

/// What id_tokens are signed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SigningAlgorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256: what every relying party can verify.
    Rs256,
    /// Ed25519.
    EdDsa,
}

impl SigningAlgorithm {
    /// The name in a JOSE header.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::EdDsa => "EdDSA",
        }
    }
}

/// How far a signing key is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// Published, so that everybody knows it before it signs.
    Next,
    /// Signs.
    Current,
    /// No longer signs; still verifies.
    Previous,
}

/// A key that signs id_tokens.
#[derive(Clone)]
pub struct SigningKeyRecord {
    /// Key id.
    pub kid: String,
    /// What it signs with.
    pub algorithm: SigningAlgorithm,
    /// The private key, PKCS #8 DER.
    pub pkcs8: zeroize::Zeroizing<Vec<u8>>,
    /// How far it is in its life.
    pub state: KeyState,
    /// When it came into this state.
    pub changed_at: i64,
}

/// What is known about organizations, people, applications and keys.
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
    /// Disables a subject: its tokens and its password stop working.
    async fn disable_subject(&self, id: &str, now: i64) -> Result<(), StorageError>;
    /// Grants a role.
    async fn put_grant(
        &self,
        subject: &str,
        organization: &str,
        role: &str,
    ) -> Result<(), StorageError>;
    /// All roles of a subject.
    async fn grants(&self, subject: &str) -> Result<Vec<Grant>, StorageError>;

    /// Registers an application, or brings it up to date.
    async fn put_application(&self, application: &Application) -> Result<(), StorageError>;
    /// An application by client id.
    async fn application(&self, client_id: &str) -> Result<Option<Application>, StorageError>;
    /// All applications, by client id.
    async fn applications(&self) -> Result<Vec<Application>, StorageError>;

    /// All signing keys.
    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError>;
    /// Writes these signing keys, all or none.
    async fn put_signing_keys(&self, keys: &[SigningKeyRecord]) -> Result<(), StorageError>;
}
