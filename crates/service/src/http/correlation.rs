//! One id per request, on its response and in every line of the log that it causes.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::HeaderValue;
use invoicing_contract::names::CORRELATION_ID;

use crate::identity::secret::random_id;
use crate::world::Randomness;

/// The id of a request: an extension of every request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CorrelationId(HeaderValue);

impl CorrelationId {
    /// The caller's id, if it is 8 to 64 letters, digits, `-`, `_` or `.`: nothing that could spoil a log.
    fn sane(value: &HeaderValue) -> Option<Self> {
        let bytes = value.as_bytes();
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        ((8..=64).contains(&bytes.len()) && bytes.iter().all(plain)).then(|| Self(value.clone()))
    }

    /// As it stands in the header.
    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

pub(super) async fn attach(
    State(randomness): State<Arc<dyn Randomness>>,
    mut request: Request,
    next: Next,
) -> Response {
    let id = request
        .headers()
        .get(CORRELATION_ID)
        .and_then(CorrelationId::sane)
        .unwrap_or_else(|| {
            CorrelationId(
                HeaderValue::from_str(&random_id(&*randomness))
                    .expect("base64url is a header value"),
            )
        });
    request.extensions_mut().insert(id.clone());
    let mut response = next.run(request).await;
    response.headers_mut().entry(CORRELATION_ID).or_insert(id.0);
    response
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
