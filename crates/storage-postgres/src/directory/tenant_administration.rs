//! [`TenantStore`] on PostgreSQL.

use std::slice;

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::directory::{Organization, Tenant};
use invoicing_storage::provisioning::Provisioning;
use invoicing_storage::tenants::{
    OrganizationQuery, OrganizationState, TenantChange, TenantRevision, TenantStore,
};
use tokio_postgres::Row;

use super::organizations::insert_organization;
use super::rows::{organization, tenant};
use super::tenant_history::{insert_revision, revision};
use super::tenants::insert_tenant;
use super::{increment_version, tenant_columns};
use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{EngineError, Parameter, Transaction, TransactionEnd, TransactionWork};

const SELECT_PAGE: &str = concat!(
    "SELECT o.id, o.name, o.name_ar, o.domain, t.organization_id IS NOT NULL AS is_tenant, ",
    tenant_columns!(),
    " FROM organizations o LEFT JOIN tenants t ON t.organization_id = o.id
     LEFT JOIN plans p ON p.id = t.plan_id
     WHERE o.id > $1
         AND ($2 = '' OR strpos(o.id, $2) > 0 OR strpos(lower(o.name), lower($2)) > 0
             OR strpos(lower(o.name_ar), lower($2)) > 0 OR strpos(lower(t.tax_id), lower($2)) > 0)
         AND ($3::text IS NULL OR o.id = (SELECT organization_id FROM domains WHERE name = $3))
         AND ($4::text IS NULL OR $4 = CASE
             WHEN t.organization_id IS NULL THEN 'no-tenant'
             WHEN t.disabled_at IS NOT NULL THEN 'disabled'
             WHEN t.currency = '' THEN 'profile-incomplete'
             ELSE 'active' END)
         AND (NOT $5 OR t.organization_id IS NOT NULL)
     ORDER BY o.id LIMIT $6"
);
const SELECT_ORGANIZATION: &str = "SELECT 1 FROM organizations WHERE id = $1";
const SELECT_TENANT: &str = "SELECT 1 FROM tenants WHERE organization_id = $1";

#[async_trait]
impl TenantStore for Postgres {
    async fn organization_page(
        &self,
        query: &OrganizationQuery,
    ) -> Result<Vec<(Organization, Option<Tenant>)>, StorageError> {
        let after = query.after.as_ref().map_or("", OrganizationId::as_str);
        let state = query.state.map(OrganizationState::name);
        let parameters: [Parameter<'_>; 6] = [
            &after,
            &query.text,
            &query.domain,
            &state,
            &query.tenants_only,
            &i64::from(query.size),
        ];
        self.engine()
            .lookup_all(SELECT_PAGE, &parameters, organization_and_tenant)
            .await
    }

    async fn create_organization(
        &self,
        organization: &Organization,
        event: &AuditEvent,
    ) -> Result<Provisioning, StorageError> {
        let work = CreateOrganization {
            organization,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }

    async fn make_tenant(
        &self,
        tenant: &Tenant,
        revision: &TenantRevision,
        event: &AuditEvent,
    ) -> Result<TenantChange, StorageError> {
        let work = ChangeTenant {
            organization: &tenant.organization.id,
            change: Change::Make(tenant),
            revision,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }

    async fn update_tenant(
        &self,
        tenant: &Tenant,
        based_on: &str,
        revision: &TenantRevision,
        event: &AuditEvent,
    ) -> Result<TenantChange, StorageError> {
        let work = ChangeTenant {
            organization: &tenant.organization.id,
            change: Change::Update { tenant, based_on },
            revision,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }

    async fn set_tenant_disabled(
        &self,
        organization: &OrganizationId,
        disabled_at: Option<Timestamp>,
        stamp: &str,
        revision: &TenantRevision,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let work = ChangeTenant {
            organization,
            change: Change::SetDisabled { disabled_at, stamp },
            revision,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        Ok(self.engine().write(&work).await? == TenantChange::Done)
    }

    async fn tenant_history(
        &self,
        organization: &OrganizationId,
        before: Option<i64>,
        size: u32,
    ) -> Result<Vec<TenantRevision>, StorageError> {
        let select = "SELECT revision, at, actor, action, changes FROM tenant_history
            WHERE organization_id = $1 AND revision < $2 ORDER BY revision DESC LIMIT $3";
        let before = before.unwrap_or(i64::MAX);
        let page: [Parameter<'_>; 3] = [&organization.as_str(), &before, &i64::from(size)];
        let rows = self
            .engine()
            .rows(Some(organization), select, &page)
            .await?;
        let revisions: Result<_, EngineError> = rows.iter().map(revision).collect();
        Ok(revisions?)
    }
}

/// Inserts an organization that is no tenant.
struct CreateOrganization<'a> {
    organization: &'a Organization,
    events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for CreateOrganization<'_> {
    type Output = Provisioning;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<Provisioning>, EngineError> {
        let outcome = insert_organization(transaction, self.organization).await?;
        if outcome == Provisioning::Done {
            self.events.record(transaction).await?;
            increment_version(transaction).await?;
            return Ok(TransactionEnd::Commit(outcome));
        }
        let recorded = self.events.are_recorded(transaction).await?;
        let outcome = if recorded {
            Provisioning::Done
        } else {
            outcome
        };
        Ok(TransactionEnd::Rollback(outcome))
    }
}

/// A change of one tenant with its revision and its events.
struct ChangeTenant<'a> {
    organization: &'a OrganizationId,
    change: Change<'a>,
    revision: &'a TenantRevision,
    events: NewEvents<'a>,
}

enum Change<'a> {
    Make(&'a Tenant),
    Update {
        tenant: &'a Tenant,
        based_on: &'a str,
    },
    SetDisabled {
        disabled_at: Option<Timestamp>,
        stamp: &'a str,
    },
}

#[async_trait]
impl TransactionWork for ChangeTenant<'_> {
    type Output = TenantChange;

    fn organization(&self) -> Option<&OrganizationId> {
        Some(self.organization)
    }

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<TenantChange>, EngineError> {
        let id: [Parameter<'_>; 1] = [&self.organization.as_str()];
        let changed = match &self.change {
            Change::Make(tenant) => {
                // Organizations are never deleted.
                if transaction.row(SELECT_ORGANIZATION, &id).await?.is_none() {
                    return Ok(TransactionEnd::Rollback(TenantChange::NotFound));
                }
                insert_tenant(transaction, tenant, None).await?
            }
            Change::Update { tenant, based_on } => update(transaction, tenant, based_on).await?,
            Change::SetDisabled { disabled_at, stamp } => {
                set_disabled(transaction, self.organization, *disabled_at, stamp).await?
            }
        };
        if changed {
            insert_revision(transaction, self.organization, self.revision).await?;
            self.events.record(transaction).await?;
            increment_version(transaction).await?;
            return Ok(TransactionEnd::Commit(TenantChange::Done));
        }
        // In statements of their own: the one before does not see what it waited for.
        if self.events.are_recorded(transaction).await? {
            return Ok(TransactionEnd::Rollback(TenantChange::Done));
        }
        let exists = transaction.row(SELECT_TENANT, &id).await?;
        Ok(TransactionEnd::Rollback(match exists {
            Some(_) => TenantChange::Stale,
            None => TenantChange::NotFound,
        }))
    }
}

async fn update(
    transaction: &Transaction,
    tenant: &Tenant,
    based_on: &str,
) -> Result<bool, EngineError> {
    let (organization, address) = (&tenant.organization, &tenant.address);
    let number = &tenant.registration_number;
    let id = organization.id.as_str();
    let update =
        "UPDATE tenants SET (time_zone, tax_id, building, street, district, city, postal_code,
            registration_number_scheme, registration_number_value, concurrency_stamp)
            = ($3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        WHERE organization_id = $1 AND concurrency_stamp = $2";
    let row: [Parameter<'_>; 12] = [
        &id,
        &based_on,
        &tenant.time_zone,
        &tenant.tax_id,
        &address.building,
        &address.street,
        &address.district,
        &address.city,
        &address.postal_code,
        &number.scheme,
        &number.value,
        &tenant.concurrency_stamp,
    ];
    if transaction.execute(update, &row).await? == 0 {
        return Ok(false);
    }
    let update = "UPDATE organizations SET name = $2, name_ar = $3 WHERE id = $1";
    let row: [Parameter<'_>; 3] = [&id, &organization.name, &organization.name_ar];
    transaction.execute(update, &row).await?;
    Ok(true)
}

async fn set_disabled(
    transaction: &Transaction,
    organization: &OrganizationId,
    disabled_at: Option<Timestamp>,
    stamp: &str,
) -> Result<bool, EngineError> {
    let update = "UPDATE tenants SET disabled_at = $2, concurrency_stamp = $3
        WHERE organization_id = $1 AND (disabled_at IS NULL) = ($2::bigint IS NOT NULL)
            AND ($2::bigint IS NULL OR organization_id NOT IN (SELECT organization_id FROM operator_organization))";
    let disabled_at = disabled_at.map(Timestamp::as_millis);
    let row: [Parameter<'_>; 3] = [&organization.as_str(), &disabled_at, &stamp];
    Ok(transaction.execute(update, &row).await? > 0)
}

fn organization_and_tenant(row: &Row) -> Result<(Organization, Option<Tenant>), EngineError> {
    let is_tenant: bool = row.try_get("is_tenant")?;
    let tenant = is_tenant.then(|| tenant(row)).transpose()?;
    Ok((organization(row)?, tenant))
}
