//! Errors of administration.

use std::fmt;
use std::time::Duration;

use invoicing_contract::FieldViolation;
use invoicing_storage::StorageError;
use invoicing_storage::applications::MAX_RETIRED_SECRETS;

use super::domains::DomainUnreachable;
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
    /// A rotation needs a current key, and no concurrent rotation.
    #[error("there is no current key to replace, or somebody else replaced it just now")]
    NoCurrentKey,
}

impl AdministrationError {
    /// The exit code of the program, by the groups of sysexits.h.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Invalid { .. } | Self::Violations(_) => 64,
            Self::NotFound { .. } => 66,
            Self::Exists { .. } | Self::ProfileComplete | Self::StampMismatch => 73,
            Self::DomainCheckedJustNow { .. } | Self::DomainUnreachable(_) => 75,
            Self::Storage(error) => Self::storage_exit_code(error),
            Self::NotAllowed(_) => 77,
            Self::SigningKeys(error) => error.exit_code(),
        }
    }

    /// The exit code of the program when storage failed.
    #[must_use]
    pub const fn storage_exit_code(error: &StorageError) -> u8 {
        match error {
            StorageError::Busy | StorageError::InDoubt(_) => 75,
            StorageError::Corrupt(_) => 65,
            StorageError::NoSpace | StorageError::Unexpected(_) => 74,
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
