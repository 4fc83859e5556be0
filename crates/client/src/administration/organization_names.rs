//! Names and time zones of the organizations in which the person has a role, which the roles claim does not have (decision 0162).

use invoicing_contract::messages::identity::{
    ListCallerOrganizationsRequest, ListCallerOrganizationsResponse,
};
use invoicing_contract::operation;

use super::Administration;
use crate::gateway::CallContext;
use crate::organizations::{AccountNames, OrganizationRecord};
use crate::views::CommandError;

impl Administration {
    pub(crate) async fn organization_names(
        &self,
        context: &CallContext,
    ) -> Result<AccountNames, CommandError> {
        let answer: ListCallerOrganizationsResponse = self
            .call(
                context,
                &operation::LIST_CALLER_ORGANIZATIONS,
                &ListCallerOrganizationsRequest {},
            )
            .await?;
        let names = answer.items.into_iter().map(|organization| {
            let name = OrganizationRecord {
                english: organization.name,
                arabic: organization.name_ar,
                time_zone: organization.time_zone,
                country: organization.country,
                currency: organization.currency,
            };
            (organization.organization_id.into(), name)
        });
        Ok(names.collect())
    }
}
