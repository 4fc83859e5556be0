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
/// Most bytes that a caller of health or reflection sends in one call: the names of a thousand services, files or types. Health is
/// open to everybody, and each question of reflection is answered with a file of the contract.
pub(crate) const MAX_STREAM_BYTES: usize = 64 * 1024;
/// The time in which a body must arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Whether a body of gRPC is one message with its prefix. Of several tonic takes the first, but decompresses and decodes all of them,
/// each of which can have the most bytes of a message.
pub(crate) fn is_one_message(body: &[u8]) -> bool {
    let [_compressed, a, b, c, d, message @ ..] = body else {
        return false;
    };
    let length = u32::from_be_bytes([*a, *b, *c, *d]);
    usize::try_from(length).is_ok_and(|length| length == message.len())
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn body_of_grpc_is_one_message_as_long_as_its_prefix_says() {
        for one in [&[0, 0, 0, 0, 0][..], &[1, 0, 0, 0, 2, 7, 7]] {
            assert!(is_one_message(one), "{one:?}");
        }
        let two_empty_messages = [0; 10];
        for other in [
            &[][..],
            &[0, 0, 0, 0],
            &[0, 0, 0, 0, 1],
            &[0, 0, 0, 0, 1, 7, 7],
            &[0, 0xff, 0xff, 0xff, 0xff, 7],
            &two_empty_messages,
        ] {
            assert!(!is_one_message(other), "{other:?}");
        }
        let mut largest = vec![0; GRPC_PREFIX_BYTES + MAX_BODY_BYTES];
        largest[1..GRPC_PREFIX_BYTES].copy_from_slice(&[0, 0x40, 0, 0]);
        assert!(is_one_message(&largest));
        assert_eq!(largest.len(), MAX_MESSAGE_BYTES);
    }
}
