//! The stamp without which nothing that exists is changed (contract, part 7, "Concurrency").

use invoicing_contract::FieldViolation;

/// The violation of a request that changes what exists, if it has no stamp. `of` is what the stamp is of, as `state`.
#[must_use]
pub fn missing_stamp(stamp: &str, of: &str) -> Option<FieldViolation> {
    stamp.is_empty().then(|| {
        FieldViolation::new(
            "concurrencyStamp",
            format!("is required: that of the {of} which was read"),
        )
    })
}
