//! Errors of administration.

use std::fmt;
use std::time::Duration;

use invoicing_contract::{FieldViolation, OrganizationId};
use invoicing_storage::StorageError;
use invoicing_storage::applications::MAX_RETIRED_SECRETS;

use super::domains::DomainUnreachable;
use super::pats::MAX_VALID_PATS;
use crate::error::ProviderError;

/// Why an operation of administration failed. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum AdministrationError {
    /// The record does not exist.
    #[error("there is no {kind} {name:?}")]
    NotFound {
        /// The kind of record.
        kind: RecordKind,
        /// The name or id that was looked up.
        name: String,
    },
    /// A record of that name exists.
    #[error("there is a {kind} {name:?} already")]
    Exists {
        /// The kind of record.
        kind: RecordKind,
        /// Its name or id.
        name: String,
    },
    /// A value is invalid.
    #[error("{input}: {reason}")]
    Invalid {
        /// The value.
        input: Input,
        /// The violated rule.
        reason: String,
    },
    /// Values are invalid: all violations at once.
    #[error("{}", join_violations(.0))]
    Violations(Vec<FieldViolation>),
    /// There was another change since the concurrency stamp was read.
    #[error("the record was changed since the concurrency stamp was read")]
    StampMismatch,
    /// The claim of a domain was checked a moment ago.
    #[error("the domain was checked a moment ago")]
    DomainCheckedJustNow {
        /// How long to wait.
        retry_after: Duration,
    },
    /// Whether a domain is the organization's could not be found out.
    #[error(transparent)]
    DomainUnreachable(#[from] DomainUnreachable),
    /// The profile was completed before.
    #[error("the profile of this organization is complete")]
    ProfileComplete,
    /// A rule of the contract forbids the operation.
    #[error("{0}")]
    NotAllowed(Restriction),
    /// The signing keys cannot be read or used.
    #[error(transparent)]
    SigningKeys(#[from] ProviderError),
    /// Too many usernames of other organizations were tried.
    #[error("too many usernames were tried")]
    TooManyUsernames {
        /// When another one may be tried.
        wait: Duration,
    },
    /// The organization has as many people as its plan allows.
    #[error("the plan allows {limit} users")]
    UserLimit {
        /// The organization.
        organization: OrganizationId,
        /// Its limit.
        limit: i64,
    },
    /// The user or the role has administrative rights that the caller has not (decision 0116).
    #[error("the user or the role has administrative rights that the caller has not")]
    RightsMissing,
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The kinds of records in errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the records")]
pub enum RecordKind {
    Application,
    Domain,
    /// The operator organization of the environment.
    Operator,
    Organization,
    PersonalAccessToken,
    /// A role that the user does not hold.
    Role,
    Tenant,
    User,
}

impl RecordKind {
    /// The reason in an error of the gateway when there is no such record.
    pub(super) const fn not_found_reason(self) -> &'static str {
        match self {
            Self::Application => "APPLICATION_NOT_FOUND",
            Self::Domain => "DOMAIN_NOT_FOUND",
            Self::Operator => "OPERATOR_NOT_FOUND",
            Self::Organization => "ORGANIZATION_NOT_FOUND",
            Self::PersonalAccessToken => "PAT_NOT_FOUND",
            Self::Role => "ROLE_NOT_GRANTED",
            Self::Tenant => "TENANT_NOT_FOUND",
            Self::User => "USER_NOT_FOUND",
        }
    }

    /// The reason in an error of the gateway when there is one already.
    pub(super) const fn exists_reason(self) -> &'static str {
        match self {
            Self::Application => "APPLICATION_EXISTS",
            Self::Domain => "DOMAIN_TAKEN",
            Self::Operator => "OPERATOR_EXISTS",
            Self::Organization => "ORGANIZATION_EXISTS",
            Self::PersonalAccessToken => "PAT_EXISTS",
            Self::Role => "ROLE_EXISTS",
            Self::Tenant => "TENANT_EXISTS",
            Self::User => "USER_EXISTS",
        }
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Application => "application",
            Self::Domain => "domain",
            Self::Operator => "operator organization",
            Self::Organization => "organization",
            Self::PersonalAccessToken => "personal access token",
            Self::Role => "such role of this user",
            Self::Tenant => "tenant",
            Self::User => "user",
        })
    }
}

/// The input values in errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the values")]
pub enum Input {
    ClientId,
    GrantType,
    /// How long the previous client secret stays valid.
    Overlap,
    Password,
    RedirectUri,
    Role,
    /// The machine user of an application.
    User,
    Username,
}

impl Input {
    /// The field of a request.
    pub(super) const fn field(self) -> &'static str {
        match self {
            Self::ClientId => "clientId",
            Self::GrantType => "application.grantTypes",
            Self::Overlap => "overlapSeconds",
            Self::Password => "password",
            Self::RedirectUri => "application.redirectUris",
            Self::Role => "role",
            Self::User => "userId",
            Self::Username => "username",
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::ClientId => "client id",
            Self::GrantType => "grant",
            Self::Overlap => "overlap",
            Self::Password => "password",
            Self::RedirectUri => "redirect URI",
            Self::Role => "role",
            Self::User => "user",
            Self::Username => "username",
        })
    }
}

/// The rules of the contract that forbid an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Restriction {
    /// Only confidential, machine and API applications have secrets.
    #[error("a public application has no secret")]
    PublicApplicationHasNoSecret,
    /// Each of them is accepted until its own end, and their number is bounded.
    #[error(
        "{MAX_RETIRED_SECRETS} earlier secrets are still accepted: wait until the first has ended, or end them all with an overlap of 0"
    )]
    TooManyRetiredSecrets,
    /// Only people have passwords.
    #[error("a machine user has no password")]
    MachineUserHasNoPassword,
    /// Production has no personal access tokens (contract, part 5).
    #[error(
        "personal access tokens are for development: an environment of kind production has none"
    )]
    NoPersonalAccessTokensInProduction,
    /// People have no personal access tokens (contract, part 5).
    #[error("personal access tokens are for machine users")]
    PersonalAccessTokensAreForMachines,
    /// The role is of the operator organization (decision 0022).
    #[error("only the operator organization has the role operator")]
    OperatorRoleElsewhere,
    /// Without its operators nobody could enable it again.
    #[error("the tenant of the operator organization cannot be disabled")]
    OperatorStaysEnabled,
    /// A change is made to something that is there (decision 0114).
    #[error("the profile of this organization has to be completed first")]
    ProfileIncomplete,
    /// The file of the domain does not have the text.
    #[error("the file of the domain does not have the verification text")]
    DomainNotProved,
    /// Only a verified domain can be the primary one.
    #[error("the domain is not verified")]
    DomainNotVerified,
    /// The primary domain stays until another one is.
    #[error("the primary domain cannot be removed: make another one primary first")]
    DomainIsPrimary,
    /// An organization has a bounded number of domains and claims.
    #[error("the organization has and claims as many domains as it may: remove one first")]
    TooManyDomains,
    /// An organization keeps an administrator who can sign in (decision 0116).
    #[error("the organization would have no administrator who can sign in")]
    LastAdministrator,
    /// Its administrators invite others themselves (decision 0116).
    #[error("somebody who can sign in administers the tenant")]
    TenantHasAdministrator,
    /// Somebody of the operator organization keeps managing the rules (decision 0116).
    #[error("nobody who can sign in would be left to manage the rules")]
    LastRuleManager,
    /// A person counts in every organization with a role (decision 0118).
    #[error("another organization in which the user has a role has as many users as it may")]
    UserLimitElsewhere,
    /// Nobody locks themselves out by mistake (decision 0116).
    #[error("another administrator has to do this to the caller's own account")]
    OwnAccount,
    /// A disabled user cannot set a password.
    #[error("the user is disabled")]
    UserIsDisabled,
    /// The life of a personal access token is bounded (decision 0116).
    #[error("a personal access token mints no other")]
    PersonalAccessTokenMintsNone,
    /// Each of them is a credential that somebody has to keep.
    #[error("the machine user has {MAX_VALID_PATS} valid personal access tokens: revoke one first")]
    TooManyPersonalAccessTokens,
    /// A rotation needs a current key, and no concurrent rotation.
    #[error("there is no current key to replace, or somebody else replaced it just now")]
    NoCurrentKey,
}

impl Restriction {
    /// The reason in an error of the gateway.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::PublicApplicationHasNoSecret => "NO_SECRET",
            Self::TooManyRetiredSecrets => "TOO_MANY_SECRETS",
            Self::MachineUserHasNoPassword => "NO_PASSWORD",
            Self::NoPersonalAccessTokensInProduction => "NO_PATS",
            Self::PersonalAccessTokensAreForMachines => "NO_MACHINE_USER",
            Self::OperatorRoleElsewhere => "OPERATOR_ROLE",
            Self::OperatorStaysEnabled => "OPERATOR_TENANT",
            Self::DomainNotProved => "DOMAIN_NOT_PROVED",
            Self::DomainNotVerified => "DOMAIN_NOT_VERIFIED",
            Self::DomainIsPrimary => "DOMAIN_IS_PRIMARY",
            Self::TooManyDomains => "TOO_MANY_DOMAINS",
            Self::ProfileIncomplete => "PROFILE_INCOMPLETE",
            Self::LastAdministrator => "LAST_ADMINISTRATOR",
            Self::TenantHasAdministrator => "HAS_ADMINISTRATOR",
            Self::LastRuleManager => "LAST_RULE_MANAGER",
            Self::UserLimitElsewhere => "USER_LIMIT_ELSEWHERE",
            Self::OwnAccount => "OWN_ACCOUNT",
            Self::UserIsDisabled => "USER_DISABLED",
            Self::PersonalAccessTokenMintsNone => "PAT_CREDENTIAL",
            Self::TooManyPersonalAccessTokens => "TOO_MANY_PATS",
            Self::NoCurrentKey => "NO_CURRENT_KEY",
        }
    }
}

impl AdministrationError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Invalid { .. } | Self::Violations(_) => 64,
            Self::NotFound { .. } => 66,
            Self::Exists { .. } | Self::ProfileComplete | Self::StampMismatch => 73,
            Self::DomainCheckedJustNow { .. }
            | Self::DomainUnreachable(_)
            | Self::TooManyUsernames { .. }
            | Self::UserLimit { .. } => 75,
            Self::Storage(error) => error.exit_code(),
            Self::NotAllowed(_) | Self::RightsMissing => 77,
            Self::SigningKeys(error) => error.exit_code(),
        }
    }

    pub(super) fn invalid(input: Input, reason: impl Into<String>) -> Self {
        Self::Invalid {
            input,
            reason: reason.into(),
        }
    }
}

fn join_violations(violations: &[FieldViolation]) -> String {
    let descriptions: Vec<_> = violations
        .iter()
        .map(|violation| format!("{} {}", violation.field, violation.description))
        .collect();
    descriptions.join("; ")
}
