//! The record of security events. It only grows: the database itself refuses to change or remove an entry.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::StorageError;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "clap",
    derive(clap::ValueEnum),
    value(rename_all = "snake_case")
)]
pub enum Kind {
    /// Somebody gave the right password: with a browser, or through an application.
    SignedIn,
    /// A password was wrong, or the account does not exist.
    SignInFailed,
    /// Too many tries: told once, however many follow during the wait.
    SignInThrottled,
    /// A browser's session was ended.
    SignedOut,
    /// A code was presented again. What it produced was revoked.
    CodeReplayed,
    /// A used refresh token was presented again: told once for each token.
    RefreshReused,
    /// An access token was given out, by the grant in `grant`.
    TokenIssued,
    /// A token was given back, or a whole authorization with it.
    TokenRevoked,
    /// An administrator became somebody else for a while.
    Impersonated,
    /// An administrator was refused to.
    ImpersonationRefused,
    /// A machine user got a personal access token.
    PatMinted,
    /// One was revoked.
    PatRevoked,
    /// One was presented where none is accepted.
    PatRefused,
    /// An application was registered.
    ApplicationRegistered,
    /// What an application may do was changed.
    ApplicationChanged,
    /// A client secret was replaced.
    ClientSecretRotated,
    /// Signing keys moved one state on.
    KeysRotated,
    /// A role was given.
    RoleGranted,
    /// A role was taken away.
    RoleRevoked,
    /// A person or machine user was added.
    UserCreated,
    /// An account was disabled, and what was given out for it is dead.
    UserDisabled,
    /// An account was let in again.
    UserEnabled,
    /// A person chose another password.
    PasswordChanged,
    /// An administrator set a password for once.
    PasswordReset,
    /// An organization became a tenant.
    TenantCreated,
    /// A tenant's limits or details were changed.
    TenantChanged,
    /// A tenant completed its profile.
    ProfileCompleted,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 27] = [
        Self::SignedIn,
        Self::SignInFailed,
        Self::SignInThrottled,
        Self::SignedOut,
        Self::CodeReplayed,
        Self::RefreshReused,
        Self::TokenIssued,
        Self::TokenRevoked,
        Self::Impersonated,
        Self::ImpersonationRefused,
        Self::PatMinted,
        Self::PatRevoked,
        Self::PatRefused,
        Self::ApplicationRegistered,
        Self::ApplicationChanged,
        Self::ClientSecretRotated,
        Self::KeysRotated,
        Self::RoleGranted,
        Self::RoleRevoked,
        Self::UserCreated,
        Self::UserDisabled,
        Self::UserEnabled,
        Self::PasswordChanged,
        Self::PasswordReset,
        Self::TenantCreated,
        Self::TenantChanged,
        Self::ProfileCompleted,
    ];

    /// As it is stored and shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SignedIn => "signed_in",
            Self::SignInFailed => "sign_in_failed",
            Self::SignInThrottled => "sign_in_throttled",
            Self::SignedOut => "signed_out",
            Self::CodeReplayed => "code_replayed",
            Self::RefreshReused => "refresh_reused",
            Self::TokenIssued => "token_issued",
            Self::TokenRevoked => "token_revoked",
            Self::Impersonated => "impersonated",
            Self::ImpersonationRefused => "impersonation_refused",
            Self::PatMinted => "pat_minted",
            Self::PatRevoked => "pat_revoked",
            Self::PatRefused => "pat_refused",
            Self::ApplicationRegistered => "application_registered",
            Self::ApplicationChanged => "application_changed",
            Self::ClientSecretRotated => "client_secret_rotated",
            Self::KeysRotated => "keys_rotated",
            Self::RoleGranted => "role_granted",
            Self::RoleRevoked => "role_revoked",
            Self::UserCreated => "user_created",
            Self::UserDisabled => "user_disabled",
            Self::UserEnabled => "user_enabled",
            Self::PasswordChanged => "password_changed",
            Self::PasswordReset => "password_reset",
            Self::TenantCreated => "tenant_created",
            Self::TenantChanged => "tenant_changed",
            Self::ProfileCompleted => "profile_completed",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// One event. Ids only: no secret, no token, nothing that somebody typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// What.
    pub kind: Kind,
    /// Whom it is about.
    pub subject: Option<String>,
    /// Who did it, if not the subject: the id of an administrator, or [`COMMAND_LINE`].
    pub actor: Option<String>,
    /// Where it matters: the subject's home, or the organization of a grant.
    pub organization: Option<String>,
    /// The application it came through, or that it is about.
    pub client_id: Option<String>,
    /// Where the caller is.
    pub address: Option<String>,
    /// What else there is to know, by name.
    pub detail: BTreeMap<String, String>,
}

/// The actor of what an administrator did with the command line.
pub const COMMAND_LINE: &str = "command line";

impl Entry {
    /// Of this kind, and nothing known yet.
    #[must_use]
    pub const fn new(at: i64, kind: Kind) -> Self {
        Self {
            at,
            kind,
            subject: None,
            actor: None,
            organization: None,
            client_id: None,
            address: None,
            detail: BTreeMap::new(),
        }
    }

    /// About a subject.
    #[must_use]
    pub fn about(mut self, subject: impl AsRef<str>) -> Self {
        self.subject = Some(subject.as_ref().to_owned());
        self
    }

    /// Done by somebody else than the subject.
    #[must_use]
    pub fn by(mut self, actor: impl AsRef<str>) -> Self {
        self.actor = Some(actor.as_ref().to_owned());
        self
    }

    /// Where it matters.
    #[must_use]
    pub fn of(mut self, organization: impl AsRef<str>) -> Self {
        self.organization = Some(organization.as_ref().to_owned());
        self
    }

    /// The application.
    #[must_use]
    pub fn through(mut self, client_id: impl AsRef<str>) -> Self {
        self.client_id = Some(client_id.as_ref().to_owned());
        self
    }

    /// Where the caller is.
    #[must_use]
    pub fn from(mut self, address: std::net::IpAddr) -> Self {
        self.address = Some(address.to_string());
        self
    }

    /// What else there is to know.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.detail.insert(name.to_owned(), value.into());
        self
    }
}

/// An entry as it stands in the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Grows with every entry.
    pub id: i64,
    /// What was recorded.
    pub entry: Entry,
}

/// Which entries, newest first. What is `None` or empty does not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// Not before this.
    pub from: Option<i64>,
    /// Before this.
    pub to: Option<i64>,
    /// Of one of these kinds.
    pub kinds: Vec<Kind>,
    /// About this subject.
    pub subject: Option<String>,
    /// Done by this administrator, or by [`COMMAND_LINE`].
    pub actor: Option<String>,
    /// Of this organization.
    pub organization: Option<String>,
    /// Only what stands after the entry of this time and id: where the page before ended.
    pub after: Option<(i64, i64)>,
    /// Entries of a page.
    pub size: u32,
}

/// The record. What happens in a transaction is recorded by its own method, in the same transaction.
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// Records what stands by itself.
    async fn record(&self, entry: &Entry) -> Result<(), StorageError>;
    /// The same, unless an entry of the kind, subject and address was recorded after `since`: for what a caller can repeat
    /// as often as it likes.
    async fn record_once(&self, entry: &Entry, since: i64) -> Result<(), StorageError>;
    /// A page of the record.
    async fn audit(&self, query: &Query) -> Result<Vec<Recorded>, StorageError>;
}
