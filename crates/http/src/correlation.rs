//! One id per request, on its response and in every line of the log that it causes.

use http::{HeaderMap, HeaderValue};
use invoicing_contract::names::CORRELATION_ID;

use invoicing_storage::secret::random_id;
use invoicing_storage::world::Randomness;

/// The id of a request: an extension of every request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorrelationId(HeaderValue);

impl CorrelationId {
    /// The caller's id, if it is one that may be taken, or a new one.
    pub(super) fn of(headers: &HeaderMap, randomness: &dyn Randomness) -> Self {
        let given = headers.get(CORRELATION_ID).and_then(Self::sane);
        given.unwrap_or_else(|| {
            Self(
                HeaderValue::from_str(&random_id(randomness)).expect("base64url is a header value"),
            )
        })
    }

    /// The caller's id, if it is 8 to 64 letters, digits, `-`, `_` or `.`: nothing that could spoil a log.
    fn sane(value: &HeaderValue) -> Option<Self> {
        let bytes = value.as_bytes();
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        ((8..=64).contains(&bytes.len()) && bytes.iter().all(plain)).then(|| Self(value.clone()))
    }

    /// As it stands in the header.
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
    fn only_an_id_that_cannot_spoil_a_log_is_taken_from_the_caller() {
        for (given, taken) in [
            ("0190a6c2-7d1e-7f00-a111-000000000001", true),
            ("short", false),
            ("has a space in it", false),
            ("quote\"quote\"", false),
            (&"x".repeat(65), false),
        ] {
            let value = HeaderValue::from_str(given).unwrap();
            assert_eq!(CorrelationId::sane(&value).is_some(), taken, "{given:?}");
        }
    }
}
