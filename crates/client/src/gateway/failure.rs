//! What a call can fail with, and the same in a command's terms.

use std::time::Duration;

use invoicing_contract::{Code, Operation, Status};
use jiff::Timestamp;
use thiserror::Error;

use super::{Answer, Caller};
use crate::invoices::violations;
use crate::session::LeaseError;
use crate::views::{CommandError, Support};

/// ErrorInfo reason of 429 where the plan, and not a rate, is used up.
const PLAN_LIMIT: &str = "PLAN_LIMIT";
/// ErrorInfo reason of 503 where the tax authority does not answer (decision 0020).
const AUTHORITY_UNAVAILABLE: &str = "AUTHORITY_UNAVAILABLE";

/// Why a call gave nothing.
#[derive(Debug, Clone, Error)]
pub(crate) enum Failure {
    /// An error of the contract.
    #[error("{} ({})", status.code.name(), answer.correlation_id)]
    Status { status: Status, answer: Answer },
    /// 503 with an empty body: the organization cannot be resolved to a tenant, and nothing was written.
    #[error("the organization is unavailable ({})", answer.correlation_id)]
    OrganizationUnavailable { answer: Answer },
    /// No connection: nothing was sent.
    #[error("not sent ({correlation_id})")]
    NotSent { correlation_id: String },
    /// Sent, and no whole answer came.
    #[error("the answer was lost ({correlation_id})")]
    Lost { correlation_id: String },
    /// Not an answer of the contract.
    #[error("a strange answer {} ({})", answer.http, answer.correlation_id)]
    Strange { answer: Answer },
    /// The session lends no access token.
    #[error(transparent)]
    Session(LeaseError),
}

impl Failure {
    /// The gRPC code, if it is an error of the contract.
    pub(crate) fn code(&self) -> Option<Code> {
        match self {
            Self::Status { status, .. } => Some(status.code),
            Self::OrganizationUnavailable { .. }
            | Self::NotSent { .. }
            | Self::Lost { .. }
            | Self::Strange { .. }
            | Self::Session(_) => None,
        }
    }

    /// The plan is used up: waiting does not help.
    pub(crate) fn is_plan_limit(&self) -> bool {
        matches!(self, Self::Status { status, .. } if status.reason() == Some(PLAN_LIMIT))
    }

    /// A write may have been done, and nobody knows.
    pub(crate) fn leaves_doubt(&self) -> bool {
        match self {
            Self::Lost { .. } => true,
            // The write was accepted, and only its answer cannot be read; or a proxy gave up on the gateway.
            Self::Strange { answer } => (200..300).contains(&answer.http) || answer.http >= 500,
            Self::Status { status, .. } => matches!(status.code, Code::Internal | Code::Unknown),
            Self::OrganizationUnavailable { .. } | Self::NotSent { .. } | Self::Session(_) => false,
        }
    }

    /// Do not try again sooner: RetryInfo, else the header.
    pub(crate) fn floor(&self) -> Option<Duration> {
        match self {
            Self::Status { status, answer } => status.retry_after().or(answer.retry_after),
            Self::OrganizationUnavailable { answer } => answer.retry_after,
            Self::NotSent { .. } | Self::Lost { .. } | Self::Strange { .. } | Self::Session(_) => {
                None
            }
        }
    }

    /// The same for the UI.
    pub(crate) fn into_command_error(
        self,
        caller: &Caller,
        operation: &Operation,
        now: Timestamp,
    ) -> CommandError {
        let retry_after = self.floor().map(seconds);
        let mut support = Support {
            operation: caller.command.to_owned(),
            organization: caller.organization.clone(),
            time: now.to_string(),
            retry_after,
            ..Support::default()
        };
        let (status, answer) = match self {
            Self::Status { status, answer } => (status, answer),
            Self::OrganizationUnavailable { answer } => {
                return CommandError::OrganizationUnavailable {
                    support: note(support, answer),
                };
            }
            Self::Strange { answer } => {
                return CommandError::StrangeAnswer {
                    status: answer.http,
                    support: note(support, answer),
                };
            }
            Self::NotSent { correlation_id } | Self::Lost { correlation_id } => {
                support.correlation_id = correlation_id;
                return CommandError::Offline {
                    support: Box::new(support),
                };
            }
            Self::Session(unusable) => return unusable.into_command_error(&caller.live, support),
        };
        support.code = Some(status.code.number());
        support.message.clone_from(&status.message);
        let support = note(support, answer);
        let is = |reason: &str| status.reason() == Some(reason);
        match status.code {
            Code::InvalidArgument => CommandError::InvalidArgument {
                violations: status.violations().map(violations::view).collect(),
                support,
            },
            Code::FailedPrecondition => CommandError::FailedPrecondition {
                reason: status.reason().unwrap_or_default().to_owned(),
                current: None,
                support,
            },
            Code::Aborted => CommandError::Aborted {
                current: None,
                support,
            },
            Code::AlreadyExists => CommandError::AlreadyExists {
                current: None,
                support,
            },
            Code::NotFound => CommandError::NotFound { support },
            Code::PermissionDenied => CommandError::PermissionDenied {
                scope: operation.scope.to_owned(),
                support,
            },
            Code::Unauthenticated => CommandError::SessionEnded { support },
            Code::ResourceExhausted if is(PLAN_LIMIT) => CommandError::PlanLimit { support },
            Code::ResourceExhausted => CommandError::RateLimited { support },
            Code::Unavailable => CommandError::Unavailable {
                authority: is(AUTHORITY_UNAVAILABLE),
                support,
            },
            Code::Internal | Code::Unknown | Code::Unimplemented | Code::Ok => {
                CommandError::Internal { support }
            }
        }
    }
}

fn note(support: Support, answer: Answer) -> Box<Support> {
    Box::new(Support {
        status: Some(answer.http),
        correlation_id: answer.correlation_id,
        ..support
    })
}

/// Whole seconds, rounded up: a floor stays one.
fn seconds(duration: Duration) -> u32 {
    let whole = duration.as_secs() + u64::from(duration.subsec_nanos() > 0);
    u32::try_from(whole).unwrap_or(u32::MAX)
}
