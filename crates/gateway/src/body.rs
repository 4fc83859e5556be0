//! Limits of request bodies, and reading within them.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use invoicing_contract::FieldViolation;
use invoicing_http::BodyError;

use crate::gateway_error::GatewayError;

/// Most bytes of a message. An invoice with thousands of lines fits.
pub(crate) const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;
/// Length of the prefix of a gRPC message: one byte of flags and four of length.
pub(crate) const GRPC_PREFIX_BYTES: usize = 5;
/// Most bytes of a message that a hosted gRPC service decodes.
pub const MAX_MESSAGE_BYTES: usize = MAX_BODY_BYTES + GRPC_PREFIX_BYTES;
/// The time in which a body must arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// All of `body`, if it has at most `max_bytes` and arrives in time.
///
/// # Errors
/// The body is too large, too slow, or incomplete.
pub(crate) async fn read_limited(body: Body, max_bytes: usize) -> Result<Bytes, GatewayError> {
    let read = invoicing_http::read_limited(body, max_bytes, BODY_TIMEOUT).await;
    read.map_err(|error| match error {
        BodyError::TooLarge => GatewayError::body_too_large(MAX_BODY_BYTES),
        BodyError::Timeout => GatewayError::body_too_slow(),
        BodyError::Incomplete => {
            GatewayError::malformed_body(vec![FieldViolation::new("", "the body ended early")])
        }
    })
}
