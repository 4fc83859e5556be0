//! Why a call to the gateway failed, and the same as a command's error.

use std::time::Duration;

use invoicing_contract::{Code, Operation, Status};
use jiff::Timestamp;
use thiserror::Error;

use super::CallContext;
use super::response::{MalformedResponse, ResponseHead};
use crate::form_paths;
use crate::http::LostResponse;
use crate::session::LeaseError;
use crate::views::{CommandError, Support};

/// ErrorInfo reason of 429 when the plan, not a rate, is exhausted.
const PLAN_LIMIT: &str = "PLAN_LIMIT";
/// ErrorInfo reason of 503 when the tax authority does not respond (decision 0020).
const AUTHORITY_UNAVAILABLE: &str = "AUTHORITY_UNAVAILABLE";

/// Why a call failed.
#[derive(Debug, Error)]
pub(crate) enum GatewayError {
    /// An error of the contract.
    #[error("{} ({})", status.code.name(), response.correlation_id)]
    Status {
        status: Status,
        response: ResponseHead,
    },
    /// 503 with an empty body: the organization cannot be resolved to a tenant, and nothing was written.
    #[error("the organization is unavailable ({})", response.correlation_id)]
    OrganizationUnavailable {
        response: ResponseHead,
        /// Whether another organization of the user answers, so that it is not the whole service.
        others_answer: bool,
    },
    /// There is no connection: nothing was sent. Without a source, no HTTP client could be built.
    #[error("the request was not sent ({correlation_id})")]
    NotSent {
        correlation_id: String,
        source: Option<reqwest::Error>,
    },
    /// The request was sent, and no complete response came.
    #[error("the response was lost ({correlation_id})")]
    ResponseLost {
        correlation_id: String,
        source: LostResponse,
    },
    /// The response is not one of the contract.
    #[error("unexpected response {} ({})", response.status, response.correlation_id)]
    UnexpectedResponse {
        response: ResponseHead,
        source: MalformedResponse,
    },
    /// The session has no usable access token.
    #[error(transparent)]
    Session(#[from] LeaseError),
}

/// What is not known of a write that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Doubt {
    /// Nothing: it was not sent, or it was refused.
    None,
    /// It may have been done. It is not on its way any more.
    MayBeDone,
    /// It may be done yet: its request can still be on its way.
    MayArrive,
}

/// A call that failed, and how many attempts did. A write that is refused after an attempt of ours failed may have been
/// done by that attempt.
pub(crate) struct FailedCall {
    /// Of the last attempt.
    pub(crate) error: GatewayError,
    pub(crate) failed_attempts: u32,
    /// The greatest doubt that the attempts before the last one have left.
    pub(crate) earlier: Doubt,
}

impl FailedCall {
    /// What is not known of all attempts together.
    pub(crate) fn doubt(&self) -> Doubt {
        if self.error.is_judged() {
            Doubt::None
        } else {
            self.earlier.max(self.error.doubt())
        }
    }
}

impl GatewayError {
    /// The error of one entry of a batch, which has no response of its own.
    pub(crate) fn of_entry(status: Status) -> Self {
        Self::Status {
            status,
            response: ResponseHead {
                status: 200,
                correlation_id: String::new(),
                retry_after: None,
            },
        }
    }

    /// The gRPC code, if it is an error of the contract.
    pub(crate) fn code(&self) -> Option<Code> {
        match self {
            Self::Status { status, .. } => Some(status.code),
            Self::OrganizationUnavailable { .. }
            | Self::NotSent { .. }
            | Self::ResponseLost { .. }
            | Self::UnexpectedResponse { .. }
            | Self::Session(_) => None,
        }
    }

    /// Whether the plan is exhausted: a retry does not help.
    pub(crate) fn is_plan_limit(&self) -> bool {
        matches!(self, Self::Status { status, .. } if status.reason() == Some(PLAN_LIMIT))
    }

    /// Whether a write may have been done although the call failed.
    pub(crate) fn outcome_is_unknown(&self) -> bool {
        match self {
            Self::ResponseLost { .. } => true,
            // 2xx: the write may have been done, and its response is malformed or of another server. 5xx: a proxy may have
            // stopped waiting for the gateway.
            Self::UnexpectedResponse { response, .. } => {
                (200..300).contains(&response.status) || response.status >= 500
            }
            Self::Status { status, .. } => {
                matches!(status.code, Code::Internal | Code::Unknown) || status.outcome_is_unknown()
            }
            Self::OrganizationUnavailable { .. } | Self::NotSent { .. } | Self::Session(_) => false,
        }
    }

    /// Whether the request is not on its way any more: the service or something before it has answered. Behind an
    /// unexpected 5xx the gateway may still work on it, and behind an answer that says that the outcome is unknown.
    pub(crate) fn response_is_final(&self) -> bool {
        match self {
            Self::Status { status, .. } => !status.outcome_is_unknown(),
            Self::UnexpectedResponse { response, .. } => response.status < 500,
            Self::OrganizationUnavailable { .. }
            | Self::NotSent { .. }
            | Self::ResponseLost { .. }
            | Self::Session(_) => false,
        }
    }

    /// What is not known of the attempt that failed with it.
    pub(crate) fn doubt(&self) -> Doubt {
        match (self.outcome_is_unknown(), self.response_is_final()) {
            (false, _) => Doubt::None,
            (true, true) => Doubt::MayBeDone,
            (true, false) => Doubt::MayArrive,
        }
    }

    /// Whether the service has judged the request: the same of an earlier attempt fares no better. A limit, a permission or a lost
    /// connection says nothing about that.
    pub(crate) fn is_judged(&self) -> bool {
        let judged = [
            Code::InvalidArgument,
            Code::FailedPrecondition,
            Code::Aborted,
            Code::AlreadyExists,
            Code::NotFound,
        ];
        self.code().is_some_and(|code| judged.contains(&code))
    }

    /// The shortest delay before a retry that the service allows: RetryInfo, else the header `Retry-After`.
    pub(crate) fn min_retry_delay(&self) -> Option<Duration> {
        match self {
            Self::Status { status, response } => status.retry_after().or(response.retry_after),
            Self::OrganizationUnavailable { response, .. } => response.retry_after,
            Self::NotSent { .. }
            | Self::ResponseLost { .. }
            | Self::UnexpectedResponse { .. }
            | Self::Session(_) => None,
        }
    }

    /// The error of the command that made the call.
    pub(crate) fn to_command_error(
        &self,
        context: &CallContext,
        operation: &Operation,
        now: Timestamp,
    ) -> CommandError {
        let support = Support {
            operation: context.command.to_owned(),
            organization: context.organization.clone(),
            time: now.to_string(),
            retry_after: self.min_retry_delay().map(seconds),
            ..Support::default()
        };
        match self {
            Self::Status { status, response } => status_error(status, response, operation, support),
            Self::OrganizationUnavailable {
                response,
                others_answer,
            } => CommandError::OrganizationUnavailable {
                others_answer: *others_answer,
                support: with_response(support, response),
            },
            Self::UnexpectedResponse { response, .. } => CommandError::UnexpectedResponse {
                status: response.status,
                support: with_response(support, response),
            },
            Self::NotSent { correlation_id, .. } | Self::ResponseLost { correlation_id, .. } => {
                CommandError::Offline {
                    support: Box::new(Support {
                        correlation_id: correlation_id.clone(),
                        ..support
                    }),
                }
            }
            Self::Session(error) => error.clone().into_command_error(&context.session, support),
        }
    }
}

fn status_error(
    status: &Status,
    response: &ResponseHead,
    operation: &Operation,
    support: Support,
) -> CommandError {
    let support = Support {
        code: Some(status.code.number()),
        reason: status.reason().unwrap_or_default().to_owned(),
        message: status.message.clone(),
        ..support
    };
    let support = with_response(support, response);
    let is = |reason: &str| status.reason() == Some(reason);
    match status.code {
        Code::InvalidArgument => CommandError::InvalidArgument {
            violations: status.violations().map(form_paths::to_view).collect(),
            support,
        },
        Code::FailedPrecondition => CommandError::FailedPrecondition {
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
        // The client sets no deadline at the gateway.
        Code::Internal
        | Code::Unknown
        | Code::Unimplemented
        | Code::DeadlineExceeded
        | Code::Ok => CommandError::Internal { support },
    }
}

fn with_response(support: Support, response: &ResponseHead) -> Box<Support> {
    Box::new(Support {
        status: Some(response.status),
        correlation_id: response.correlation_id.clone(),
        ..support
    })
}

/// Whole seconds, rounded up, so that a minimum stays one.
fn seconds(duration: Duration) -> u32 {
    let whole = duration.as_secs() + u64::from(duration.subsec_nanos() > 0);
    u32::try_from(whole).unwrap_or(u32::MAX)
}
