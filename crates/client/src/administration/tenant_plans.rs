//! Plans, and which tenant has which.

use invoicing_contract::messages::{documents, identity, plans};
use invoicing_contract::{FieldMask, operation};

use super::submissions::kind_from_wire;
use super::{Administration, PAGE_SIZE};
use crate::gateway::CallContext;
use crate::rng::time_ordered_id;
use crate::views::{
    CommandError, PlanDefinition, PlanEntitlements, PlanFields, PlanLimits, PlanUse, TenantPlanView,
};

impl Administration {
    /// All plans, the oldest first.
    pub(crate) async fn plans(
        &self,
        context: &CallContext,
    ) -> Result<Vec<PlanDefinition>, CommandError> {
        let mut request = plans::ListPlansRequest {
            page_size: PAGE_SIZE,
            ..Default::default()
        };
        let mut found = Vec::new();
        loop {
            let page: plans::ListPlansResponse =
                self.call(context, &operation::LIST_PLANS, &request).await?;
            found.extend(page.items.into_iter().map(definition));
            if page.next_page_token.is_empty() {
                return Ok(found);
            }
            request.page_token = page.next_page_token;
        }
    }

    pub(crate) async fn create_plan(
        &self,
        context: &CallContext,
        fields: PlanFields,
    ) -> Result<PlanDefinition, CommandError> {
        let request = plans::CreatePlanRequest {
            plan_id: time_ordered_id(&*self.clock, &*self.rng).to_string(),
            plan: Some(to_wire(fields)),
            ..Default::default()
        };
        let plan: plans::Plan = self
            .call(context, &operation::CREATE_PLAN, &request)
            .await?;
        Ok(definition(plan))
    }

    /// Changes the parts that differ from those of the state that was read.
    pub(crate) async fn update_plan(
        &self,
        context: &CallContext,
        before: PlanDefinition,
        fields: PlanFields,
    ) -> Result<PlanDefinition, CommandError> {
        let paths = changed_parts(&before.fields, &fields);
        if paths.is_empty() {
            return Ok(before);
        }
        let request = plans::UpdatePlanRequest {
            plan_id: before.id,
            concurrency_stamp: before.stamp,
            update_mask: Some(FieldMask::of(paths)),
            plan: Some(to_wire(fields)),
            ..Default::default()
        };
        let plan: plans::Plan = self
            .call(context, &operation::UPDATE_PLAN, &request)
            .await?;
        Ok(definition(plan))
    }

    pub(crate) async fn delete_plan(
        &self,
        context: &CallContext,
        plan_id: String,
        concurrency_stamp: String,
    ) -> Result<(), CommandError> {
        let request = plans::DeletePlanRequest {
            plan_id,
            concurrency_stamp,
        };
        let plans::DeletePlanResponse {} = self
            .call(context, &operation::DELETE_PLAN, &request)
            .await?;
        Ok(())
    }

    pub(crate) async fn tenant_plan(
        &self,
        context: &CallContext,
        organization_id: String,
    ) -> Result<TenantPlanView, CommandError> {
        let request = plans::GetTenantPlanRequest { organization_id };
        let plan: plans::TenantPlan = self
            .call(context, &operation::GET_TENANT_PLAN, &request)
            .await?;
        Ok(tenant_plan(plan))
    }

    /// Gives a tenant a plan; none if the id is empty.
    pub(crate) async fn assign_plan(
        &self,
        context: &CallContext,
        organization_id: String,
        plan_id: String,
    ) -> Result<TenantPlanView, CommandError> {
        let request = plans::AssignPlanRequest {
            organization_id,
            plan_id,
        };
        let plan: plans::TenantPlan = self
            .call(context, &operation::ASSIGN_PLAN, &request)
            .await?;
        Ok(tenant_plan(plan))
    }

    /// Replaces the limits of a tenant's own.
    pub(crate) async fn set_tenant_limits(
        &self,
        context: &CallContext,
        organization_id: String,
        limits: PlanLimits,
    ) -> Result<(), CommandError> {
        let request = identity::SetTenantLimitsRequest {
            organization_id,
            limits: Some(identity::TenantLimits {
                monthly_documents: limits.documents,
                requests_per_minute: limits.requests,
                users: limits.users,
            }),
        };
        let set: Result<identity::SetTenantLimitsResponse, CommandError> = self
            .call(context, &operation::SET_TENANT_LIMITS, &request)
            .await;
        set.map(drop)
    }
}

fn definition(plan: plans::Plan) -> PlanDefinition {
    let entitlements = plan.entitlements.unwrap_or_default();
    PlanDefinition {
        id: plan.plan_id,
        stamp: plan.concurrency_stamp,
        fields: PlanFields {
            name: plan.name,
            name_ar: plan.name_ar,
            limits: limits(plan.limits.unwrap_or_default()),
            entitlements: PlanEntitlements {
                kinds: entitlements
                    .document_kinds
                    .map(|kinds| kinds.values().filter_map(kind_from_wire).collect()),
                languages: entitlements.languages.map(|languages| languages.values),
                authorities: entitlements
                    .authorities
                    .map(|authorities| authorities.values),
                api_access: entitlements.api_access,
            },
        },
    }
}

/// The paths of the parts that differ, in the names of the .proto file.
fn changed_parts(before: &PlanFields, after: &PlanFields) -> Vec<&'static str> {
    let parts = [
        ("name", before.name != after.name),
        ("name_ar", before.name_ar != after.name_ar),
        ("limits", before.limits != after.limits),
        ("entitlements", before.entitlements != after.entitlements),
    ];
    let changed = parts.into_iter().filter(|(_, changed)| *changed);
    changed.map(|(path, _)| path).collect()
}

fn to_wire(fields: PlanFields) -> plans::Plan {
    let PlanEntitlements {
        kinds,
        languages,
        authorities,
        api_access,
    } = fields.entitlements;
    plans::Plan {
        name: fields.name,
        name_ar: fields.name_ar,
        limits: Some(plans::Limits {
            monthly_documents: fields.limits.documents,
            requests_per_minute: fields.limits.requests,
            users: fields.limits.users,
        }),
        entitlements: Some(plans::Entitlements {
            document_kinds: kinds.map(|kinds| plans::DocumentKinds {
                values: kinds
                    .into_iter()
                    .map(|kind| documents::Kind::from(kind).into())
                    .collect(),
            }),
            languages: languages.map(|values| plans::Languages { values }),
            authorities: authorities.map(|values| plans::Authorities { values }),
            api_access,
        }),
        ..Default::default()
    }
}

fn limits(limits: plans::Limits) -> PlanLimits {
    PlanLimits {
        documents: limits.monthly_documents,
        requests: limits.requests_per_minute,
        users: limits.users,
    }
}

fn tenant_plan(tenant: plans::TenantPlan) -> TenantPlanView {
    let (held, usage) = (
        tenant.limits.unwrap_or_default(),
        tenant.usage.unwrap_or_default(),
    );
    let used = |used: i64, limit: Option<i32>| PlanUse {
        used: u32::try_from(used).unwrap_or(u32::MAX),
        limit: limit.and_then(|limit| u32::try_from(limit).ok()),
    };
    TenantPlanView {
        plan: tenant.plan.map(definition),
        own_limits: limits(tenant.own_limits.unwrap_or_default()),
        documents: used(usage.documents, held.monthly_documents),
        requests: used(usage.requests, held.requests_per_minute),
        users: used(usage.users, held.users),
    }
}
