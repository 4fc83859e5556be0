//! Commands about tenants and plans.

use invoicing_contract::OrganizationId;

use super::{CommandResult, Desktop, WindowKey};
use crate::organizations::ChangedData;
use crate::views::{
    CreatedTenant, NewTenant, OwnTenantFields, PlanDefinition, PlanFields, PlanLimits,
    TenantFields, TenantHistoryPage, TenantPage, TenantPlanView, TenantState, TenantView,
    WindowBinding,
};

#[expect(
    missing_docs,
    reason = "each command is documented in the one list of commands"
)]
#[expect(
    clippy::missing_errors_doc,
    reason = "each command is documented in the one list of commands"
)]
impl Desktop {
    pub async fn get_own_tenant(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<TenantView> {
        let context = self.call_context(window, &binding, "get_own_tenant", false)?;
        let tenant = self.administration.own_tenant(&context).await?;
        self.invoices.remember_own_tenant(&context, &tenant);
        Ok(tenant)
    }

    pub async fn update_own_tenant(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        before: TenantView,
        fields: OwnTenantFields,
    ) -> CommandResult<TenantView> {
        let context = self.call_context(window, &binding, "update_own_tenant", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        let stamp = before.stamp.clone();
        let tenant = self
            .administration
            .update_own_tenant(&context, before, fields)
            .await?;
        // Without a change it is what the window has read before.
        if tenant.stamp != stamp {
            self.invoices.remember_own_tenant(&context, &tenant);
        }
        Ok(tenant)
    }

    pub async fn list_tenants(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        text: String,
        state: Option<TenantState>,
        page: String,
    ) -> CommandResult<TenantPage> {
        let context = self.call_context(window, &binding, "list_tenants", false)?;
        self.administration
            .tenants(&context, text, state, page)
            .await
    }

    pub async fn create_tenant(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        tenant: NewTenant,
    ) -> CommandResult<CreatedTenant> {
        let context = self.call_context(window, &binding, "create_tenant", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration.create_tenant(&context, tenant).await
    }

    pub async fn update_tenant(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        before: TenantView,
        fields: TenantFields,
    ) -> CommandResult<TenantView> {
        let context = self.call_context(window, &binding, "update_tenant", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration
            .update_tenant(&context, before, fields)
            .await
    }

    pub async fn set_tenant_enabled(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        tenant: OrganizationId,
        enabled: bool,
    ) -> CommandResult<TenantView> {
        let context = self.call_context(window, &binding, "set_tenant_enabled", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration
            .set_tenant_enabled(&context, tenant.into_string(), enabled)
            .await
    }

    pub async fn tenant_history(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        tenant: OrganizationId,
        page: String,
    ) -> CommandResult<TenantHistoryPage> {
        let context = self.call_context(window, &binding, "tenant_history", false)?;
        self.administration
            .tenant_history(&context, tenant.into_string(), page)
            .await
    }

    pub async fn tenant_plan(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        tenant: OrganizationId,
    ) -> CommandResult<TenantPlanView> {
        let context = self.call_context(window, &binding, "tenant_plan", false)?;
        self.administration
            .tenant_plan(&context, tenant.into_string())
            .await
    }

    pub async fn assign_plan(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        tenant: OrganizationId,
        plan: String,
    ) -> CommandResult<TenantPlanView> {
        let context = self.call_context(window, &binding, "assign_plan", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration
            .assign_plan(&context, tenant.into_string(), plan)
            .await
    }

    pub async fn set_tenant_limits(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        tenant: OrganizationId,
        limits: PlanLimits,
    ) -> CommandResult<()> {
        let context = self.call_context(window, &binding, "set_tenant_limits", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration
            .set_tenant_limits(&context, tenant.into_string(), limits)
            .await
    }

    pub async fn list_plans(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
    ) -> CommandResult<Vec<PlanDefinition>> {
        let context = self.call_context(window, &binding, "list_plans", false)?;
        self.administration.plans(&context).await
    }

    pub async fn create_plan(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        fields: PlanFields,
    ) -> CommandResult<PlanDefinition> {
        let context = self.call_context(window, &binding, "create_plan", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration.create_plan(&context, fields).await
    }

    pub async fn update_plan(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        before: PlanDefinition,
        fields: PlanFields,
    ) -> CommandResult<PlanDefinition> {
        let context = self.call_context(window, &binding, "update_plan", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration
            .update_plan(&context, before, fields)
            .await
    }

    pub async fn delete_plan(
        &self,
        window: &WindowKey,
        binding: WindowBinding,
        plan: String,
        stamp: String,
    ) -> CommandResult<()> {
        let context = self.call_context(window, &binding, "delete_plan", true)?;
        let _changed = self.notice_of_change(window, &binding, ChangedData::Administration);
        self.administration.delete_plan(&context, plan, stamp).await
    }
}
