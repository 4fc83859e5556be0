//! Commands about reports, and the overview of organizations, which is the one read that is not about the window's own (decision 0135).

use invoicing_contract::OrganizationId;

use super::organizations::require_granted;
use super::{CommandResult, Desktop, WindowKey};
use crate::gateway::CallContext;
use crate::views::{Ageing, BuyerSums, MonthlySums, Overview, TaxSums, WindowBinding};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn ageing(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<Ageing> {
        let context = self.call_context(window, &binding, "ageing", false)?;
        self.reports.ageing(&context).await
    }

    pub async fn monthly_sums(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        from: String,
        to: String,
    ) -> CommandResult<MonthlySums> {
        let context = self.call_context(window, &binding, "monthly_sums", false)?;
        self.reports.monthly_sums(&context, &from, &to).await
    }

    pub async fn buyer_sums(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        from: String,
        to: String,
    ) -> CommandResult<BuyerSums> {
        let context = self.call_context(window, &binding, "buyer_sums", false)?;
        self.reports.buyer_sums(&context, &from, &to).await
    }

    pub async fn tax_sums(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        from: String,
        to: String,
    ) -> CommandResult<TaxSums> {
        let context = self.call_context(window, &binding, "tax_sums", false)?;
        self.reports.tax_sums(&context, &from, &to).await
    }

    pub async fn overview(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<Overview> {
        let context = self.call_context(window, &binding, "overview", false)?;
        Ok(self.reports.overview(&context).await)
    }

    pub async fn client_overview(
        &self,
        window: &WindowKey,
        organization: OrganizationId,
    ) -> CommandResult<Overview> {
        let context = self.overview_context(window, organization)?;
        Ok(self.reports.overview(&context).await)
    }

    pub async fn kept_client_overviews(&self, window: &WindowKey) -> CommandResult<Vec<Overview>> {
        let session = self.session_in(window)?;
        let mut overviews = Vec::new();
        for organization in self.organization_views(&session) {
            let context = self.overview_context(window, organization.id)?;
            let kept = self.reports.kept_overview(&context).await;
            if kept.as_of.is_some() {
                overviews.push(kept);
            }
        }
        Ok(overviews)
    }
}

impl Desktop {
    /// The context of the overview of any granted organization. It only reads, and a failure is shown in the organization's row: it
    /// is not repeated in the background, and holds up no other.
    fn overview_context(
        &self,
        window: &WindowKey,
        organization: OrganizationId,
    ) -> CommandResult<CallContext> {
        let session = self.session_in(window)?;
        require_granted(&session, &organization)?;
        Ok(CallContext {
            session,
            organization,
            command: "client_overview",
            write: false,
            retries: false,
        })
    }
}
