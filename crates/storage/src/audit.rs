//! The audit: an append-only record of security events. The database refuses to update an event, and to delete one that no
//! archive has ([`crate::audit_archives`]).

use std::collections::BTreeMap;

use async_trait::async_trait;
use invoicing_contract::{ClientId, OrganizationId, SubjectId, Timestamp};

use super::StorageError;

/// The kind of an audit event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "clap",
    derive(clap::ValueEnum),
    value(rename_all = "snake_case")
)]
pub enum AuditEventKind {
    /// A password was verified: in a browser, or in the password grant.
    SignedIn,
    /// A password was wrong, or the account does not exist.
    SignInFailed,
    /// Too many failed attempts. Recorded once per throttling period.
    SignInThrottled,
    /// A browser session ended.
    SignedOut,
    /// A used code was presented again. Its tokens were revoked.
    CodeReplayed,
    /// A used refresh token was presented again. Recorded once per token.
    RefreshReused,
    /// An access token was issued, by the grant type in the detail `grant`.
    TokenIssued,
    /// A token or its whole family was revoked.
    TokenRevoked,
    /// An administrator obtained a token for another subject.
    Impersonated,
    /// An administrator was denied to impersonate a subject.
    ImpersonationRefused,
    /// A personal access token was issued to a machine user.
    PatMinted,
    /// A personal access token was revoked.
    PatRevoked,
    /// A personal access token was presented in an environment that accepts none.
    PatRefused,
    /// An application was registered.
    ApplicationRegistered,
    /// An application was changed.
    ApplicationChanged,
    /// A client secret was replaced.
    ClientSecretRotated,
    /// Signing keys were rotated.
    KeysRotated,
    /// A role was granted.
    RoleGranted,
    /// A role was revoked.
    RoleRevoked,
    /// A person or machine user was added.
    UserCreated,
    /// A person was added without a password, with a code to set one.
    UserInvited,
    /// All sessions and tokens of a user were ended by an administrator.
    SessionsEnded,
    /// An application was disabled, which ends its tokens.
    ApplicationDisabled,
    /// A disabled application was enabled.
    ApplicationEnabled,
    /// An account was disabled, which invalidates its tokens.
    UserDisabled,
    /// An account was enabled again.
    UserEnabled,
    /// A person changed their password.
    PasswordChanged,
    /// An administrator set a temporary password, or made a code to set one.
    PasswordReset,
    /// An organization became a tenant.
    TenantCreated,
    /// The limits or the fields of a tenant were changed.
    TenantChanged,
    /// A tenant was disabled.
    TenantDisabled,
    /// A tenant was enabled again.
    TenantEnabled,
    /// An organization was added that is no tenant.
    OrganizationCreated,
    /// An organization claimed a domain.
    DomainClaimed,
    /// A claim of a domain was verified.
    DomainVerified,
    /// A domain or a claim was removed.
    DomainRemoved,
    /// Another domain became the primary one.
    PrimaryDomainChanged,
    /// The profile of a tenant was completed.
    ProfileCompleted,
    /// An organization became the operator's.
    OperatorNamed,
    /// A subject without the right called an operation on the platform.
    PlatformRefused,
    /// A version of the authorization rules was published.
    RulesPublished,
    /// A publication of authorization rules was refused, because of what it would have changed.
    RulesRefused,
    /// A party was created, updated, archived or restored: the detail `action`.
    PartyChanged,
    /// An item was created, updated, archived or restored: the detail `action`.
    ItemChanged,
    /// A payment of a document was recorded.
    PaymentRecorded,
    /// A payment of a document was voided.
    PaymentVoided,
    /// A plan was created.
    PlanCreated,
    /// A plan was changed.
    PlanChanged,
    /// A plan was deleted.
    PlanDeleted,
    /// A tenant got another plan, or none.
    PlanAssigned,
    /// The tax authority of a tenant was configured.
    AuthorityChanged,
    /// The encryption of stored secrets was moved to another key.
    EncryptionRotated,
    /// An administrator read the audit.
    AuditRead,
}

impl AuditEventKind {
    /// Every kind.
    pub const ALL: [Self; 53] = [
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
        Self::UserInvited,
        Self::SessionsEnded,
        Self::ApplicationDisabled,
        Self::ApplicationEnabled,
        Self::UserDisabled,
        Self::UserEnabled,
        Self::PasswordChanged,
        Self::PasswordReset,
        Self::TenantCreated,
        Self::TenantChanged,
        Self::TenantDisabled,
        Self::TenantEnabled,
        Self::OrganizationCreated,
        Self::DomainClaimed,
        Self::DomainVerified,
        Self::DomainRemoved,
        Self::PrimaryDomainChanged,
        Self::ProfileCompleted,
        Self::OperatorNamed,
        Self::PlatformRefused,
        Self::RulesPublished,
        Self::RulesRefused,
        Self::PartyChanged,
        Self::ItemChanged,
        Self::PaymentRecorded,
        Self::PaymentVoided,
        Self::PlanCreated,
        Self::PlanChanged,
        Self::PlanDeleted,
        Self::PlanAssigned,
        Self::AuthorityChanged,
        Self::EncryptionRotated,
        Self::AuditRead,
    ];

    /// The stored name.
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
            Self::UserInvited => "user_invited",
            Self::SessionsEnded => "sessions_ended",
            Self::ApplicationDisabled => "application_disabled",
            Self::ApplicationEnabled => "application_enabled",
            Self::UserDisabled => "user_disabled",
            Self::UserEnabled => "user_enabled",
            Self::PasswordChanged => "password_changed",
            Self::PasswordReset => "password_reset",
            Self::TenantCreated => "tenant_created",
            Self::TenantChanged => "tenant_changed",
            Self::TenantDisabled => "tenant_disabled",
            Self::TenantEnabled => "tenant_enabled",
            Self::OrganizationCreated => "organization_created",
            Self::DomainClaimed => "domain_claimed",
            Self::DomainVerified => "domain_verified",
            Self::DomainRemoved => "domain_removed",
            Self::PrimaryDomainChanged => "primary_domain_changed",
            Self::ProfileCompleted => "profile_completed",
            Self::OperatorNamed => "operator_named",
            Self::PlatformRefused => "platform_refused",
            Self::RulesPublished => "rules_published",
            Self::RulesRefused => "rules_refused",
            Self::PartyChanged => "party_changed",
            Self::ItemChanged => "item_changed",
            Self::PaymentRecorded => "payment_recorded",
            Self::PaymentVoided => "payment_voided",
            Self::PlanCreated => "plan_created",
            Self::PlanChanged => "plan_changed",
            Self::PlanDeleted => "plan_deleted",
            Self::PlanAssigned => "plan_assigned",
            Self::AuthorityChanged => "authority_changed",
            Self::EncryptionRotated => "encryption_rotated",
            Self::AuditRead => "audit_read",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// An audit event. It contains ids only: no secret, no token, no text that a user typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// The time.
    pub at: Timestamp,
    /// The kind.
    pub kind: AuditEventKind,
    /// The subject that the event concerns.
    pub subject: Option<SubjectId>,
    /// Who caused it, if not the subject: the id of an administrator, or [`COMMAND_LINE`].
    pub actor: Option<String>,
    /// The home organization of the subject, or the organization of a role grant.
    pub organization: Option<OrganizationId>,
    /// The client that the request came from, or the application that was changed.
    pub client_id: Option<ClientId>,
    /// The IP address of the caller.
    pub address: Option<String>,
    /// Further values by name.
    pub detail: BTreeMap<String, String>,
}

/// The name of the detail that holds the correlation id of the request. Issued tokens have none: they are nearly all events, and
/// the log has their requests.
pub const CORRELATION_ID: &str = "correlation_id";

/// The actor of a change that was made with the command line.
pub const COMMAND_LINE: &str = "command line";

impl AuditEvent {
    /// An event of this kind without further values.
    #[must_use]
    pub const fn new(at: Timestamp, kind: AuditEventKind) -> Self {
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

    /// Sets the subject.
    #[must_use]
    pub fn subject(mut self, subject: &SubjectId) -> Self {
        self.subject = Some(subject.clone());
        self
    }

    /// Sets the actor, who is not the subject.
    #[must_use]
    pub fn actor(mut self, actor: impl AsRef<str>) -> Self {
        self.actor = Some(actor.as_ref().to_owned());
        self
    }

    /// Sets the organization.
    #[must_use]
    pub fn organization(mut self, organization: &OrganizationId) -> Self {
        self.organization = Some(organization.clone());
        self
    }

    /// Sets the client.
    #[must_use]
    pub fn client(mut self, client_id: &ClientId) -> Self {
        self.client_id = Some(client_id.clone());
        self
    }

    /// Sets the IP address of the caller.
    #[must_use]
    pub fn address(mut self, address: std::net::IpAddr) -> Self {
        self.address = Some(address.to_string());
        self
    }

    /// Sets the correlation id of the request, by which the log has it.
    #[must_use]
    pub fn correlation_id(self, id: &str) -> Self {
        self.detail(CORRELATION_ID, id)
    }

    /// Adds a further value.
    #[must_use]
    pub fn detail(mut self, name: &str, value: impl Into<String>) -> Self {
        self.detail.insert(name.to_owned(), value.into());
        self
    }
}

/// A stored event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedEvent {
    /// Distinguishes events of the same time. In a page of [`AuditStore::audit`] it is no position in the chain of the archive:
    /// an engine with several writers has random ids there, while SQLite's ascend in the order of recording (decision 0105).
    pub id: i64,
    /// The event.
    pub event: AuditEvent,
}

/// A query for events, newest first. A field that is `None` or empty does not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// Events at this time or later.
    pub from: Option<Timestamp>,
    /// Events before this time.
    pub to: Option<Timestamp>,
    /// Events of these kinds.
    pub kinds: Vec<AuditEventKind>,
    /// Events that concern this subject.
    pub subject: Option<SubjectId>,
    /// Events that this administrator caused, or [`COMMAND_LINE`].
    pub actor: Option<String>,
    /// Events that concern this subject, or that it caused.
    pub person: Option<SubjectId>,
    /// Events of this organization.
    pub organization: Option<OrganizationId>,
    /// Events of requests of this client, and of changes of this application.
    pub client_id: Option<ClientId>,
    /// Events of the request with this correlation id ([`CORRELATION_ID`]).
    pub correlation_id: Option<String>,
    /// Time and id of the last event of the page before: events that follow it.
    pub after: Option<(Timestamp, i64)>,
    /// Events of a page.
    pub size: u32,
}

impl Query {
    /// Whether an event is among the results, without regard to the size of the page.
    #[must_use]
    pub fn matches(&self, RecordedEvent { id, event }: &RecordedEvent) -> bool {
        fn is<T: PartialEq>(expected: Option<&T>, value: Option<&T>) -> bool {
            expected.is_none() || expected == value
        }
        is(self.subject.as_ref(), event.subject.as_ref())
            && is(self.organization.as_ref(), event.organization.as_ref())
            && is(self.actor.as_ref(), event.actor.as_ref())
            && is(self.client_id.as_ref(), event.client_id.as_ref())
            && is(
                self.correlation_id.as_ref(),
                event.detail.get(CORRELATION_ID),
            )
            && self.person.as_ref().is_none_or(|person| {
                event.subject.as_ref() == Some(person)
                    || event.actor.as_deref() == Some(person.as_str())
            })
            && (self.kinds.is_empty() || self.kinds.contains(&event.kind))
            && self.from.is_none_or(|from| event.at >= from)
            && self.to.is_none_or(|to| event.at < to)
            && self.after.is_none_or(|after| (event.at, *id) < after)
    }
}

/// The audit. An event of a change is not recorded here, but by the method of the change, in the same transaction.
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// Records an event that belongs to no other write.
    async fn record(&self, event: &AuditEvent) -> Result<(), StorageError>;
    /// Records an event, unless one of its kind, subject and address was recorded after `since` and not later than the event
    /// itself: for events that a caller can cause in any number. An event that is later was recorded before the clock was set
    /// back (decision 0088). Of callers at the same time, in whichever process, one records.
    async fn record_once(&self, event: &AuditEvent, since: Timestamp) -> Result<(), StorageError>;
    /// A page of events, by time and id.
    async fn audit(&self, query: &Query) -> Result<Vec<RecordedEvent>, StorageError>;
}
