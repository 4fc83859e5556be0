//! The directory on PostgreSQL: settings and organizations here; tenants, domains, subjects, applications, keys and plans in modules.

mod additions;
mod applications;
mod domains;
mod keys;
mod new_records;
mod new_users;
mod organizations;
mod password_codes;
mod pats;
mod plans;
mod provisioning;
mod removals;
mod right_holders;
mod rotate_secret;
mod rows;
mod set_password;
mod subjects;
mod tenant_administration;
mod tenant_history;
mod tenants;
mod users;

use std::collections::BTreeSet;
use std::slice;
use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, Timestamp};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::directory::{DirectoryStore, Organization, Tenant, TenantRegion};
use invoicing_storage::plans::Limits;
use invoicing_storage::{Basis, StorageError};

pub(crate) use self::domains::derive_domains;
use self::new_records::insert_record;
use self::rows::{organization, organization_and_region};
use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{
    EngineError, Parameter, Transaction, TransactionEnd, TransactionWork, identifier,
};

/// Whether a subject `s` is a person who can sign in: not disabled, with a password of the person's own.
macro_rules! can_sign_in {
    () => {
        "s.password_hash IS NOT NULL AND s.disabled_at IS NULL AND NOT EXISTS (SELECT 1 FROM password_codes c WHERE c.subject = s.id)"
    };
}
pub(crate) use can_sign_in;

/// The columns of a tenant that its profile consists of.
macro_rules! profile_columns {
    () => {
        "currency, country, time_zone, tax_id, building, street, district, city, postal_code, \
            registration_number_scheme, registration_number_value"
    };
}
use profile_columns;

/// The columns of a tenant `t` that its record is made from, besides those of its organization `o`.
macro_rules! tenant_columns {
    () => {
        concat!(
            $crate::directory::profile_columns!(),
            ", t.monthly_documents, t.requests_per_minute, t.users, authority_endpoint, t.concurrency_stamp, disabled_at, ",
            $crate::directory::plans::plan_columns!()
        )
    };
}
use tenant_columns;

/// Selects the columns that [`organization`] reads.
macro_rules! select_organizations {
    () => {
        "SELECT id, name, name_ar, domain FROM organizations"
    };
}

const SELECT_OPERATOR: &str = "SELECT organization_id FROM operator_organization WHERE id = 1";
const SELECT_SETTING: &str = "SELECT value FROM settings WHERE name = $1";

/// The version after `number`, by a random step of 1 to 2^24.
///
/// A failover to a standby that is not synchronous loses the last commits. With steps of one, the changes after it would get the
/// versions of those that were lost, and a process that has cached a record with such a version would take it for a current one.
/// With these a lost version comes again once in eight million times (decision 0172). A `bigint` holds 2^40 steps of the middle size:
/// 348 years of a hundred changes a second. After them changes fail, and no number comes again.
///
/// The database makes the step and not an [`Rng`](invoicing_storage::Rng): no test or repetition has to know it, and all changes pass
/// through two statements and come from many places.
macro_rules! next_version {
    () => {
        "number + 1 + floor(random() * 16777216)::bigint"
    };
}
pub(crate) use next_version;

/// Increments the version of the cached records. Last in the transaction of every change of one: processes wait for each
/// other from here to the commit.
pub(crate) async fn increment_version(transaction: &Transaction) -> Result<(), EngineError> {
    let update = concat!(
        "UPDATE versions SET number = ",
        next_version!(),
        " WHERE name = 'directory'"
    );
    transaction.execute(update, &[]).await?;
    Ok(())
}

#[async_trait]
impl DirectoryStore for Postgres {
    async fn setting_or(&self, name: &str, value: &str) -> Result<String, StorageError> {
        let work = InsertSetting { name, value };
        self.engine().write(&work).await
    }

    async fn setting(&self, name: &str) -> Result<Option<String>, StorageError> {
        self.engine()
            .lookup_one(SELECT_SETTING, &[&name], |row| Ok(row.try_get("value")?))
            .await
    }

    async fn replace_setting(
        &self,
        name: &str,
        stored: &str,
        replacement: &str,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE settings SET value = $3 WHERE name = $1 AND value = $2";
        let row: [Parameter<'_>; 3] = [&name, &stored, &replacement];
        self.execute_audited(update, &row, event).await
    }

    async fn add_organization(&self, organization: &Organization) -> Result<(), StorageError> {
        insert_record(self, organization, &[]).await?;
        Ok(())
    }

    async fn organization(
        &self,
        id: &OrganizationId,
    ) -> Result<Option<Organization>, StorageError> {
        let select = concat!(select_organizations!(), " WHERE id = $1");
        self.engine()
            .lookup_one(select, &[&id.as_str()], organization)
            .await
    }

    async fn organization_of_domain(
        &self,
        domain: &str,
    ) -> Result<Option<OrganizationId>, StorageError> {
        let select = "SELECT organization_id AS id FROM domains WHERE name = $1";
        self.engine()
            .lookup_one(select, &[&domain], |row| identifier(row, "id"))
            .await
    }

    async fn organizations_with_ids(
        &self,
        ids: &BTreeSet<OrganizationId>,
    ) -> Result<Vec<(Organization, Option<TenantRegion>)>, StorageError> {
        let select = "SELECT o.id, o.name, o.name_ar, o.domain, t.country, t.currency, t.time_zone
            FROM organizations o LEFT JOIN tenants t ON t.organization_id = o.id
            WHERE o.id = ANY($1::text[]) ORDER BY o.id";
        let ids: Vec<&str> = ids.iter().map(OrganizationId::as_str).collect();
        self.engine()
            .lookup_all(select, &[&ids], organization_and_region)
            .await
    }

    async fn organizations(&self) -> Result<Vec<Organization>, StorageError> {
        let select = concat!(select_organizations!(), " ORDER BY id");
        self.engine().lookup_all(select, &[], organization).await
    }

    async fn name_operator(
        &self,
        organization: &OrganizationId,
        event: &AuditEvent,
    ) -> Result<OrganizationId, StorageError> {
        let work = NameOperator {
            organization,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }

    async fn operator(&self) -> Result<Option<OrganizationId>, StorageError> {
        self.engine()
            .lookup_one(SELECT_OPERATOR, &[], |row| {
                identifier(row, "organization_id")
            })
            .await
    }

    async fn add_tenant(&self, tenant: &Tenant) -> Result<(), StorageError> {
        insert_record(self, tenant, &[]).await?;
        Ok(())
    }

    async fn set_limits(
        &self,
        organization: &OrganizationId,
        before: &Limits,
        limits: &Limits,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE tenants SET monthly_documents = $2, requests_per_minute = $3, users = $4
             WHERE organization_id = $1 AND (monthly_documents, requests_per_minute, users) IS NOT DISTINCT FROM ($5, $6, $7)";
        let row: [Parameter<'_>; 7] = [
            &organization.as_str(),
            &limits.monthly_documents,
            &limits.requests_per_minute,
            &limits.users,
            &before.monthly_documents,
            &before.requests_per_minute,
            &before.users,
        ];
        self.change_record(update, &row, event).await
    }

    async fn tenant(
        &self,
        organization: &OrganizationId,
        basis: Basis,
    ) -> Result<Option<Arc<Tenant>>, StorageError> {
        tenants::read(self, organization, basis).await
    }
}

/// Inserts a setting, unless there is one. The value is the stored one.
struct InsertSetting<'a> {
    name: &'a str,
    value: &'a str,
}

#[async_trait]
impl TransactionWork for InsertSetting<'_> {
    type Output = String;

    async fn run(&self, transaction: &Transaction) -> Result<TransactionEnd<String>, EngineError> {
        let insert =
            "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
        transaction
            .execute(insert, &[&self.name, &self.value])
            .await?;
        // In a statement of its own: the one before does not see a value that it waited for.
        let row = transaction.row(SELECT_SETTING, &[&self.name]).await?;
        let row = row.ok_or_else(|| StorageError::corrupt("a setting was deleted"))?;
        Ok(TransactionEnd::Commit(row.try_get("value")?))
    }
}

/// Names the operator organization, unless there is one. The organization is the one that is named.
struct NameOperator<'a> {
    organization: &'a OrganizationId,
    events: NewEvents<'a>,
}

#[async_trait]
impl TransactionWork for NameOperator<'_> {
    type Output = OrganizationId;

    fn partition_times(&self) -> Vec<Timestamp> {
        self.events.times()
    }

    async fn run(
        &self,
        transaction: &Transaction,
    ) -> Result<TransactionEnd<OrganizationId>, EngineError> {
        let insert = "INSERT INTO operator_organization (id, organization_id) VALUES (1, $1) ON CONFLICT (id) DO NOTHING";
        let inserted = transaction
            .execute(insert, &[&self.organization.as_str()])
            .await?;
        if inserted > 0 {
            self.events.record(transaction).await?;
        }
        // In a statement of its own: the one before does not see a name that it waited for.
        let row = transaction.row(SELECT_OPERATOR, &[]).await?;
        let row = row.ok_or_else(|| StorageError::corrupt("the operator was deleted"))?;
        Ok(TransactionEnd::Commit(identifier(&row, "organization_id")?))
    }
}
