//! The Status of each error of administration (contract, part 7), and an example of each for the description of the API.

use std::time::Duration;

use invoicing_contract::{Code, Detail, FieldViolation, OrganizationId, QuotaViolation, Status};
use invoicing_http::RequestContext;

use super::domains::DomainUnreachable;
use super::error::{AdministrationError, RecordKind, Restriction};

/// No time lifts the limit of users: when it is worth asking whether the plan has changed (decision 0118).
const PLAN_CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// The answer to an operation that failed. What the caller is not told is logged under its correlation id.
pub(super) fn to_status(caller: &RequestContext, error: &AdministrationError) -> tonic::Status {
    let correlation_id = &caller.correlation_id;
    if let AdministrationError::DomainUnreachable(error) = error {
        let error = error as &dyn std::error::Error;
        tracing::info!(correlation_id, error, "a domain could not be checked");
    } else if let AdministrationError::Storage(error) = error {
        tracing::error!(correlation_id, %error, "storage failed");
    } else if let AdministrationError::SigningKeys(_) = error {
        tracing::error!(correlation_id, %error, "administration failed");
    }
    Status::from(error).into()
}

impl From<&AdministrationError> for Status {
    fn from(error: &AdministrationError) -> Self {
        let message = error.to_string();
        match error {
            AdministrationError::Violations(violations) => {
                Self::invalid("INVALID_REQUEST", message, violations.clone())
            }
            AdministrationError::Exists { kind, .. } => {
                Self::new(Code::AlreadyExists, kind.exists_reason(), message)
            }
            AdministrationError::NotFound { kind, .. } => {
                Self::new(Code::NotFound, kind.not_found_reason(), message)
            }
            AdministrationError::Invalid { input, .. } => Self::invalid(
                "INVALID_REQUEST",
                message.clone(),
                vec![FieldViolation::new(input.field(), message)],
            ),
            AdministrationError::NotAllowed(restriction) => {
                Self::new(Code::FailedPrecondition, restriction.reason(), message)
            }
            AdministrationError::TooManyUsernames { wait } => {
                Self::new(Code::ResourceExhausted, "RATE_LIMIT", message)
                    .with(Detail::RetryInfo { delay: *wait })
            }
            AdministrationError::UserLimit {
                organization,
                limit,
            } => user_limit(organization, *limit, message),
            AdministrationError::RightsMissing => Self::permission_denied(),
            AdministrationError::ProfileComplete => {
                Self::new(Code::AlreadyExists, "PROFILE_COMPLETE", message)
            }
            AdministrationError::StampMismatch => {
                Self::new(Code::Aborted, "STAMP_MISMATCH", message)
            }
            AdministrationError::DomainCheckedJustNow { retry_after } => {
                Self::new(Code::ResourceExhausted, "DOMAIN_CHECKED_JUST_NOW", message).with(
                    Detail::RetryInfo {
                        delay: *retry_after,
                    },
                )
            }
            AdministrationError::DomainUnreachable(_) => {
                Self::new(Code::Unavailable, "DOMAIN_UNREACHABLE", message)
            }
            AdministrationError::Storage(error) => Self::from(error),
            AdministrationError::SigningKeys(_) => Self::new(
                Code::Internal,
                "INTERNAL",
                "something went wrong; the log has it under the correlation id",
            ),
        }
    }
}

fn user_limit(organization: &OrganizationId, limit: i64, message: String) -> Status {
    let violation =
        QuotaViolation::of_organization(organization.as_str(), format!("{limit} users"));
    Status::new(Code::ResourceExhausted, "PLAN_LIMIT", message)
        .with_metadata("limit", limit.to_string())
        .with(Detail::QuotaFailure {
            violations: vec![violation],
        })
        .with(Detail::RetryInfo {
            delay: PLAN_CHECK_INTERVAL,
        })
}

/// Every restriction that an operation of the gateway can meet. Keys are rotated by the command line, and there the role of the
/// operator is a restriction; here it is a violation.
const RESTRICTIONS: [Restriction; 19] = [
    Restriction::PublicApplicationHasNoSecret,
    Restriction::TooManyRetiredSecrets,
    Restriction::MachineUserHasNoPassword,
    Restriction::NoPersonalAccessTokensInProduction,
    Restriction::PersonalAccessTokensAreForMachines,
    Restriction::OperatorStaysEnabled,
    Restriction::ProfileIncomplete,
    Restriction::DomainNotProved,
    Restriction::DomainNotVerified,
    Restriction::DomainIsPrimary,
    Restriction::TooManyDomains,
    Restriction::LastAdministrator,
    Restriction::TenantHasAdministrator,
    Restriction::LastRuleManager,
    Restriction::UserLimitElsewhere,
    Restriction::OwnAccount,
    Restriction::UserIsDisabled,
    Restriction::PersonalAccessTokenMintsNone,
    Restriction::TooManyPersonalAccessTokens,
];

/// An error of each reason that administration has, as an operation answers it: the examples of the description of the API
/// (decision 0128).
#[must_use]
pub fn error_examples() -> Vec<Status> {
    let organization = OrganizationId::from("274893001");
    let mut errors = vec![
        AdministrationError::ProfileComplete,
        AdministrationError::StampMismatch,
        AdministrationError::DomainCheckedJustNow {
            retry_after: Duration::from_secs(10),
        },
        AdministrationError::DomainUnreachable(DomainUnreachable("no route to host".into())),
        AdministrationError::TooManyUsernames {
            wait: Duration::from_secs(360),
        },
        AdministrationError::UserLimit {
            organization,
            limit: 10,
        },
    ];
    let missing = [
        (RecordKind::Application, "books"),
        (RecordKind::Domain, "alkhair.example"),
        (RecordKind::Organization, "274893001"),
        (
            RecordKind::PersonalAccessToken,
            "0190a6c2-7d1e-7f00-a111-000000000001",
        ),
        (RecordKind::Role, "clerk"),
        (RecordKind::Tenant, "274893001"),
        (RecordKind::User, "noura@alkhair.example"),
    ];
    errors.extend(missing.map(|(kind, name)| AdministrationError::NotFound {
        kind,
        name: name.to_owned(),
    }));
    let existing = missing.into_iter();
    // Granting a role again changes nothing.
    let existing = existing.filter(|(kind, _)| *kind != RecordKind::Role);
    errors.extend(existing.map(|(kind, name)| AdministrationError::Exists {
        kind,
        name: name.to_owned(),
    }));
    errors.extend(RESTRICTIONS.map(AdministrationError::NotAllowed));
    errors.iter().map(Status::from).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_example_has_a_reason_of_its_own() {
        let examples = error_examples();
        let reasons: BTreeSet<_> = examples.iter().filter_map(Status::reason).collect();
        assert_eq!(reasons.len(), examples.len());
    }
}
