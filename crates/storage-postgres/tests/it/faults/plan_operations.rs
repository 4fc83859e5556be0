//! The changes of plans in the table, and their assignment to tenants.

use async_trait::async_trait;
use invoicing_contract::PlanId;
use invoicing_storage::Store;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::plans::Plan;
use invoicing_storage::suite::fixtures::id;
use invoicing_storage::suite::plans::plan;

use super::directory_operations::add_tenant;
use super::operations::{Operation, event, events, name};

/// The operations on plans.
pub(crate) fn operations() -> Vec<Box<dyn Operation>> {
    vec![
        Box::new(AddPlan),
        Box::new(ReplacePlan),
        Box::new(DeletePlan),
        Box::new(AssignPlan),
    ]
}

fn plan_id(cell: u64) -> PlanId {
    PlanId::from(&*name(cell))
}

/// What is stored of the plan of a cell and of the tenant that has it.
async fn stored_plan(store: &dyn Store, cell: u64) -> String {
    let found = store.plan(&plan_id(cell)).await.unwrap();
    let found = found.map(|plan| (plan.name == name(cell).to_uppercase(), plan.limits.users));
    let basis = store.basis().await.unwrap();
    let tenant = store.tenant(&id(&name(cell)), basis).await.unwrap();
    let assigned = tenant.map(|tenant| tenant.plan.is_some());
    let events = events(store, cell).await;
    format!("{found:?}, assigned {assigned:?}, events {events}")
}

struct AddPlan;

#[async_trait]
impl Operation for AddPlan {
    fn name(&self) -> &'static str {
        "add_plan"
    }

    async fn prepare(&self, _store: &dyn Store, _cell: u64) {}

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::PlanCreated, cell);
        format!("{:?}", store.add_plan(&plan(&name(cell)), &event).await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_plan(store, cell).await
    }
}

struct ReplacePlan;

#[async_trait]
impl Operation for ReplacePlan {
    fn name(&self) -> &'static str {
        "replace_plan"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        AddPlan.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::PlanChanged, cell);
        let before = plan(&name(cell));
        let mut changed = Plan {
            stamp: "second".into(),
            ..before.clone()
        };
        changed.limits.users = Some(70);
        let replaced = store.replace_plan(&changed, &before.stamp, &event);
        format!("{:?}", replaced.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_plan(store, cell).await
    }
}

struct DeletePlan;

#[async_trait]
impl Operation for DeletePlan {
    fn name(&self) -> &'static str {
        "delete_plan"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        AddPlan.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::PlanDeleted, cell);
        let (id, expected) = (plan_id(cell), plan(&name(cell)).stamp);
        let deleted = store.delete_plan(&id, &expected, &event);
        format!("{:?}", deleted.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_plan(store, cell).await
    }
}

struct AssignPlan;

#[async_trait]
impl Operation for AssignPlan {
    fn name(&self) -> &'static str {
        "assign_plan"
    }

    async fn prepare(&self, store: &dyn Store, cell: u64) {
        add_tenant(store, cell).await;
        AddPlan.run(store, cell).await;
    }

    async fn run(&self, store: &dyn Store, cell: u64) -> String {
        let event = event(AuditEventKind::PlanAssigned, cell);
        let (organization, plan) = (id(&name(cell)), plan_id(cell));
        let assigned = store.assign_plan(&organization, None, Some(&plan), &event);
        format!("{:?}", assigned.await)
    }

    async fn stored(&self, store: &dyn Store, cell: u64) -> String {
        stored_plan(store, cell).await
    }
}
