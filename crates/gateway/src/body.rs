//! Limits of request bodies, and reading within them (decision 0176).

use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use bytes::Bytes;
use invoicing_contract::{FieldViolation, OrganizationId};
use invoicing_http::{BodyError, read_limited, read_reserving};

use crate::gateway_error::GatewayError;
use crate::organization_shares::{HeldUnits, OrganizationShares};

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
/// Most bytes of large bodies that a process holds at once: eight of the largest for one organization.
const BUDGET_BYTES: usize = 64 * 1024 * 1024;
/// A body of up to so many bytes takes nothing of the budget. As many of them as an organization may send in a minute are 94 MiB.
const SMALL_BODY_BYTES: usize = 16 * 1024;
/// How many bytes a unit of the budget is.
const UNIT_BYTES: usize = 1024;
/// How long a large body waits for room.
const BUDGET_WAIT: Duration = Duration::from_secs(5);
/// When a caller whose body found no room sends it again.
pub(crate) const BUDGET_RETRY_AFTER: Duration = Duration::from_secs(2);

/// Reads the bodies of authorized requests, within a budget that all of them share.
pub(crate) struct BodyReader {
    budget: OrganizationShares,
    wait: Duration,
}

/// A body, and its part of the budget. That is held until the request is handled: what is decoded from a body takes more memory than
/// the body.
pub(crate) struct ReceivedBody {
    pub(crate) bytes: Bytes,
    /// `None` of a small body.
    pub(crate) held: Option<HeldUnits>,
}

impl BodyReader {
    pub(crate) fn new() -> Self {
        Self::with_budget(BUDGET_BYTES, BUDGET_WAIT)
    }

    fn with_budget(bytes: usize, wait: Duration) -> Self {
        Self {
            budget: OrganizationShares::new(bytes / UNIT_BYTES),
            wait,
        }
    }

    /// All of `body`, which an organization sends, if it has at most `max_bytes` and arrives in time.
    ///
    /// # Errors
    /// The body is too large, too slow, or incomplete, or there is no room for it.
    pub(crate) async fn read(
        &self,
        body: Body,
        max_bytes: usize,
        organization: &OrganizationId,
    ) -> Result<ReceivedBody, GatewayError> {
        let reservation = self.reserve(most_bytes(&body, max_bytes), organization);
        let read = read_reserving(body, max_bytes, BODY_TIMEOUT, SMALL_BODY_BYTES, reservation);
        let (bytes, held) = read.await?;
        Ok(ReceivedBody { bytes, held })
    }

    async fn reserve(
        &self,
        bytes: usize,
        organization: &OrganizationId,
    ) -> Result<HeldUnits, GatewayError> {
        let units = u32::try_from(bytes / UNIT_BYTES).unwrap_or(u32::MAX);
        let held = tokio::time::timeout(self.wait, self.budget.acquire(organization, units)).await;
        held.map_err(|_elapsed| GatewayError::no_room_for_body())
    }
}

/// The most bytes that a body can have: what it declares, or `max_bytes`.
fn most_bytes(body: &Body, max_bytes: usize) -> usize {
    let declared = body.size_hint().upper();
    let declared = declared.and_then(|bytes| usize::try_from(bytes).ok());
    declared.map_or(max_bytes, |bytes| bytes.min(max_bytes))
}

/// Whether a body of gRPC is one message with its prefix. Of several tonic takes the first, but decompresses and decodes all of them,
/// each of which can have the most bytes of a message.
pub(crate) fn is_one_message(body: &[u8]) -> bool {
    let [_compressed, a, b, c, d, message @ ..] = body else {
        return false;
    };
    let length = u32::from_be_bytes([*a, *b, *c, *d]);
    usize::try_from(length).is_ok_and(|length| length == message.len())
}

/// The body of a request whose fields are in the path and the query, which is empty.
///
/// # Errors
/// It is not empty, and nobody would read it, or its end does not arrive.
pub(crate) async fn read_empty(body: Body) -> Result<ReceivedBody, GatewayError> {
    match read_limited(body, 0, BODY_TIMEOUT).await {
        Ok(bytes) => Ok(ReceivedBody { bytes, held: None }),
        Err(BodyError::TooLarge) => Err(malformed("this operation takes no body")),
        Err(error) => Err(error.into()),
    }
}

impl From<BodyError> for GatewayError {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::TooLarge => Self::body_too_large(MAX_BODY_BYTES),
            BodyError::Timeout => Self::body_too_slow(),
            BodyError::Incomplete => malformed("the body ended early"),
        }
    }
}

fn malformed(description: &str) -> GatewayError {
    GatewayError::malformed_body(vec![FieldViolation::new("", description)])
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::stream;
    use invoicing_contract::Status;

    use super::*;

    const KIB: usize = 1024;

    /// A body of unknown length.
    fn body(bytes: usize) -> Body {
        let part = Ok::<_, Infallible>(Bytes::from(vec![7; bytes]));
        Body::from_stream(stream::iter([part]))
    }

    fn status<Value>(outcome: Result<Value, GatewayError>) -> Option<Status> {
        Some(outcome.err()?.rest_status()?.1)
    }

    #[tokio::test]
    async fn large_bodies_of_one_organization_find_no_room_and_those_of_others_do() {
        let reader = BodyReader::with_budget(128 * KIB, Duration::ZERO);
        let (one, other) = ("1".into(), "2".into());
        let declared = Body::from(vec![7; 40 * KIB]);
        let first = reader.read(declared, 64 * KIB, &one).await.expect("room");
        assert_eq!(first.bytes.len(), 40 * KIB);
        let second = Body::from(vec![7; 20 * KIB]);
        let second = reader.read(second, 64 * KIB, &one).await;
        let second = second.expect("what it declares counts, not what it may have");
        let refused = status(reader.read(body(20 * KIB), 64 * KIB, &one).await);
        let refused = refused.expect("its half is held");
        assert_eq!(refused.reason(), Some("BODY_QUEUE_FULL"));
        assert_eq!(refused.retry_after(), Some(BUDGET_RETRY_AFTER));
        let small = reader.read(body(16 * KIB), 64 * KIB, &one).await;
        assert!(small.expect("it takes nothing").held.is_none());
        let of_other = reader.read(body(64 * KIB), 64 * KIB, &other).await;
        assert!(of_other.expect("its own half").held.is_some());
        drop((first, second));
        let again = reader.read(body(20 * KIB), 64 * KIB, &one).await;
        assert!(again.is_ok(), "what is handled gives its part back");
    }

    #[test]
    fn largest_message_is_within_the_share_of_an_organization() {
        const { assert!(8 * (MAX_MESSAGE_BYTES / UNIT_BYTES) <= BUDGET_BYTES / UNIT_BYTES / 2) };
    }

    #[tokio::test]
    async fn body_where_none_is_expected_is_refused() {
        assert!(read_empty(Body::empty()).await.is_ok());
        assert!(read_empty(body(0)).await.is_ok(), "an empty one");
        let refused = status(read_empty(Body::from("{}")).await);
        let refused = refused.expect("it would be ignored");
        assert_eq!(refused.reason(), Some("MALFORMED_BODY"));
        assert_eq!(refused.violations().count(), 1);
    }

    #[tokio::test]
    async fn body_that_does_not_arrive_in_time_is_408() {
        let stalled = Body::from_stream(stream::pending::<Result<Bytes, Infallible>>());
        let late = read_limited(stalled, KIB, Duration::ZERO).await;
        let late = GatewayError::from(late.expect_err("nothing arrives"));
        let (code, status) = late.rest_status().expect("it has a body");
        assert_eq!(code.as_u16(), 408);
        assert_eq!(status.reason(), Some("BODY_TOO_SLOW"));
    }

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
