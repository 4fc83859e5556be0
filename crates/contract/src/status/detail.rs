//! The typed details of a [`Status`](super::Status) and their JSON form.

use std::fmt::Display;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};

const BAD_REQUEST: &str = "type.googleapis.com/google.rpc.BadRequest";
const ERROR_INFO: &str = "type.googleapis.com/google.rpc.ErrorInfo";
const QUOTA_FAILURE: &str = "type.googleapis.com/google.rpc.QuotaFailure";
const RETRY_INFO: &str = "type.googleapis.com/google.rpc.RetryInfo";

/// The domain of every ErrorInfo of this service.
pub const DOMAIN: &str = "invoicing";

/// A typed detail, distinguished by `@type`.
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
    /// google.rpc.QuotaFailure
    QuotaFailure {
        /// Every limit that is reached.
        violations: Vec<QuotaViolation>,
    },
    /// google.rpc.RetryInfo
    RetryInfo {
        /// Wait at least this long.
        delay: Duration,
    },
    /// A type that this version does not know, unchanged.
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

/// One violation in a request.
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

    /// A violation of a rule at `field`. Its description begins with the name of the rule.
    #[must_use]
    pub fn of_rule(field: impl Into<String>, rule: &str, sentence: impl Display) -> Self {
        Self::new(field, format!("{rule}: {sentence}"))
    }
}

/// One limit that is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotaViolation {
    /// Whose limit it is, as `organization:274893001`.
    #[serde(default)]
    pub subject: String,
    /// A sentence in English that names the limit.
    #[serde(default)]
    pub description: String,
}

impl QuotaViolation {
    /// A limit of an organization that is reached.
    #[must_use]
    pub fn of_organization(organization: &str, description: impl Into<String>) -> Self {
        Self {
            subject: format!("organization:{organization}"),
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
            Self::QuotaFailure { violations } => {
                json!({"@type": QUOTA_FAILURE, "violations": violations})
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
    /// Never fails: a detail that cannot be read becomes [`Detail::Other`].
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(read(&value).unwrap_or(Self::Other(value)))
    }
}

fn read(value: &Value) -> Option<Detail> {
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
        QUOTA_FAILURE => {
            let violations = match value.get("violations") {
                Some(violations) => serde_json::from_value(violations.clone()).ok()?,
                None => Vec::new(),
            };
            Some(Detail::QuotaFailure { violations })
        }
        RETRY_INFO => Some(Detail::RetryInfo {
            delay: duration(value.get("retryDelay")?.as_str()?)?,
        }),
        _ => None,
    }
}

/// A google.protobuf.Duration in JSON, without its `s`: whole seconds, or with as many fraction digits as it needs.
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
