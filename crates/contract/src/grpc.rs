//! A [`Status`] as a tonic status with `grpc-status-details-bin`, and back.

use tonic_types::{ErrorDetail, ErrorDetails, StatusExt as _};

use crate::status::{Code, Detail, FieldViolation, QuotaViolation, Status};

impl From<Status> for tonic::Status {
    fn from(status: Status) -> Self {
        let code = tonic::Code::from_i32(i32::from(status.code.number()));
        if status.details.is_empty() {
            return Self::new(code, status.message);
        }
        let mut details = ErrorDetails::new();
        for detail in status.details {
            match detail {
                Detail::BadRequest { violations } => {
                    for violation in violations {
                        details.add_bad_request_violation(violation.field, violation.description);
                    }
                }
                Detail::ErrorInfo {
                    reason,
                    domain,
                    metadata,
                } => {
                    details.set_error_info(
                        reason,
                        domain,
                        metadata
                            .into_iter()
                            .collect::<std::collections::HashMap<_, _>>(),
                    );
                }
                Detail::QuotaFailure { violations } => {
                    for violation in violations {
                        details
                            .add_quota_failure_violation(violation.subject, violation.description);
                    }
                }
                Detail::RetryInfo { delay } => {
                    details.set_retry_info(Some(delay));
                }
                Detail::Other(_) => {}
            }
        }
        Self::with_error_details(code, status.message, details)
    }
}

impl From<&tonic::Status> for Status {
    fn from(status: &tonic::Status) -> Self {
        let details = status
            .get_error_details_vec()
            .into_iter()
            .filter_map(detail)
            .collect();
        Self {
            code: Code::from_number(status.code() as i64),
            message: status.message().to_owned(),
            details,
        }
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the service sends no other detail types"
)]
fn detail(detail: ErrorDetail) -> Option<Detail> {
    match detail {
        ErrorDetail::BadRequest(bad) => Some(Detail::BadRequest {
            violations: bad
                .field_violations
                .into_iter()
                .map(|violation| FieldViolation::new(violation.field, violation.description))
                .collect(),
        }),
        ErrorDetail::ErrorInfo(info) => {
            let mut metadata: Vec<_> = info.metadata.into_iter().collect();
            metadata.sort();
            Some(Detail::ErrorInfo {
                reason: info.reason,
                domain: info.domain,
                metadata,
            })
        }
        ErrorDetail::QuotaFailure(failure) => Some(Detail::QuotaFailure {
            violations: failure
                .violations
                .into_iter()
                .map(|violation| QuotaViolation {
                    subject: violation.subject,
                    description: violation.description,
                })
                .collect(),
        }),
        ErrorDetail::RetryInfo(retry) => retry.retry_delay.map(|delay| Detail::RetryInfo { delay }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_status_survives_a_grpc_round_trip() {
        let status = Status::invalid(
            "INVALID_CONTENT",
            "no",
            vec![FieldViolation::new("a[0].b", "BR-1: no")],
        )
        .with_metadata("rule", "BR-1")
        .with(Detail::QuotaFailure {
            violations: vec![QuotaViolation::of_organization("274", "10 a minute")],
        })
        .with(Detail::RetryInfo {
            delay: Duration::from_secs(3),
        });
        let mut back = Status::from(&tonic::Status::from(status.clone()));
        back.details.sort_by_key(|detail| format!("{detail:?}"));
        let mut expected = status;
        expected.details.sort_by_key(|detail| format!("{detail:?}"));
        assert_eq!(back, expected);
    }
}
