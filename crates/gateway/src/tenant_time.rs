//! The time zone of a tenant, and which day it is there.

use invoicing_storage::directory::Tenant;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// The current date in the time zone of a tenant.
#[must_use]
pub fn today(tenant: &Tenant, now: Timestamp) -> Date {
    now.to_zoned(time_zone(tenant)).date()
}

/// The time zone of a tenant. An unknown name is logged, and UTC is used.
#[must_use]
pub fn time_zone(tenant: &Tenant) -> TimeZone {
    TimeZone::get(&tenant.time_zone).unwrap_or_else(|error| {
        tracing::warn!(time_zone = tenant.time_zone, %error, "unknown time zone; using UTC");
        TimeZone::UTC
    })
}
