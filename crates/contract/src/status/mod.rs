//! The error body of the gateway: a google.rpc.Status with numeric code and typed details (contract, parts 2 and 7).

mod code;
mod detail;

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use code::Code;
pub use detail::{DOMAIN, Detail, FieldViolation, QuotaViolation};

/// "The user is not authorized", in Arabic in every environment (contract, part 7). Clients branch on the code.
pub const NOT_AUTHORIZED: &str = "المستخدم غير مصرح له بتنفيذ هذا الطلب";

/// Most violations in a Status. Over gRPC they are in a header, whose size clients limit.
pub const MAX_VIOLATIONS: usize = 100;

/// Reason of UNAVAILABLE: storage lost the answer to a commit, so that the change is stored whole or not at all (decision 0191).
pub const STORAGE_IN_DOUBT: &str = "STORAGE_IN_DOUBT";
/// Reason of UNAVAILABLE: a proxy lost the answer of the service, which may have executed the request (decision 0191).
pub const ANSWER_LOST: &str = "ANSWER_LOST";

/// An error of the gateway. Clients branch on `code` and on the details' types, never on `message`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Numeric gRPC code on the wire.
    #[serde(
        serialize_with = "code_to_number",
        deserialize_with = "code_from_number"
    )]
    pub code: Code,
    /// Short summary for people who read logs.
    #[serde(default)]
    pub message: String,
    /// Present on the wire even when empty.
    #[serde(default)]
    pub details: Vec<Detail>,
}

impl Status {
    /// A status without details, for 401 and 403 (decision 0026).
    #[must_use]
    pub fn bare(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: Vec::new(),
        }
    }

    /// The answer to a caller without permission: fixed text, no details (contract, part 7).
    #[must_use]
    pub fn permission_denied() -> Self {
        Self::bare(Code::PermissionDenied, NOT_AUTHORIZED)
    }

    /// A status with the one ErrorInfo that every error but 401 and 403 has. `reason` is UPPER_SNAKE.
    #[must_use]
    pub fn new(code: Code, reason: &str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: vec![Detail::error_info(reason)],
        }
    }

    /// INVALID_ARGUMENT with all violations at once, or the first [`MAX_VIOLATIONS`] of them.
    #[must_use]
    pub fn invalid(
        reason: &str,
        message: impl Into<String>,
        mut violations: Vec<FieldViolation>,
    ) -> Self {
        violations.truncate(MAX_VIOLATIONS);
        Self::new(Code::InvalidArgument, reason, message).with(Detail::BadRequest { violations })
    }

    /// The same with one more detail.
    #[must_use]
    pub fn with(mut self, detail: Detail) -> Self {
        self.details.push(detail);
        self
    }

    /// The same with `key: value` in the metadata of its ErrorInfo.
    #[must_use]
    pub fn with_metadata(mut self, key: &str, value: impl Into<String>) -> Self {
        for detail in &mut self.details {
            if let Detail::ErrorInfo { metadata, .. } = detail {
                metadata.push((key.to_owned(), value.into()));
                break;
            }
        }
        self
    }

    /// The field violations of all BadRequest details.
    pub fn violations(&self) -> impl Iterator<Item = &FieldViolation> {
        self.details.iter().flat_map(|detail| match detail {
            Detail::BadRequest { violations } => violations.as_slice(),
            Detail::ErrorInfo { .. }
            | Detail::QuotaFailure { .. }
            | Detail::RetryInfo { .. }
            | Detail::Other(_) => &[],
        })
    }

    /// The reason of its ErrorInfo.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.details.iter().find_map(|detail| match detail {
            Detail::ErrorInfo { reason, .. } => Some(reason.as_str()),
            Detail::BadRequest { .. }
            | Detail::QuotaFailure { .. }
            | Detail::RetryInfo { .. }
            | Detail::Other(_) => None,
        })
    }

    /// Whether the request may have been executed, and may still be on its way, although it failed (decision 0191).
    #[must_use]
    pub fn outcome_is_unknown(&self) -> bool {
        self.code == Code::Unavailable
            && matches!(self.reason(), Some(STORAGE_IN_DOUBT | ANSWER_LOST))
    }

    /// A value in the metadata of its ErrorInfo.
    #[must_use]
    pub fn metadata(&self, key: &str) -> Option<&str> {
        self.details.iter().find_map(|detail| match detail {
            Detail::ErrorInfo { metadata, .. } => metadata
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value.as_str()),
            Detail::BadRequest { .. }
            | Detail::QuotaFailure { .. }
            | Detail::RetryInfo { .. }
            | Detail::Other(_) => None,
        })
    }

    /// The delay of its RetryInfo.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.details.iter().find_map(|detail| match detail {
            Detail::RetryInfo { delay } => Some(*delay),
            Detail::BadRequest { .. }
            | Detail::ErrorInfo { .. }
            | Detail::QuotaFailure { .. }
            | Detail::Other(_) => None,
        })
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} ({}): {}",
            self.code.name(),
            self.code.number(),
            self.message
        )
    }
}

impl std::error::Error for Status {}

fn code_to_number<S: Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u16(code.number())
}

fn code_from_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
    i64::deserialize(deserializer).map(Code::from_number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_status_serializes_to_the_body_of_the_contract() {
        let status = Status::invalid(
            "INVALID_CONTENT",
            "invalid",
            vec![FieldViolation::new(
                "changes.content",
                "invoice content is required",
            )],
        );
        assert_eq!(
            serde_json::to_value(&status).unwrap(),
            json!({"code": 3, "message": "invalid", "details": [
                {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "INVALID_CONTENT", "domain": "invoicing", "metadata": {}},
                {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [
                    {"field": "changes.content", "description": "invoice content is required"}]},
            ]})
        );
    }

    #[test]
    fn outcome_is_unknown_by_code_and_reason_together() {
        for (code, reason, is_unknown) in [
            (Code::Unavailable, STORAGE_IN_DOUBT, true),
            (Code::Unavailable, ANSWER_LOST, true),
            (Code::Unavailable, "STORAGE_BUSY", false),
            (Code::Aborted, ANSWER_LOST, false),
        ] {
            let status = Status::new(code, reason, "");
            assert_eq!(status.outcome_is_unknown(), is_unknown, "{status:?}");
        }
        assert!(!Status::bare(Code::Unavailable, "").outcome_is_unknown());
    }

    #[test]
    fn violations_of_a_status_are_bounded() {
        let violation = FieldViolation::new("plan.name", "must be given");
        let status = Status::invalid("INVALID_REQUEST", "no", vec![violation; 250_000]);
        assert_eq!(status.violations().count(), MAX_VIOLATIONS);
    }

    #[test]
    fn empty_details_are_serialized() {
        let body = serde_json::to_string(&Status::bare(Code::PermissionDenied, "x")).unwrap();
        assert_eq!(body, r#"{"code":7,"message":"x","details":[]}"#);
    }

    #[test]
    fn a_status_survives_a_json_round_trip() {
        let status = Status::new(Code::ResourceExhausted, "RATE_LIMIT", "slow down")
            .with_metadata("limit", "10")
            .with(Detail::QuotaFailure {
                violations: vec![QuotaViolation::of_organization("274", "10 a minute")],
            })
            .with(Detail::RetryInfo {
                delay: Duration::from_millis(1500),
            })
            .with(Detail::Other(
                json!({"@type": "type.googleapis.com/google.rpc.Help", "links": []}),
            ));
        let written = serde_json::to_string(&status).unwrap();
        assert!(written.contains(r#""retryDelay":"1.5s""#), "{written}");
        assert_eq!(serde_json::from_str::<Status>(&written).unwrap(), status);
    }

    #[test]
    fn an_unreadable_detail_is_kept_as_other() {
        let body = r#"{"code":3,"message":"","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":7},{}]}"#;
        let status: Status = serde_json::from_str(body).unwrap();
        assert_eq!(status.details.len(), 2);
        assert_eq!(status.violations().count(), 0);
    }
}
