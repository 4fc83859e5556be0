//! The limit of a tenant's plan on documents per month (decision 0024).

use std::time::Duration;

use invoicing_storage::directory::Tenant;
use invoicing_storage::documents::PlanMonth;
use jiff::Timestamp;

use super::DocumentError;
use crate::tenant_time::{time_zone, today};

/// The current month of a tenant, with the limit of its plan.
pub(crate) fn plan_month(tenant: &Tenant, now: Timestamp) -> PlanMonth {
    let today = today(tenant, now);
    PlanMonth {
        name: format!("{:04}-{:02}", today.year(), today.month()),
        limit: tenant.limits().monthly_documents,
    }
}

/// When the current month of a tenant ends. `None` at the end of the calendar.
pub(crate) fn month_end(tenant: &Tenant, now: Timestamp) -> Option<Timestamp> {
    let first = today(tenant, now).last_of_month().tomorrow().ok()?;
    let first = first.to_zoned(time_zone(tenant)).ok()?;
    Some(first.timestamp())
}

/// The error of a tenant that has reached the limit. A retry is right when the next month begins in its time zone.
pub(crate) fn plan_limit_error(tenant: &Tenant, now: Timestamp) -> DocumentError {
    let wait = month_end(tenant, now).map_or(1, |end| end.as_second() - now.as_second());
    DocumentError::PlanLimit {
        organization: tenant.organization.id.clone(),
        limit: tenant.limits().monthly_documents.unwrap_or_default(),
        wait: Duration::from_secs(u64::try_from(wait).unwrap_or_default().max(1)),
    }
}
