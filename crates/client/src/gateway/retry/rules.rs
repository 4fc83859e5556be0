//! The contract's retry rules as a table (contract, part 7).

use std::time::Duration;

use invoicing_contract::Code;

use crate::gateway::GatewayError;
use crate::views::CommandError;

/// A rule: the error, and the delays in seconds before each retry.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RetryRule {
    error: RetryableError,
    delays: &'static [u64],
}

/// The errors with a rule. Other errors are not retried: the same request would fail again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RetryableError {
    /// 503 with an empty body.
    OrganizationUnavailable,
    /// UNAVAILABLE (14)
    Unavailable,
    /// RESOURCE_EXHAUSTED (8) of a rate. An exhausted plan does not recover within minutes.
    RateLimited,
    /// INTERNAL (13)
    Internal,
}

/// ABORTED has no rule: it needs a new stamp and a comparison first, which the code of the write does.
const RULES: [RetryRule; 4] = [
    RetryRule {
        error: RetryableError::OrganizationUnavailable,
        delays: &[1, 2, 4, 8],
    },
    RetryRule {
        error: RetryableError::Unavailable,
        delays: &[1, 2, 4, 8],
    },
    RetryRule {
        error: RetryableError::RateLimited,
        delays: &[1, 2, 4, 8],
    },
    RetryRule {
        error: RetryableError::Internal,
        delays: &[1],
    },
];

/// Seconds before each retry in the background: the contract's delays, then longer ones. The last one repeats.
const BACKGROUND_DELAYS: [u64; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// The delay before a background retry after `earlier` failed attempts and one that failed with `error`, at least as long
/// as the service asks for. `None` if the error is not temporary.
///
/// An error is temporary unless the service itself has refused the request: no connection, a captive portal and an unknown
/// outcome say nothing about it. A keyring that cannot be used gets the longest delay, since each attempt can ask the user
/// to unlock it.
pub(crate) fn background_delay(error: &CommandError, earlier: u32) -> Option<Duration> {
    let last = BACKGROUND_DELAYS.len() - 1;
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the others are refusals, or say that a session is missing"
    )]
    let (index, retry_after) = match error {
        CommandError::OrganizationUnavailable { support, .. }
        | CommandError::Unavailable { support, .. }
        | CommandError::RateLimited { support }
        | CommandError::Offline { support }
        | CommandError::Internal { support }
        | CommandError::UnexpectedResponse { support, .. }
        | CommandError::UnknownOutcome { support, .. } => {
            let index = usize::try_from(earlier).map_or(last, |earlier| earlier.min(last));
            (index, support.retry_after)
        }
        CommandError::Vault { .. } | CommandError::NotSaved { .. } => (last, None),
        _ => return None,
    };
    let min_delay = retry_after.map_or(0, u64::from);
    Some(Duration::from_secs(BACKGROUND_DELAYS[index].max(min_delay)))
}

/// The rule for an error, if it is temporary.
pub(super) fn rule_for(error: &GatewayError) -> Option<&'static RetryRule> {
    let retryable = match (error, error.code()) {
        (GatewayError::OrganizationUnavailable { .. }, _) => {
            RetryableError::OrganizationUnavailable
        }
        (_, Some(Code::Unavailable)) => RetryableError::Unavailable,
        (_, Some(Code::ResourceExhausted)) if !error.is_plan_limit() => RetryableError::RateLimited,
        (_, Some(Code::Internal)) => RetryableError::Internal,
        _ => return None,
    };
    RULES.iter().find(|rule| rule.error == retryable)
}

impl RetryRule {
    /// The delay after `earlier` failed attempts and one more, at least `min_delay`. `None`: no further retry.
    pub(super) fn delay(&self, earlier: u32, min_delay: Option<Duration>) -> Option<Duration> {
        let seconds = self.delays.get(usize::try_from(earlier).ok()?)?;
        Some(Duration::from_secs(*seconds).max(min_delay.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::{Detail, Status};

    use super::*;
    use crate::gateway::response::ResponseHead;
    use crate::http::LostResponse;
    use crate::views::Support;

    fn response(status: u16) -> ResponseHead {
        ResponseHead {
            status,
            correlation_id: "c".to_owned(),
            retry_after: Some(Duration::from_secs(1)),
        }
    }

    fn error(code: Code, reason: &str) -> GatewayError {
        GatewayError::Status {
            status: Status::new(code, reason, ""),
            response: response(code.http()),
        }
    }

    fn delays(error: &GatewayError) -> Vec<u64> {
        let Some(rule) = rule_for(error) else {
            return Vec::new();
        };
        (0..)
            .map_while(|earlier| rule.delay(earlier, error.min_retry_delay()))
            .map(|delay| delay.as_secs())
            .collect()
    }

    #[test]
    fn each_error_is_retried_with_the_delays_of_the_contract() {
        assert_eq!(
            delays(&GatewayError::OrganizationUnavailable {
                response: response(503),
                others_answer: true,
            }),
            [1, 2, 4, 8]
        );
        assert_eq!(delays(&error(Code::Unavailable, "")), [1, 2, 4, 8]);
        assert_eq!(
            delays(&error(Code::ResourceExhausted, "RATE_LIMIT")),
            [1, 2, 4, 8]
        );
        assert_eq!(delays(&error(Code::Internal, "")), [1]);
        for code in [
            Code::InvalidArgument,
            Code::NotFound,
            Code::AlreadyExists,
            Code::PermissionDenied,
            Code::FailedPrecondition,
            Code::Aborted,
            Code::Unauthenticated,
            Code::Unimplemented,
            Code::Unknown,
        ] {
            assert!(delays(&error(code, "")).is_empty(), "{code:?}");
        }
        assert!(delays(&error(Code::ResourceExhausted, "PLAN_LIMIT")).is_empty());
        assert!(
            delays(&GatewayError::ResponseLost {
                correlation_id: "c".to_owned(),
                source: LostResponse::TimedOut
            })
            .is_empty()
        );
    }

    #[test]
    fn background_retries_never_end_and_their_delay_grows_to_a_maximum() {
        let rate_limited = |retry_after| CommandError::RateLimited {
            support: Box::new(Support {
                retry_after,
                ..Support::default()
            }),
        };
        let seconds = |error: &CommandError, earlier| {
            background_delay(error, earlier).map(|delay| delay.as_secs())
        };
        let delays: Vec<_> = (0..11)
            .filter_map(|earlier| seconds(&rate_limited(None), earlier))
            .collect();
        assert_eq!(delays, [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256]);
        assert_eq!(seconds(&rate_limited(Some(90)), 0), Some(90));
        assert_eq!(seconds(&rate_limited(Some(3)), 4), Some(16));
        assert_eq!(seconds(&CommandError::NotSignedIn, 0), None);
    }

    #[test]
    fn retry_info_lengthens_a_delay_and_never_shortens_it() {
        let status =
            Status::new(Code::ResourceExhausted, "RATE_LIMIT", "").with(Detail::RetryInfo {
                delay: Duration::from_secs(3),
            });
        assert_eq!(
            delays(&GatewayError::Status {
                status,
                response: response(429)
            }),
            [3, 3, 4, 8]
        );
    }
}
