//! The kinds of audit events.

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
    /// The secret of an application was wrong. Recorded once for an address in ten minutes, and up to thirty times for the
    /// application.
    ClientAuthenticationFailed,
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
    /// Somebody had a document sent to the tax authority again at once, without waiting for the next attempt.
    ClearanceRetried,
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
    pub const ALL: [Self; 55] = [
        Self::SignedIn,
        Self::SignInFailed,
        Self::SignInThrottled,
        Self::ClientAuthenticationFailed,
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
        Self::ClearanceRetried,
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
            Self::ClientAuthenticationFailed => "client_authentication_failed",
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
            Self::ClearanceRetried => "clearance_retried",
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
