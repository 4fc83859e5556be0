//! Keys and stamps of records, which the caller may choose and the service makes otherwise.

use invoicing_contract::{ConcurrencyStamp, FieldViolation};
use invoicing_http::missing_stamp;
use invoicing_storage::Rng;
use jiff::Timestamp;
use uuid::Uuid;

/// The key in the field `field` of a request, or a new UUIDv7.
///
/// # Errors
/// The violation of the field.
pub(crate) fn new_key(
    field: &str,
    key: &str,
    now: Timestamp,
    rng: &dyn Rng,
) -> Result<Uuid, FieldViolation> {
    if key.is_empty() {
        let mut random = [0; 10];
        rng.fill(&mut random);
        let milliseconds = u64::try_from(now.as_millisecond()).unwrap_or_default();
        return Ok(uuid::Builder::from_unix_timestamp_millis(milliseconds, &random).into_uuid());
    }
    let parsed = Uuid::try_parse(key)
        .ok()
        .filter(|uuid| uuid.get_version_num() == 7 && uuid.to_string() == key);
    parsed.ok_or_else(|| FieldViolation::new(field, "is not a UUIDv7 in lower case with hyphens"))
}

/// A random stamp of 128 bits.
pub(crate) fn new_stamp(rng: &dyn Rng) -> String {
    let mut random = [0; 16];
    rng.fill(&mut random);
    Uuid::from_bytes(random).simple().to_string()
}

/// The stamp of a request. Every write to an existing record has that of the state that it is based on.
///
/// # Errors
/// The violation of the field `concurrencyStamp`.
pub(crate) fn require_stamp(stamp: String) -> Result<ConcurrencyStamp, FieldViolation> {
    match missing_stamp(&stamp, "state") {
        Some(violation) => Err(violation),
        None => Ok(stamp.into()),
    }
}
