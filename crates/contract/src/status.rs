//! The error body of the gateway: a google.rpc.Status with numeric code and typed details (contract, parts 2 and 7).

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};

const BAD_REQUEST: &str = "type.googleapis.com/google.rpc.BadRequest";
const ERROR_INFO: &str = "type.googleapis.com/google.rpc.ErrorInfo";
const RETRY_INFO: &str = "type.googleapis.com/google.rpc.RetryInfo";

/// The domain of every ErrorInfo of this service.
pub const DOMAIN: &str = "invoicing";

/// The gRPC codes that the contract maps. Anything else a peer sends is [`Code::Unknown`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of gRPC")]
pub enum Code {
    Ok,
    Unknown,
    InvalidArgument,
    NotFound,
    AlreadyExists,
    PermissionDenied,
    ResourceExhausted,
    FailedPrecondition,
    Aborted,
    Unimplemented,
    Internal,
    Unavailable,
    Unauthenticated,
}

impl Code {
    /// The gRPC number.
    #[must_use]
    pub const fn number(self) -> u16 {
        match self {
            Self::Ok => 0,
            Self::Unknown => 2,
            Self::InvalidArgument => 3,
            Self::NotFound => 5,
            Self::AlreadyExists => 6,
            Self::PermissionDenied => 7,
            Self::ResourceExhausted => 8,
            Self::FailedPrecondition => 9,
            Self::Aborted => 10,
            Self::Unimplemented => 12,
            Self::Internal => 13,
            Self::Unavailable => 14,
            Self::Unauthenticated => 16,
        }
    }

    /// The code with this gRPC number.
    #[must_use]
    pub const fn from_number(number: i64) -> Self {
        match number {
            0 => Self::Ok,
            3 => Self::InvalidArgument,
            5 => Self::NotFound,
            6 => Self::AlreadyExists,
            7 => Self::PermissionDenied,
            8 => Self::ResourceExhausted,
            9 => Self::FailedPrecondition,
            10 => Self::Aborted,
            12 => Self::Unimplemented,
            13 => Self::Internal,
            14 => Self::Unavailable,
            16 => Self::Unauthenticated,
            _ => Self::Unknown,
        }
    }

    /// The HTTP status of the contract's table.
    #[must_use]
    pub const fn http(self) -> u16 {
        match self {
            Self::Ok => 200,
            Self::InvalidArgument | Self::FailedPrecondition => 400,
            Self::Unauthenticated => 401,
            Self::PermissionDenied => 403,
            Self::NotFound => 404,
            Self::Unimplemented => 405,
            Self::AlreadyExists | Self::Aborted => 409,
            Self::ResourceExhausted => 429,
            Self::Unknown | Self::Internal => 500,
            Self::Unavailable => 503,
        }
    }

    /// The name in gRPC's spelling, as `INVALID_ARGUMENT`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Unknown => "UNKNOWN",
            Self::InvalidArgument => "INVALID_ARGUMENT",
            Self::NotFound => "NOT_FOUND",
            Self::AlreadyExists => "ALREADY_EXISTS",
            Self::PermissionDenied => "PERMISSION_DENIED",
            Self::ResourceExhausted => "RESOURCE_EXHAUSTED",
            Self::FailedPrecondition => "FAILED_PRECONDITION",
            Self::Aborted => "ABORTED",
            Self::Unimplemented => "UNIMPLEMENTED",
            Self::Internal => "INTERNAL",
            Self::Unavailable => "UNAVAILABLE",
            Self::Unauthenticated => "UNAUTHENTICATED",
        }
    }
}

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

    /// A status with the one ErrorInfo that every error but 401 and 403 has. `reason` is UPPER_SNAKE.
    #[must_use]
    pub fn new(code: Code, reason: &str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: vec![Detail::error_info(reason)],
        }
    }

    /// INVALID_ARGUMENT with all violations at once.
    #[must_use]
    pub fn invalid(
        reason: &str,
        message: impl Into<String>,
        violations: Vec<FieldViolation>,
    ) -> Self {
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
            Detail::ErrorInfo { .. } | Detail::RetryInfo { .. } | Detail::Other(_) => &[],
        })
    }

    /// The reason of its ErrorInfo.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.details.iter().find_map(|detail| match detail {
            Detail::ErrorInfo { reason, .. } => Some(reason.as_str()),
            Detail::BadRequest { .. } | Detail::RetryInfo { .. } | Detail::Other(_) => None,
        })
    }

    /// A value in the metadata of its ErrorInfo.
    #[must_use]
    pub fn metadata(&self, key: &str) -> Option<&str> {
        self.details.iter().find_map(|detail| match detail {
            Detail::ErrorInfo { metadata, .. } => metadata
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value.as_str()),
            Detail::BadRequest { .. } | Detail::RetryInfo { .. } | Detail::Other(_) => None,
        })
    }

    /// The delay of its RetryInfo.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.details.iter().find_map(|detail| match detail {
            Detail::RetryInfo { delay } => Some(*delay),
            Detail::BadRequest { .. } | Detail::ErrorInfo { .. } | Detail::Other(_) => None,
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

/// A typed detail, told apart by `@type`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detail {
    /// google.rpc.BadRequest
    BadRequest {
        /// Every field that is wrong.
        violations: Vec<FieldViolation>,
    },
    /// google.rpc.ErrorInfo
    ErrorInfo {
        /// UPPER_SNAKE, unique within the domain.
        reason: String,
        /// Who defines the reason.
        domain: String,
        /// Data about this occurrence, in a fixed order.
        metadata: Vec<(String, String)>,
    },
    /// google.rpc.RetryInfo
    RetryInfo {
        /// Wait at least this long.
        delay: Duration,
    },
    /// A type that this version does not know, as it came.
    Other(Value),
}

impl Detail {
    /// An ErrorInfo of this service.
    #[must_use]
    pub fn error_info(reason: &str) -> Self {
        Self::ErrorInfo {
            reason: reason.to_owned(),
            domain: DOMAIN.to_owned(),
            metadata: Vec::new(),
        }
    }
}

/// One thing wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldViolation {
    /// Path into the request, as `changes.content.invoice.lines[2].tax.rate`.
    #[serde(default)]
    pub field: String,
    /// `BR-S-05: …`: the rule, where there is one, then a sentence in English.
    #[serde(default)]
    pub description: String,
}

impl FieldViolation {
    /// A violation at `field`.
    #[must_use]
    pub fn new(field: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            description: description.into(),
        }
    }
}

impl Serialize for Detail {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = match self {
            Self::BadRequest { violations } => {
                json!({"@type": BAD_REQUEST, "fieldViolations": violations})
            }
            Self::ErrorInfo {
                reason,
                domain,
                metadata,
            } => {
                let metadata: Map<_, _> = metadata
                    .iter()
                    .map(|(key, value)| (key.clone(), Value::from(value.as_str())))
                    .collect();
                json!({"@type": ERROR_INFO, "reason": reason, "domain": domain, "metadata": metadata})
            }
            Self::RetryInfo { delay } => {
                json!({"@type": RETRY_INFO, "retryDelay": format!("{}s", seconds(*delay))})
            }
            Self::Other(value) => value.clone(),
        };
        value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Detail {
    /// Never fails on a detail it cannot read: what is not understood is kept as [`Detail::Other`].
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(known(&value).unwrap_or(Self::Other(value)))
    }
}

fn known(value: &Value) -> Option<Detail> {
    match value.get("@type")?.as_str()? {
        BAD_REQUEST => {
            let violations = match value.get("fieldViolations") {
                Some(violations) => serde_json::from_value(violations.clone()).ok()?,
                None => Vec::new(),
            };
            Some(Detail::BadRequest { violations })
        }
        ERROR_INFO => {
            let text = |key: &str| {
                value
                    .get(key)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned()
            };
            let metadata = value
                .get("metadata")
                .and_then(Value::as_object)
                .into_iter()
                .flatten();
            let metadata = metadata
                .filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
                .collect();
            Some(Detail::ErrorInfo {
                reason: text("reason"),
                domain: text("domain"),
                metadata,
            })
        }
        RETRY_INFO => Some(Detail::RetryInfo {
            delay: duration(value.get("retryDelay")?.as_str()?)?,
        }),
        _ => None,
    }
}

/// A google.protobuf.Duration in JSON, without its `s`: whole seconds, or with as many digits as it needs.
fn seconds(delay: Duration) -> String {
    match delay.subsec_nanos() {
        0 => delay.as_secs().to_string(),
        nanos => format!(
            "{}.{}",
            delay.as_secs(),
            format!("{nanos:09}").trim_end_matches('0')
        ),
    }
}

fn duration(text: &str) -> Option<Duration> {
    let (whole, fraction) = match text.strip_suffix('s')?.split_once('.') {
        Some((whole, fraction)) => (whole, fraction),
        None => (text.strip_suffix('s')?, ""),
    };
    if fraction.len() > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(Duration::new(
        whole.parse().ok()?,
        format!("{fraction:0<9}").parse().ok()?,
    ))
}

fn code_to_number<S: Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u16(code.number())
}

fn code_from_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
    i64::deserialize(deserializer).map(Code::from_number)
}

/// "The user is not authorized", in Arabic in every environment (contract, part 7). Clients branch on the code.
pub const NOT_AUTHORIZED: &str = "المستخدم غير مصرح له بتنفيذ هذا الطلب";

impl Status {
    /// The answer to a caller without permission: fixed text, no details (contract, part 7).
    #[must_use]
    pub fn permission_denied() -> Self {
        Self::bare(Code::PermissionDenied, NOT_AUTHORIZED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_is_that_of_the_contract() {
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
    fn details_stand_there_even_when_empty() {
        let body = serde_json::to_string(&Status::bare(Code::PermissionDenied, "x")).unwrap();
        assert_eq!(body, r#"{"code":7,"message":"x","details":[]}"#);
    }

    #[test]
    fn what_is_written_reads_back_equal() {
        let status = Status::new(Code::ResourceExhausted, "RATE_LIMIT", "slow down")
            .with_metadata("limit", "10")
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
    fn a_detail_that_cannot_be_read_is_kept_and_not_an_error() {
        let body = r#"{"code":3,"message":"","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":7},{}]}"#;
        let status: Status = serde_json::from_str(body).unwrap();
        assert_eq!(status.details.len(), 2);
        assert_eq!(status.violations().count(), 0);
    }
}
