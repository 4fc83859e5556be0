//! Storage of registered applications (OAuth clients).

use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{ClientId, ConcurrencyStamp, OrganizationId, SubjectId, Timestamp};

use super::audit::{AuditEvent, AuditedValues};
use super::keys::SigningAlgorithm;
use super::{Basis, StorageError};
use crate::secret::TokenHash;

/// A registered application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    /// OAuth client id.
    pub client_id: ClientId,
    /// Display name.
    pub name: String,
    /// Public, confidential, machine or API.
    pub kind: ApplicationKind,
    /// Its client secret. A public application has none.
    pub secret: Option<ClientSecret>,
    /// The machine user it acts as.
    pub subject: Option<SubjectId>,
    /// The tenant it belongs to: the password grant serves people of this organization only (contract, part 5).
    pub organization: Option<OrganizationId>,
    /// Only people of its organization can sign in with it, for that organization, and only their tokens can be introspected with it
    /// (decision 0117).
    pub organization_only: bool,
    /// Grant types it may use.
    pub grant_types: Vec<GrantType>,
    /// Scopes it may request. Others are removed from its requests.
    pub scopes: Vec<ScopeKind>,
    /// Its tokens carry the project audience without the scope: provisioned machine credentials (contract, part 5,
    /// "Using the token", rule 2).
    pub includes_audience: bool,
    /// Registered redirect URIs.
    pub redirect_uris: Vec<String>,
    /// Registered post-logout redirect URIs.
    pub post_logout_uris: Vec<String>,
    /// The algorithm that signs its id_tokens.
    pub id_token_algorithm: SigningAlgorithm,
    /// Presenting a used refresh token revokes the whole family (off by default; decision 0005).
    pub revoke_family_on_reuse: bool,
    /// When it was disabled; `None` if it is accepted.
    pub disabled_at: Option<Timestamp>,
    /// The version that a change is based on: random, made by the writer.
    pub concurrency_stamp: ConcurrencyStamp,
}

impl Application {
    /// An application that may do nothing yet: it has no name, grant type, scope, address or secret. Its id_tokens are signed with
    /// RS256, which every client has to know (OpenID Connect Core, section 15.1).
    #[must_use]
    pub fn new(client_id: ClientId, kind: ApplicationKind, stamp: ConcurrencyStamp) -> Self {
        Self {
            client_id,
            name: String::new(),
            kind,
            secret: None,
            subject: None,
            organization: None,
            organization_only: false,
            grant_types: Vec::new(),
            scopes: Vec::new(),
            includes_audience: false,
            redirect_uris: Vec::new(),
            post_logout_uris: Vec::new(),
            id_token_algorithm: SigningAlgorithm::Rs256,
            revoke_family_on_reuse: false,
            disabled_at: None,
            concurrency_stamp: stamp,
        }
    }

    /// What events say of it. Whether it is disabled, and its secrets, have events of their own.
    #[must_use]
    pub fn audited_values(&self) -> AuditedValues {
        let subject = self.subject.as_ref().map_or("", SubjectId::as_str);
        let organization = self.organization.as_ref();
        let grants = self.grant_types.iter().map(|grant| grant.name());
        let scopes = self.scopes.iter().map(|scope| scope.name());
        AuditedValues::default()
            .value("kind", kind_name(self.kind))
            .value("user", subject)
            .value(
                "organization",
                organization.map_or("", OrganizationId::as_str),
            )
            .flag("organization_only", self.organization_only)
            .value("grants", grants.collect::<Vec<_>>().join(" "))
            .value("scopes", scopes.collect::<Vec<_>>().join(" "))
            .flag("includes_audience", self.includes_audience)
            .value("redirect_uris", self.redirect_uris.join(" "))
            .value("post_logout_uris", self.post_logout_uris.join(" "))
            .value("id_token_algorithm", self.id_token_algorithm.name())
            .flag("revoke_family_on_reuse", self.revoke_family_on_reuse)
            .concealed("name", &self.name)
    }

    /// Whether it may use a grant.
    #[must_use]
    pub fn may_use(&self, grant: GrantType) -> bool {
        self.grant_types.contains(&grant)
    }

    /// Whether people whose home is `organization` can sign in with it.
    #[must_use]
    pub fn serves(&self, organization: &OrganizationId) -> bool {
        !self.organization_only || self.organization.as_ref() == Some(organization)
    }

    /// The organization whose people alone it serves, and to which their tokens are restricted. `None` if it serves everybody.
    #[must_use]
    pub fn served_organization(&self) -> Option<&OrganizationId> {
        self.organization
            .as_ref()
            .filter(|_| self.organization_only)
    }

    /// Whether the administrators of `organization` administer it. Those that serve everybody are the platform's.
    #[must_use]
    pub fn is_administered_by(&self, organization: &OrganizationId) -> bool {
        self.organization.as_ref() == Some(organization)
            && (self.organization_only || self.kind == ApplicationKind::Machine)
    }
}

/// Which applications a list contains.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApplicationFilter {
    /// Part of the client id or the name, in any case; empty for all.
    pub text: String,
    /// The kind; `None` for all.
    pub kind: Option<ApplicationKind>,
}

/// A client secret, and those before it while they are accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSecret {
    /// Hash of the secret.
    pub hash: TokenHash,
    /// The secrets that were replaced, at most [`MAX_RETIRED_SECRETS`], the one that ends first before the others.
    pub retired: Vec<RetiredSecret>,
}

/// A secret that was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetiredSecret {
    /// Hash of the secret.
    pub hash: TokenHash,
    /// When it is no longer accepted. A later rotation does not change it.
    pub until: Timestamp,
}

/// Replaced secrets of one application that can be accepted at the same time.
pub const MAX_RETIRED_SECRETS: u32 = 4;

/// What became of the rotation of a client secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretRotation {
    /// The new secret is stored.
    Rotated,
    /// Nothing was written: there is no such application, or it has no secret.
    NoSecret,
    /// Nothing was written: [`MAX_RETIRED_SECRETS`] are still accepted.
    TooManyRetired,
}

impl ClientSecret {
    /// A first secret.
    #[must_use]
    pub const fn new(hash: TokenHash) -> Self {
        Self {
            hash,
            retired: Vec::new(),
        }
    }

    /// Whether `presented` is accepted at `now`. All secrets are always compared, so that the duration reveals nothing.
    #[must_use]
    pub fn accepts(&self, presented: &TokenHash, now: Timestamp) -> bool {
        let mut accepted = self.hash.matches(presented);
        for retired in &self.retired {
            accepted |= retired.hash.matches(presented) & (now < retired.until);
        }
        accepted
    }
}

/// The grants of the token endpoint (contract, part 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "clap",
    derive(clap::ValueEnum),
    value(rename_all = "snake_case")
)]
pub enum GrantType {
    /// Interactive sign-in (RFC 6749, 4.1).
    AuthorizationCode,
    /// A machine user acts for itself (RFC 6749, 4.4).
    ClientCredentials,
    /// Username and password through the application (RFC 6749, 4.3). Off unless enabled for an application.
    Password,
    /// Refresh (RFC 6749, 6).
    RefreshToken,
}

impl GrantType {
    /// Every grant.
    pub const ALL: [Self; 4] = [
        Self::AuthorizationCode,
        Self::ClientCredentials,
        Self::Password,
        Self::RefreshToken,
    ];

    /// The value of `grant_type`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AuthorizationCode => "authorization_code",
            Self::ClientCredentials => "client_credentials",
            Self::Password => "password",
            Self::RefreshToken => "refresh_token",
        }
    }

    /// The grant with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|grant| grant.name() == name)
    }
}

/// The scopes (contract, part 4, "Scopes"), by what they are about: some have an id in their name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(
    feature = "clap",
    derive(clap::ValueEnum),
    value(rename_all = "snake_case")
)]
pub enum ScopeKind {
    /// `openid`: an id_token.
    #[cfg_attr(feature = "clap", value(name = "openid"))]
    OpenId,
    /// `profile`: the person's name.
    Profile,
    /// `email`: the person's address.
    Email,
    /// `offline_access`: a refresh token.
    OfflineAccess,
    /// The project audience: the application is granted the project.
    Audience,
    /// The caller's home organization.
    #[cfg_attr(feature = "clap", value(name = "resourceowner"))]
    ResourceOwner,
    /// `urn:…:org:id:<ORG_ID>`: the person's organization, in the password grant.
    Organization,
}

impl ScopeKind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::OpenId,
        Self::Profile,
        Self::Email,
        Self::OfflineAccess,
        Self::Audience,
        Self::ResourceOwner,
        Self::Organization,
    ];

    /// The scopes that an application may request by default.
    pub const USUAL: [Self; 6] = [
        Self::OpenId,
        Self::Profile,
        Self::Email,
        Self::OfflineAccess,
        Self::Audience,
        Self::ResourceOwner,
    ];

    /// The short name, as it is stored and typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenId => "openid",
            Self::Profile => "profile",
            Self::Email => "email",
            Self::OfflineAccess => "offline_access",
            Self::Audience => "audience",
            Self::ResourceOwner => "resourceowner",
            Self::Organization => "organization",
        }
    }

    /// The kind with this short name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The name of an application's kind, as it is stored and typed.
#[must_use]
pub const fn kind_name(kind: ApplicationKind) -> &'static str {
    match kind {
        ApplicationKind::Public => "public",
        ApplicationKind::Confidential => "confidential",
        ApplicationKind::Machine => "machine",
        ApplicationKind::Api => "api",
    }
}

/// Registered applications.
#[async_trait]
pub trait ApplicationStore: Send + Sync {
    /// Inserts an application, or updates all but its secrets. A new one is stored with its secret.
    async fn put_application(
        &self,
        application: &Application,
        event: &AuditEvent,
    ) -> Result<(), StorageError>;
    /// Inserts an application with its secret, unless its client id is taken. Returns whether it did.
    async fn add_application(
        &self,
        application: &Application,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// Updates all of an application but its secrets, if its concurrency stamp is still `based_on`. Returns whether it did.
    async fn change_application(
        &self,
        application: &Application,
        based_on: &ConcurrencyStamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// Disables an application, or enables it with `None`. False when it is so already, or does not exist.
    async fn set_application_disabled(
        &self,
        client_id: &ClientId,
        disabled_at: Option<Timestamp>,
        stamp: &ConcurrencyStamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError>;
    /// An application that is not disabled, by client id, as of `basis`.
    async fn application(
        &self,
        client_id: &ClientId,
        basis: Basis,
    ) -> Result<Option<Arc<Application>>, StorageError>;
    /// An application by client id, disabled or not.
    async fn registered_application(
        &self,
        client_id: &ClientId,
    ) -> Result<Option<Application>, StorageError>;
    /// All applications, disabled or not, by client id.
    async fn applications(&self) -> Result<Vec<Application>, StorageError>;
    /// The applications that the administrators of an organization administer, disabled or not, by client id, beginning after
    /// `after`.
    async fn applications_of(
        &self,
        organization: &OrganizationId,
        filter: &ApplicationFilter,
        after: Option<&ClientId>,
        size: u32,
    ) -> Result<Vec<Application>, StorageError>;
    /// Replaces the secret of an application. The present one is accepted until `overlap_until`; those before it keep their own
    /// end. Without an overlap (`overlap_until` is not after `now`) the present one and those before it end at once.
    async fn rotate_client_secret(
        &self,
        client_id: &ClientId,
        secret: &TokenHash,
        now: Timestamp,
        overlap_until: Timestamp,
        event: &AuditEvent,
    ) -> Result<SecretRotation, StorageError>;
}
