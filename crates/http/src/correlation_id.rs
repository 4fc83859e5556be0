//! The correlation id of a request: on its response, and in the line that the log has of the request.

use http::{HeaderMap, HeaderValue};
use invoicing_contract::names::CORRELATION_ID;

use invoicing_storage::Rng;
use invoicing_storage::secret::random_id;

/// The correlation id: an extension of every request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorrelationId(HeaderValue);

impl CorrelationId {
    /// The caller's id if it is valid, otherwise a new one.
    pub(super) fn from_headers(headers: &HeaderMap, rng: &dyn Rng) -> Self {
        let presented = headers.get(CORRELATION_ID).and_then(Self::validate);
        presented.unwrap_or_else(|| {
            Self(HeaderValue::try_from(random_id(rng)).expect("base64url is a header value"))
        })
    }

    /// The caller's id if it is 8 to 64 letters, digits, `-`, `_` or `.`: nothing that could break a log line.
    fn validate(value: &HeaderValue) -> Option<Self> {
        let bytes = value.as_bytes();
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        ((8..=64).contains(&bytes.len()) && bytes.iter().all(plain)).then(|| Self(value.clone()))
    }

    /// The text of the header.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

impl From<CorrelationId> for HeaderValue {
    fn from(CorrelationId(id): CorrelationId) -> Self {
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_the_caller_is_taken_only_if_it_is_short_and_plain() {
        for (presented, taken) in [
            ("0190a6c2-7d1e-7f00-a111-000000000001", true),
            ("short", false),
            ("has a space in it", false),
            ("quote\"quote\"", false),
            (&"x".repeat(65), false),
        ] {
            let value = HeaderValue::from_str(presented).unwrap();
            assert_eq!(
                CorrelationId::validate(&value).is_some(),
                taken,
                "{presented:?}"
            );
        }
    }
}
