//! Plans, and which tenant has which.

use invoicing_contract::messages::{documents, identity, plans};
use invoicing_contract::{Code, FieldMask, operation};

use super::submissions::{kind_from_wire, kinds_in_order};
use super::write::FailedWrite;
use super::{Administration, PAGE_SIZE, names_in_order};
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

    /// Creates a plan under an id that all attempts share.
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
        let operation = &operation::CREATE_PLAN;
        let created = self
            .add_once::<plans::Plan>(context, operation, &request)
            .await;
        let failed = match created {
            Ok(plan) => return Ok(definition(plan)),
            Err(failed) => failed,
        };
        // No other plan has the id: one that is there was made by an attempt whose answer was lost.
        let may_exist =
            failed.error.code() == Some(Code::AlreadyExists) || failed.error.outcome_is_unknown();
        if may_exist && let Ok(Some(plan)) = self.plan(context, &request.plan_id).await {
            return Ok(plan);
        }
        Err(self.write_error(context, operation, &failed))
    }

    /// The plan with an id.
    async fn plan(
        &self,
        context: &CallContext,
        id: &str,
    ) -> Result<Option<PlanDefinition>, CommandError> {
        let plans = self.plans(context).await?;
        Ok(plans.into_iter().find(|plan| plan.id == id))
    }

    /// Changes the parts that differ from those of the state that was read. They are changed also if the answer to an attempt was lost:
    /// then the plan has them, with another stamp.
    pub(crate) async fn update_plan(
        &self,
        context: &CallContext,
        before: PlanDefinition,
        fields: PlanFields,
    ) -> Result<PlanDefinition, CommandError> {
        let fields = as_stored(fields);
        let paths = changed_parts(&before.fields, &fields);
        if paths.is_empty() {
            return Ok(before);
        }
        let request = plans::UpdatePlanRequest {
            plan_id: before.id.clone(),
            concurrency_stamp: before.stamp.clone(),
            update_mask: Some(FieldMask::of(paths)),
            plan: Some(to_wire(fields.clone())),
            ..Default::default()
        };
        let changed = self
            .write::<plans::Plan>(context, &operation::UPDATE_PLAN, &request)
            .await;
        let failed = match changed {
            Ok(plan) => return Ok(definition(plan)),
            Err(failed) => failed,
        };
        if failed.may_be_done
            && let Ok(Some(plan)) = self.plan(context, &before.id).await
            && plan.stamp != before.stamp
            && plan.fields == fields
        {
            return Ok(plan);
        }
        Err(failed.into())
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
        let deleted: Result<plans::DeletePlanResponse, FailedWrite> =
            self.write(context, &operation::DELETE_PLAN, &request).await;
        deleted
            .map(drop)
            .or_else(|failed| failed.unless_done(Code::NotFound))
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
            .write(context, &operation::ASSIGN_PLAN, &request)
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
        let set: Result<identity::SetTenantLimitsResponse, FailedWrite> = self
            .write(context, &operation::SET_TENANT_LIMITS, &request)
            .await;
        Ok(set.map(drop)?)
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

/// The fields as the service stores them, so that what was sent can be found again: names without spaces around them, the English one
/// for a missing Arabic one, lists in order, and calls of machine users as not restricted if they are allowed.
fn as_stored(fields: PlanFields) -> PlanFields {
    let name = fields.name.trim().to_owned();
    let name_ar = match fields.name_ar.trim() {
        "" => name.clone(),
        name_ar => name_ar.to_owned(),
    };
    let PlanEntitlements {
        kinds,
        languages,
        authorities,
        api_access,
    } = fields.entitlements;
    PlanFields {
        name,
        name_ar,
        limits: fields.limits,
        entitlements: PlanEntitlements {
            kinds: kinds.map(kinds_in_order),
            languages: languages.map(names_in_order),
            authorities: authorities.map(names_in_order),
            api_access: api_access.filter(|allowed| !allowed),
        },
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::InvoiceKind;

    #[test]
    fn fields_of_a_plan_are_sent_as_the_service_stores_them() {
        let names = |names: &[&str]| -> Option<Vec<String>> {
            Some(names.iter().map(|&name| name.to_owned()).collect())
        };
        let typed = PlanFields {
            name: " Small ".to_owned(),
            entitlements: PlanEntitlements {
                kinds: Some(vec![InvoiceKind::CreditNote, InvoiceKind::Invoice]),
                languages: names(&["en", "ar"]),
                authorities: names(&["zatca", "http", "zatca"]),
                api_access: Some(true),
            },
            ..PlanFields::default()
        };
        let stored = PlanFields {
            name: "Small".to_owned(),
            name_ar: "Small".to_owned(),
            entitlements: PlanEntitlements {
                kinds: Some(vec![InvoiceKind::Invoice, InvoiceKind::CreditNote]),
                languages: names(&["ar", "en"]),
                authorities: names(&["http", "zatca"]),
                api_access: None,
            },
            ..PlanFields::default()
        };
        assert_eq!(as_stored(typed), stored);
    }
}
