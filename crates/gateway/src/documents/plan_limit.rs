//! The limit of a tenant's plan on documents per month (decision 0024).

use std::time::Duration;

use invoicing_storage::directory::Tenant;
use invoicing_storage::documents::PlanMonth;
use jiff::Timestamp;

use super::{DocumentError, time_zone, today};

/// The current month of a tenant, with the limit of its plan.
pub(crate) fn plan_month(tenant: &Tenant, now: Timestamp) -> PlanMonth {
    let today = today(tenant, now);
    PlanMonth {
        name: format!("{:04}-{:02}", today.year(), today.month()),
        limit: tenant.monthly_documents,
    }
}

/// The error of a tenant that has reached the limit. A retry is right when the next month begins in its time zone.
pub(crate) fn plan_limit_error(tenant: &Tenant, now: Timestamp) -> DocumentError {
    let next_month = today(tenant, now)
        .last_of_month()
        .tomorrow()
        .ok()
        .and_then(|first| first.to_zoned(time_zone(tenant)).ok());
    let wait = next_month.map_or(1, |first| first.timestamp().as_second() - now.as_second());
    DocumentError::PlanLimit {
        limit: tenant.monthly_documents.unwrap_or_default(),
        wait: Duration::from_secs(u64::try_from(wait).unwrap_or_default().max(1)),
    }
}
