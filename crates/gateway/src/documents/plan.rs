//! How many documents a tenant's plan allows in a month.

use std::time::Duration;

use jiff::Timestamp;

use super::{DocumentError, today, zone};
use invoicing_storage::directory::Tenant;
use invoicing_storage::documents::PlanMonth;

/// The month that a tenant is in, with its plan's limit.
pub(crate) fn month(tenant: &Tenant, now: Timestamp) -> PlanMonth {
    let today = today(tenant, now);
    PlanMonth {
        name: format!("{:04}-{:02}", today.year(), today.month()),
        limit: tenant.monthly_documents,
    }
}

pub(crate) fn plan_limit(tenant: &Tenant, now: Timestamp) -> DocumentError {
    let next = today(tenant, now)
        .last_of_month()
        .tomorrow()
        .ok()
        .and_then(|first| first.to_zoned(zone(tenant)).ok());
    let wait = next.map_or(1, |first| first.timestamp().as_second() - now.as_second());
    let wait = Duration::from_secs(u64::try_from(wait).unwrap_or_default().max(1));
    DocumentError::PlanLimit {
        limit: tenant.monthly_documents.unwrap_or_default(),
        wait,
    }
}
