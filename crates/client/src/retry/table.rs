//! The contract's retry rules as data (contract, part 7).

use std::time::Duration;

use invoicing_contract::Code;

use crate::gateway::Failure;
use crate::views::CommandError;

/// A row: what failed, and after how many seconds it is tried again, once for each number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    trouble: Trouble,
    seconds: &'static [u64],
}

/// What the rows are about. Whatever is not here is not tried again: the request has to change first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    /// 503 with an empty body.
    OrganizationUnavailable,
    /// UNAVAILABLE (14)
    Unavailable,
    /// RESOURCE_EXHAUSTED (8), a rate: a plan does not refill by waiting.
    RateLimited,
    /// INTERNAL (13)
    Internal,
}

/// ABORTED is not here: it takes a fresh stamp and a comparison first, so whoever writes does it.
const TABLE: [Row; 4] = [
    Row {
        trouble: Trouble::OrganizationUnavailable,
        seconds: &[1, 2, 4, 8],
    },
    Row {
        trouble: Trouble::Unavailable,
        seconds: &[1, 2, 4, 8],
    },
    Row {
        trouble: Trouble::RateLimited,
        seconds: &[1, 2, 4, 8],
    },
    Row {
        trouble: Trouble::Internal,
        seconds: &[1],
    },
];

/// After how many seconds it goes again what nobody sits before and waits for: the contract's, and then less and less often.
const LASTING: [u64; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// How long what nobody waits for rests after `tried` earlier tries have failed with `error`, and never less than the
/// service asks for; `None` if it will not pass by itself.
pub(super) fn lasting(error: &CommandError, tried: u32) -> Option<Duration> {
    let (CommandError::OrganizationUnavailable { support }
    | CommandError::Unavailable { support, .. }
    | CommandError::RateLimited { support }
    | CommandError::Offline { support }) = error
    else {
        return None;
    };
    let last = LASTING.len() - 1;
    let seconds = LASTING[usize::try_from(tried).map_or(last, |tried| tried.min(last))];
    let floor = support.retry_after.map_or(0, u64::from);
    Some(Duration::from_secs(seconds.max(floor)))
}

/// The row for a failure, if it may pass by itself.
pub(super) fn row(failure: &Failure) -> Option<&'static Row> {
    let trouble = match (failure, failure.code()) {
        (Failure::OrganizationUnavailable { .. }, _) => Trouble::OrganizationUnavailable,
        (_, Some(Code::Unavailable)) => Trouble::Unavailable,
        (_, Some(Code::ResourceExhausted)) if !failure.is_plan_limit() => Trouble::RateLimited,
        (_, Some(Code::Internal)) => Trouble::Internal,
        _ => return None,
    };
    TABLE.iter().find(|row| row.trouble == trouble)
}

impl Row {
    /// How long to wait after `tried` earlier tries have failed, and never less than the service asks for.
    pub(super) fn delay(&self, tried: u32, floor: Option<Duration>) -> Option<Duration> {
        let seconds = self.seconds.get(usize::try_from(tried).ok()?)?;
        Some(Duration::from_secs(*seconds).max(floor.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use invoicing_contract::{Detail, Status};

    use super::*;
    use crate::gateway::Answer;
    use crate::views::Support;

    fn answer(http: u16) -> Answer {
        Answer {
            http,
            correlation_id: "c".to_owned(),
            retry_after: Some(Duration::from_secs(1)),
        }
    }

    fn failure(code: Code, reason: &str) -> Failure {
        Failure::Status {
            status: Status::new(code, reason, ""),
            answer: answer(code.http()),
        }
    }

    fn delays(failure: &Failure) -> Vec<u64> {
        let Some(row) = row(failure) else {
            return Vec::new();
        };
        (0..)
            .map_while(|tried| row.delay(tried, failure.floor()))
            .map(|delay| delay.as_secs())
            .collect()
    }

    #[test]
    fn each_row_of_the_contract_is_tried_as_it_says() {
        assert_eq!(
            delays(&Failure::OrganizationUnavailable {
                answer: answer(503)
            }),
            [1, 2, 4, 8]
        );
        assert_eq!(delays(&failure(Code::Unavailable, "")), [1, 2, 4, 8]);
        assert_eq!(
            delays(&failure(Code::ResourceExhausted, "RATE_LIMIT")),
            [1, 2, 4, 8]
        );
        assert_eq!(delays(&failure(Code::Internal, "")), [1]);
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
            assert!(delays(&failure(code, "")).is_empty(), "{code:?}");
        }
        assert!(delays(&failure(Code::ResourceExhausted, "PLAN_LIMIT")).is_empty());
        assert!(
            delays(&Failure::Lost {
                correlation_id: "c".to_owned()
            })
            .is_empty()
        );
    }

    #[test]
    fn what_nobody_waits_for_is_tried_for_ever_and_less_and_less_often() {
        let busy = |retry_after| CommandError::RateLimited {
            support: Box::new(Support {
                retry_after,
                ..Support::default()
            }),
        };
        let seconds =
            |error: &CommandError, tried| lasting(error, tried).map(|rest| rest.as_secs());
        let rests: Vec<_> = (0..11)
            .filter_map(|tried| seconds(&busy(None), tried))
            .collect();
        assert_eq!(rests, [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256]);
        assert_eq!(seconds(&busy(Some(90)), 0), Some(90));
        assert_eq!(seconds(&busy(Some(3)), 4), Some(16));
        assert_eq!(seconds(&CommandError::NotSignedIn, 0), None);
    }

    #[test]
    fn the_service_can_ask_for_more_time_but_not_for_less() {
        let slow = Status::new(Code::ResourceExhausted, "RATE_LIMIT", "").with(Detail::RetryInfo {
            delay: Duration::from_secs(3),
        });
        assert_eq!(
            delays(&Failure::Status {
                status: slow,
                answer: answer(429)
            }),
            [3, 3, 4, 8]
        );
    }
}
