//! Plans: an operator edits them and assigns them to tenants, and a tenant reads its own (decision 0118).

mod content;
mod error;
mod rpc;
mod usage;

use std::sync::Arc;

use invoicing_contract::messages::plans as wire;
use invoicing_contract::{
    OrganizationId, OutputFields as _, PlanId, field_mask, output_violations,
};
use invoicing_http::{PageRequest, PageTokens, RequestContext, truncate_page};
use invoicing_storage::audit::{AuditEvent, AuditEventKind, AuditedValues};
use invoicing_storage::directory::Tenant;
use invoicing_storage::plans::{Plan, PlanAssignment, PlanDeletion};
use invoicing_storage::{Clock, Rng, StorageError, Store};

use self::content::{PLAN, plan_message, read_plan};
pub(crate) use self::error::PlanError;
use crate::audit_event::platform_event;
use crate::documents::fold::fold;
use crate::new_identifiers::{new_key, new_stamp, require_stamp};

/// How often a plan is assigned again because the tenant has got another one meanwhile.
const ATTEMPTS: u32 = 5;

/// The plans of an environment.
pub(crate) struct Plans {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    rng: Arc<dyn Rng>,
    page_tokens: PageTokens,
    default_requests_per_minute: u32,
}

impl Plans {
    /// Plans in `store`. `default_requests_per_minute` is the limit of tenants without one.
    pub(crate) fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        rng: Arc<dyn Rng>,
        page_tokens: PageTokens,
        default_requests_per_minute: u32,
    ) -> Self {
        Self {
            store,
            clock,
            rng,
            page_tokens,
            default_requests_per_minute,
        }
    }

    async fn create(
        &self,
        context: &RequestContext,
        request: wire::CreatePlanRequest,
    ) -> Result<wire::Plan, PlanError> {
        let id = new_key("planId", &request.plan_id, self.clock.now(), &*self.rng);
        let content = request.plan.unwrap_or_default();
        let plan = read_plan(&content);
        let (id, plan) = match (id, plan) {
            (Ok(id), Ok(plan)) => (id, plan),
            (id, plan) => {
                let violations = id.err().into_iter().chain(plan.err().unwrap_or_default());
                return Err(PlanError::Invalid(violations.collect()));
            }
        };
        let plan = Plan {
            id: PlanId::new(id.to_string()),
            stamp: new_stamp(&*self.rng).into(),
            ..plan
        };
        if request.validate_only {
            return match self.store.plan(&plan.id).await? {
                Some(_) => Err(PlanError::Exists),
                None => Ok(wire::Plan {
                    concurrency_stamp: String::new(),
                    ..plan_message(&plan)
                }),
            };
        }
        let event = self
            .event(context, AuditEventKind::PlanCreated)
            .detail("plan", plan.id.as_str())
            .difference(&AuditedValues::default(), &plan.audited_values());
        if self.store.add_plan(&plan, &event).await? {
            Ok(plan_message(&plan))
        } else {
            Err(PlanError::Exists)
        }
    }

    async fn get(&self, id: &PlanId) -> Result<Plan, PlanError> {
        self.store.plan(id).await?.ok_or(PlanError::NotFound)
    }

    async fn list(
        &self,
        request: wire::ListPlansRequest,
    ) -> Result<wire::ListPlansResponse, PlanError> {
        let text = fold(&request.name);
        let list = format!("plans {text}");
        let page: PageRequest<PlanId> = self
            .page_tokens
            .read_request(request.page_size, &request.page_token, list.as_bytes())
            .map_err(PlanError::Invalid)?;
        // One more says whether there is a next page.
        let mut plans = self
            .store
            .plans(&text, page.after.as_ref(), page.size + 1)
            .await?;
        let last = truncate_page(&mut plans, page.size);
        let next = last.map(|last| self.page_tokens.sign(&last.id, list.as_bytes()));
        Ok(wire::ListPlansResponse {
            next_page_token: next.unwrap_or_default(),
            items: plans.iter().map(plan_message).collect(),
        })
    }

    async fn update(
        &self,
        context: &RequestContext,
        request: wire::UpdatePlanRequest,
    ) -> Result<wire::Plan, PlanError> {
        let update = request.plan.unwrap_or_default();
        let id = PlanId::new(request.plan_id);
        let stamp = require_stamp(request.concurrency_stamp);
        let mask = request.update_mask.as_ref();
        let current = if let Some(mask) = mask {
            // Paths that are wrong are violations also when there is no such plan.
            let checked = field_mask::apply(&wire::Plan::default(), &update, Some(mask));
            checked.map_err(PlanError::Invalid)?;
            plan_message(&self.get(&id).await?)
        } else {
            // With a mask output fields are ignored (decision 0129).
            let violations = output_violations(&update, PLAN);
            if !violations.is_empty() {
                return Err(PlanError::Invalid(violations));
            }
            wire::Plan::default()
        };
        let masked = field_mask::apply(&current, &update, mask);
        let mut masked = masked.map_err(PlanError::Invalid)?;
        masked.clear_output_fields();
        let (stamp, plan) = match (stamp, read_plan(&masked)) {
            (Ok(stamp), Ok(plan)) => (stamp, plan),
            (stamp, plan) => {
                let violations = stamp
                    .err()
                    .into_iter()
                    .chain(plan.err().unwrap_or_default());
                return Err(PlanError::Invalid(violations.collect()));
            }
        };
        let current = self.get(&id).await?;
        if current.stamp != stamp {
            return Err(PlanError::StampMismatch);
        }
        let plan = Plan {
            id,
            stamp: stamp.clone(),
            ..plan
        };
        if request.validate_only || plan == current {
            return Ok(plan_message(&plan));
        }
        let plan = Plan {
            stamp: new_stamp(&*self.rng).into(),
            ..plan
        };
        let event = self
            .event(context, AuditEventKind::PlanChanged)
            .detail("plan", plan.id.as_str())
            .difference(&current.audited_values(), &plan.audited_values());
        if self.store.replace_plan(&plan, &stamp, &event).await? {
            Ok(plan_message(&plan))
        } else {
            Err(PlanError::StampMismatch)
        }
    }

    async fn delete(
        &self,
        context: &RequestContext,
        request: wire::DeletePlanRequest,
    ) -> Result<(), PlanError> {
        let stamp = require_stamp(request.concurrency_stamp)?;
        let id = PlanId::new(request.plan_id);
        let current = self.get(&id).await?;
        if current.stamp != stamp {
            return Err(PlanError::StampMismatch);
        }
        let event = self
            .event(context, AuditEventKind::PlanDeleted)
            .detail("plan", id.as_str())
            .difference(&current.audited_values(), &AuditedValues::default());
        match self.store.delete_plan(&id, &stamp, &event).await? {
            PlanDeletion::Deleted => Ok(()),
            PlanDeletion::Stale => Err(PlanError::StampMismatch),
            PlanDeletion::InUse => Err(PlanError::InUse),
        }
    }

    async fn assign(
        &self,
        context: &RequestContext,
        request: wire::AssignPlanRequest,
    ) -> Result<wire::TenantPlan, PlanError> {
        let organization = OrganizationId::new(request.organization_id);
        let plan = Some(PlanId::new(request.plan_id)).filter(|plan| !plan.is_empty());
        for _attempt in 0..ATTEMPTS {
            let tenant = self.tenant(&organization).await?;
            let before = tenant.plan.as_ref().map(|plan| &plan.id);
            let values = |plan: Option<&PlanId>| {
                AuditedValues::default().value("plan", plan.map_or("none", PlanId::as_str))
            };
            let event = self
                .event(context, AuditEventKind::PlanAssigned)
                .organization(&organization)
                .difference(&values(before), &values(plan.as_ref()));
            let assigned = self
                .store
                .assign_plan(&organization, before, plan.as_ref(), &event)
                .await?;
            match assigned {
                PlanAssignment::Assigned => return self.of_tenant(&organization).await,
                PlanAssignment::NoTenant => return Err(PlanError::TenantNotFound),
                PlanAssignment::NoPlan => return Err(PlanError::NotFound),
                PlanAssignment::Stale => {}
            }
        }
        Err(StorageError::Busy.into())
    }

    /// The plan of a tenant, as the database has it now.
    async fn of_tenant(
        &self,
        organization: &OrganizationId,
    ) -> Result<wire::TenantPlan, PlanError> {
        let tenant = self.tenant(organization).await?;
        self.tenant_plan(&tenant).await
    }

    async fn tenant(&self, organization: &OrganizationId) -> Result<Arc<Tenant>, PlanError> {
        let basis = self.store.basis().await?;
        let tenant = self.store.tenant(organization, basis).await?;
        tenant.ok_or(PlanError::TenantNotFound)
    }

    async fn tenant_plan(&self, tenant: &Tenant) -> Result<wire::TenantPlan, PlanError> {
        let limits = tenant.limits();
        let requests = limits
            .requests_per_minute
            .unwrap_or_else(|| i64::from(self.default_requests_per_minute));
        let limits = invoicing_storage::plans::Limits {
            requests_per_minute: Some(requests),
            ..limits
        };
        Ok(wire::TenantPlan {
            organization_id: tenant.organization.id.to_string(),
            plan: tenant.plan.as_ref().map(plan_message),
            own_limits: Some(content::limits_message(tenant.own_limits)),
            limits: Some(content::limits_message(limits)),
            entitlements: Some(content::entitlements_message(tenant.entitlements())),
            usage: Some(self.usage(tenant, requests).await?),
        })
    }

    /// An event by the caller.
    fn event(&self, context: &RequestContext, kind: AuditEventKind) -> AuditEvent {
        platform_event(context, self.clock.timestamp(), kind)
    }
}
