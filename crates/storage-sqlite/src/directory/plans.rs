//! [`PlanStore`] on SQLite.

use async_trait::async_trait;
use invoicing_contract::{ConcurrencyStamp, OrganizationId, PlanId};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::plans::{
    EntitlementColumns, Entitlements, Limits, Plan, PlanAssignment, PlanDeletion, PlanStore,
};
use rusqlite::types::Type;
use rusqlite::{OptionalExtension as _, Row, params};

use crate::Sqlite;
use crate::audit::record_event;

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
const COUNT_USERS: &str = "SELECT count(*) FROM subjects s
     WHERE s.disabled_at IS NULL AND s.password_hash IS NOT NULL AND s.id IN (
         SELECT id FROM subjects WHERE home_organization = ?1
         UNION SELECT subject FROM grants WHERE organization_id = ?1)";

#[async_trait]
impl PlanStore for Sqlite {
    async fn add_plan(&self, plan: &Plan, event: &AuditEvent) -> Result<bool, StorageError> {
        let insert = "INSERT INTO plans (id, concurrency_stamp, name, name_ar, search_text, monthly_documents,
                requests_per_minute, users, document_kinds, languages, authorities, api_access)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT (id) DO NOTHING";
        let columns = EntitlementColumns::from(&plan.entitlements);
        let Plan {
            id, stamp, limits, ..
        } = plan.clone();
        let row = (
            id.into_string(),
            stamp.into_string(),
            plan.name.clone(),
            plan.name_ar.clone(),
            plan.search_text.clone(),
            limits.monthly_documents,
            limits.requests_per_minute,
            limits.users,
            columns.document_kinds,
            columns.languages,
            columns.authorities,
            columns.api_access,
        );
        self.execute_audited(insert, row, event).await
    }

    async fn plan(&self, id: &PlanId) -> Result<Option<Plan>, StorageError> {
        let select = concat!("SELECT ", plan_columns!(), " FROM plans p WHERE p.id = ?1");
        self.engine().lookup_one(select, [id.as_str()], plan).await
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
            " FROM plans p WHERE p.id > ?1 AND (?2 = '' OR instr(p.search_text, ?2) > 0) ORDER BY p.id LIMIT ?3"
        );
        let page = (after.map_or("", PlanId::as_str), text, size);
        self.engine().lookup_all(select, page, plan).await
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
             = (?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
             WHERE id = ?1 AND concurrency_stamp = ?2";
        let columns = EntitlementColumns::from(&plan.entitlements);
        let row = (
            plan.id.as_str().to_owned(),
            expected.as_str().to_owned(),
            plan.stamp.as_str().to_owned(),
            plan.name.clone(),
            plan.name_ar.clone(),
            plan.search_text.clone(),
            plan.limits.monthly_documents,
            plan.limits.requests_per_minute,
            plan.limits.users,
            columns.document_kinds,
            columns.languages,
            columns.authorities,
            columns.api_access,
        );
        self.execute_audited(update, row, event).await
    }

    async fn delete_plan(
        &self,
        id: &PlanId,
        expected: &ConcurrencyStamp,
        event: &AuditEvent,
    ) -> Result<PlanDeletion, StorageError> {
        let (id, expected, event) = (id.clone(), expected.clone(), event.clone());
        self.engine()
            .write(move |transaction| {
                let current: bool = transaction
                    .prepare_cached(
                        "SELECT EXISTS (SELECT 1 FROM plans WHERE id = ?1 AND concurrency_stamp = ?2)",
                    )?
                    .query_row((id.as_str(), expected.as_str()), |row| row.get(0))?;
                if !current {
                    return Ok(PlanDeletion::Stale);
                }
                let used: bool = transaction
                    .prepare_cached("SELECT EXISTS (SELECT 1 FROM tenants WHERE plan_id = ?1)")?
                    .query_row([id.as_str()], |row| row.get(0))?;
                if used {
                    return Ok(PlanDeletion::InUse);
                }
                transaction
                    .prepare_cached("DELETE FROM plans WHERE id = ?1")?
                    .execute([id.as_str()])?;
                record_event(transaction, &event)?;
                Ok(PlanDeletion::Deleted)
            })
            .await
    }

    async fn assign_plan(
        &self,
        organization: &OrganizationId,
        before: Option<&PlanId>,
        plan: Option<&PlanId>,
        event: &AuditEvent,
    ) -> Result<PlanAssignment, StorageError> {
        let (organization, event) = (organization.clone(), event.clone());
        let (before, plan) = (before.cloned(), plan.cloned());
        self.engine()
            .write(move |transaction| {
                let plan = plan.as_ref().map(PlanId::as_str);
                let exists: bool = transaction
                    .prepare_cached(
                        "SELECT ?1 IS NULL OR EXISTS (SELECT 1 FROM plans WHERE id = ?1)",
                    )?
                    .query_row([plan], |row| row.get(0))?;
                let current: Option<Option<String>> = transaction
                    .prepare_cached("SELECT plan_id FROM tenants WHERE organization_id = ?1")?
                    .query_row([organization.as_str()], |row| row.get(0))
                    .optional()?;
                let Some(current) = current else {
                    return Ok(PlanAssignment::NoTenant);
                };
                if !exists {
                    return Ok(PlanAssignment::NoPlan);
                }
                if current.as_deref() != plan {
                    if current.as_deref() != before.as_ref().map(PlanId::as_str) {
                        return Ok(PlanAssignment::Stale);
                    }
                    transaction
                        .prepare_cached(
                            "UPDATE tenants SET plan_id = ?2 WHERE organization_id = ?1",
                        )?
                        .execute(params![organization.as_str(), plan])?;
                    record_event(transaction, &event)?;
                }
                Ok(PlanAssignment::Assigned)
            })
            .await
    }

    async fn count_users(&self, organization: &OrganizationId) -> Result<i64, StorageError> {
        let count = self
            .engine()
            .lookup_one(COUNT_USERS, [organization.as_str()], |row| row.get(0))
            .await?;
        Ok(count.unwrap_or_default())
    }
}

/// The plan in a row that has one.
pub(super) fn plan(row: &Row<'_>) -> rusqlite::Result<Plan> {
    let columns = EntitlementColumns {
        document_kinds: row.get("document_kinds")?,
        languages: row.get("languages")?,
        authorities: row.get("authorities")?,
        api_access: row.get("api_access")?,
    };
    let entitlements = Entitlements::try_from(columns).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error))
    })?;
    Ok(Plan {
        id: row.get::<_, String>("plan_id")?.into(),
        stamp: row.get::<_, String>("plan_stamp")?.into(),
        name: row.get("plan_name")?,
        name_ar: row.get("plan_name_ar")?,
        search_text: row.get("plan_search_text")?,
        limits: Limits {
            monthly_documents: row.get("plan_monthly_documents")?,
            requests_per_minute: row.get("plan_requests_per_minute")?,
            users: row.get("plan_users")?,
        },
        entitlements,
    })
}
