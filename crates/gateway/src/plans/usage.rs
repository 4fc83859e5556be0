//! What a tenant uses of its limits.

use invoicing_contract::Timestamp;
use invoicing_contract::messages::plans as wire;
use invoicing_storage::directory::Tenant;

use super::Plans;
use super::error::PlanError;
use crate::documents::{month_end, plan_month};
use crate::rate_limit;

impl Plans {
    /// The use of each limit. `requests_per_minute` is the limit that holds.
    pub(super) async fn usage(
        &self,
        tenant: &Tenant,
        requests_per_minute: i64,
    ) -> Result<wire::Usage, PlanError> {
        let now = self.clock.now();
        let organization = &tenant.organization.id;
        let month = plan_month(tenant, now);
        let requests = rate_limit::requests_in_use(
            organization,
            u32::try_from(requests_per_minute).unwrap_or(u32::MAX),
            &*self.store,
            &*self.clock,
        );
        Ok(wire::Usage {
            documents: self
                .store
                .documents_created(organization, &month.name)
                .await?,
            month_end: month_end(tenant, now)
                .map(|end| Timestamp::from_millis(end.as_millisecond()).into()),
            requests: requests.await?,
            users: self.store.count_users(organization).await?,
        })
    }
}
