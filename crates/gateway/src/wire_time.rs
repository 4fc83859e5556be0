//! Moments as `google.protobuf.Timestamp`.

use invoicing_contract::Timestamp;

/// The message of a moment.
pub(crate) fn to_wire(at: Timestamp) -> pbjson_types::Timestamp {
    let milliseconds = at.as_millis();
    pbjson_types::Timestamp {
        seconds: milliseconds.div_euclid(1_000),
        nanos: i32::try_from(milliseconds.rem_euclid(1_000) * 1_000_000).unwrap_or_default(),
    }
}

/// The moment of a message, without parts of a millisecond.
pub(crate) fn from_wire(time: &pbjson_types::Timestamp) -> Timestamp {
    let milliseconds = time.seconds.saturating_mul(1_000);
    Timestamp::from_millis(milliseconds.saturating_add(i64::from(time.nanos / 1_000_000)))
}
