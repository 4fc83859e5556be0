//! [`PlanStore`] on PostgreSQL.

use std::slice;

use async_trait::async_trait;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, PlanId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::plans::{
    EntitlementColumns, Entitlements, Limits, Plan, PlanAssignment, PlanDeletion, PlanStore,
};
use tokio_postgres::Row;

use super::increment_version;
use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{
    EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, identifier,
};

/// The columns that [`plan`] reads, with names that differ from those of a tenant.
macro_rules! plan_columns {
    () => {
        "p.id AS plan_id, p.concurrency_stamp AS plan_stamp, p.name AS plan_name, p.name_ar AS plan_name_ar,
         p.search_text AS plan_search_text, p.monthly_documents AS plan_monthly_documents,
         p.requests_per_minute AS plan_requests_per_minute, p.users AS plan_users, p.document_kinds, p.languages,
         p.authorities, p.api_access"
    };
}
pub(super) use plan_columns;

/// The people of an organization: with a role in it, or at home in it.
const COUNT_USERS: &str = "SELECT count(*) AS users FROM subjects s
     WHERE s.disabled_at IS NULL AND s.password_hash IS NOT NULL AND s.id IN (
         SELECT id FROM subjects WHERE home_organization = $1
         UNION SELECT subject FROM grants WHERE organization_id = $1)";

#[async_trait]
impl PlanStore for Postgres {
    async fn add_plan(&self, plan: &Plan, event: &AuditEvent) -> Result<bool, StorageError> {
        let insert = "INSERT INTO plans (id, concurrency_stamp, name, name_ar, search_text, monthly_documents,
                requests_per_minute, users, document_kinds, languages, authorities, api_access)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING";
        let columns = EntitlementColumns::from(&plan.entitlements);
        let row: [Parameter<'_>; 12] = [
            &plan.id.as_str(),
            &plan.stamp.as_str(),
            &plan.name,
            &plan.name_ar,
            &plan.search_text,
            &plan.limits.monthly_documents,
            &plan.limits.requests_per_minute,
            &plan.limits.users,
            &columns.document_kinds,
            &columns.languages,
            &columns.authorities,
            &columns.api_access,
        ];
        self.execute_audited(insert, &row, event).await
    }

    async fn plan(&self, id: &PlanId) -> Result<Option<Plan>, StorageError> {
        let select = concat!("SELECT ", plan_columns!(), " FROM plans p WHERE p.id = $1");
        self.engine()
            .lookup_one(select, &[&id.as_str()], plan)
            .await
    }

    async fn plans(
        &self,
        text: &str,
        after: Option<&PlanId>,
        size: u32,
    ) -> Result<Vec<Plan>, StorageError> {
        let select = concat!(
            "SELECT ",
            plan_columns!(),
            " FROM plans p WHERE p.id > $1 AND ($2 = '' OR strpos(p.search_text, $2) > 0) ORDER BY p.id LIMIT $3"
        );
        let (after, size) = (after.map_or("", PlanId::as_str), i64::from(size));
        let page: [Parameter<'_>; 3] = [&after, &text, &size];
        self.engine().lookup_all(select, &page, plan).await
    }

    async fn replace_plan(
        &self,
        plan: &Plan,
        expected: &ConcurrencyStamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update =
            "UPDATE plans SET (concurrency_stamp, name, name_ar, search_text, monthly_documents,
                requests_per_minute, users, document_kinds, languages, authorities, api_access)
             = ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
             WHERE id = $1 AND concurrency_stamp = $2";
        let columns = EntitlementColumns::from(&plan.entitlements);
        let row: [Parameter<'_>; 13] = [
            &plan.id.as_str(),
            &expected.as_str(),
            &plan.stamp.as_str(),
            &plan.name,
            &plan.name_ar,
            &plan.search_text,
            &plan.limits.monthly_documents,
            &plan.limits.requests_per_minute,
            &plan.limits.users,
            &columns.document_kinds,
            &columns.languages,
            &columns.authorities,
            &columns.api_access,
        ];
        self.change_record(update, &row, event).await
    }

    async fn delete_plan(
        &self,
        id: &PlanId,
        expected: &ConcurrencyStamp,
        event: &AuditEvent,
    ) -> Result<PlanDeletion, StorageError> {
        let work = DeletePlan {
            id,
            expected,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }

    async fn assign_plan(
        &self,
        organization: &OrganizationId,
        before: Option<&PlanId>,
        plan: Option<&PlanId>,
        event: &AuditEvent,
    ) -> Result<PlanAssignment, StorageError> {
        let work = AssignPlan {
            organization,
            before: before.map(PlanId::as_str),
            plan: plan.map(PlanId::as_str),
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }

    async fn count_users(&self, organization: &OrganizationId) -> Result<i64, StorageError> {
        let organization: [Parameter<'_>; 1] = [&organization.as_str()];
        let count = self
            .engine()
            .lookup_one(COUNT_USERS, &organization, |row| Ok(row.try_get("users")?))
            .await?;
        Ok(count.unwrap_or_default())
    }
}

/// The deletion of a plan that no tenant has.
struct DeletePlan<'a> {
    id: &'a PlanId,
    expected: &'a ConcurrencyStamp,
    events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for DeletePlan<'_> {
    type Output = PlanDeletion;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<PlanDeletion>, EngineError> {
        // Waits for assignments of the plan, which the next statement sees.
        let select = "SELECT 1 FROM plans WHERE id = $1 AND concurrency_stamp = $2 FOR UPDATE";
        let key: [Parameter<'_>; 2] = [&self.id.as_str(), &self.expected.as_str()];
        if transaction.row(select, &key).await?.is_none() {
            let recorded = self.events.are_recorded(transaction).await?;
            return Ok(TransactionEnd::Rollback(if recorded {
                PlanDeletion::Deleted
            } else {
                PlanDeletion::Stale
            }));
        }
        let used = "SELECT 1 FROM tenants WHERE plan_id = $1 LIMIT 1";
        let id: [Parameter<'_>; 1] = [&self.id.as_str()];
        if transaction.row(used, &id).await?.is_some() {
            return Ok(TransactionEnd::Rollback(PlanDeletion::InUse));
        }
        transaction
            .execute("DELETE FROM plans WHERE id = $1", &id)
            .await?;
        self.events.record(transaction).await?;
        Ok(TransactionEnd::Commit(PlanDeletion::Deleted))
    }
}

/// The assignment of a plan, or of none, to a tenant.
struct AssignPlan<'a> {
    organization: &'a OrganizationId,
    before: Option<&'a str>,
    plan: Option<&'a str>,
    events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for AssignPlan<'_> {
    type Output = PlanAssignment;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<PlanAssignment>, EngineError> {
        let tenant = "SELECT plan_id FROM tenants WHERE organization_id = $1 FOR NO KEY UPDATE";
        let organization: [Parameter<'_>; 1] = [&self.organization.as_str()];
        let Some(tenant) = transaction.row(tenant, &organization).await? else {
            return Ok(TransactionEnd::Rollback(PlanAssignment::NoTenant));
        };
        let current: Option<&str> = tenant.try_get("plan_id")?;
        // The lock keeps the plan from being deleted until the end.
        let plan = "SELECT 1 FROM plans WHERE id = $1 FOR KEY SHARE";
        if self.plan.is_some() && transaction.row(plan, &[&self.plan]).await?.is_none() {
            return Ok(TransactionEnd::Rollback(PlanAssignment::NoPlan));
        }
        // Also what an attempt before has assigned.
        if current == self.plan {
            return Ok(TransactionEnd::Rollback(PlanAssignment::Assigned));
        }
        if self.events.are_recorded(transaction).await? {
            return Ok(TransactionEnd::Rollback(PlanAssignment::Assigned));
        }
        if current != self.before {
            return Ok(TransactionEnd::Rollback(PlanAssignment::Stale));
        }
        let update = "UPDATE tenants SET plan_id = $2 WHERE organization_id = $1";
        let row: [Parameter<'_>; 2] = [&self.organization.as_str(), &self.plan];
        transaction.execute(update, &row).await?;
        self.events.record(transaction).await?;
        increment_version(transaction).await?;
        Ok(TransactionEnd::Commit(PlanAssignment::Assigned))
    }
}

/// The plan in a row that has one.
pub(super) fn plan(row: &Row) -> Result<Plan, EngineError> {
    let columns = EntitlementColumns {
        document_kinds: row.try_get("document_kinds")?,
        languages: row.try_get("languages")?,
        authorities: row.try_get("authorities")?,
        api_access: row.try_get("api_access")?,
    };
    Ok(Plan {
        id: identifier(row, "plan_id")?,
        stamp: identifier(row, "plan_stamp")?,
        name: row.try_get("plan_name")?,
        name_ar: row.try_get("plan_name_ar")?,
        search_text: row.try_get("plan_search_text")?,
        limits: Limits {
            monthly_documents: row.try_get("plan_monthly_documents")?,
            requests_per_minute: row.try_get("plan_requests_per_minute")?,
            users: row.try_get("plan_users")?,
        },
        entitlements: Entitlements::try_from(columns)?,
    })
}
