//! The directory on SQLite: settings and organizations here; tenants, domains, subjects, applications, keys and plans in modules.

mod additions;
mod applications;
mod domains;
mod keys;
mod password_codes;
mod pats;
mod plans;
mod provisioning;
mod removals;
mod right_holders;
mod rows;
mod subjects;
mod tenant_administration;
mod tenants;
mod users;

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use invoicing_contract::OrganizationId;
use rusqlite::{Connection, params};

use self::domains::insert_domain;
use self::rows::{organization, organization_and_region};
pub(crate) use self::tenants::insert as insert_tenant;
use crate::Sqlite;
use crate::audit::record_event;
use crate::engine::identifier;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::directory::{DirectoryStore, Organization, Tenant, TenantRegion};
use invoicing_storage::plans::Limits;
use invoicing_storage::{Basis, StorageError};

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
const SELECT_SETTING: &str = "SELECT value FROM settings WHERE name = ?1";

#[async_trait]
impl DirectoryStore for Sqlite {
    async fn setting_or(&self, name: &str, value: &str) -> Result<String, StorageError> {
        let (name, value) = (name.to_owned(), value.to_owned());
        self.engine()
            .write(move |transaction| {
                let insert =
                    "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING";
                transaction
                    .prepare_cached(insert)?
                    .execute((&name, &value))?;
                let mut select = transaction.prepare_cached(SELECT_SETTING)?;
                Ok(select.query_row([&name], |row| row.get(0))?)
            })
            .await
    }

    async fn setting(&self, name: &str) -> Result<Option<String>, StorageError> {
        self.engine()
            .lookup_one(SELECT_SETTING, [name], |row| row.get(0))
            .await
    }

    async fn replace_setting(
        &self,
        name: &str,
        stored: &str,
        replacement: &str,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE settings SET value = ?3 WHERE name = ?1 AND value = ?2";
        let row = [name, stored, replacement].map(str::to_owned);
        self.overwrite_audited(update, row, event).await
    }

    async fn add_organization(&self, organization: &Organization) -> Result<(), StorageError> {
        let organization = organization.clone();
        self.engine()
            .write(move |transaction| {
                insert_organization(transaction, &organization)?;
                Ok(())
            })
            .await
    }

    async fn organization(
        &self,
        id: &OrganizationId,
    ) -> Result<Option<Organization>, StorageError> {
        let select = concat!(select_organizations!(), " WHERE id = ?1");
        self.engine()
            .lookup_one(select, [id.as_str()], organization)
            .await
    }

    async fn organization_of_domain(
        &self,
        domain: &str,
    ) -> Result<Option<OrganizationId>, StorageError> {
        let select = "SELECT organization_id FROM domains WHERE name = ?1";
        self.engine()
            .lookup_one(select, [domain], |row| identifier(row, 0))
            .await
    }

    async fn organizations_with_ids(
        &self,
        ids: &BTreeSet<OrganizationId>,
    ) -> Result<Vec<(Organization, Option<TenantRegion>)>, StorageError> {
        let select = "SELECT o.id, o.name, o.name_ar, o.domain, t.country, t.currency, t.time_zone
            FROM organizations o LEFT JOIN tenants t ON t.organization_id = o.id
            WHERE o.id IN (SELECT value FROM json_each(?1)) ORDER BY o.id";
        let ids: serde_json::Value = ids.iter().map(OrganizationId::as_str).collect();
        self.engine()
            .lookup_all(select, [ids.to_string()], organization_and_region)
            .await
    }

    async fn organizations(&self) -> Result<Vec<Organization>, StorageError> {
        let select = concat!(select_organizations!(), " ORDER BY id");
        self.engine().lookup_all(select, (), organization).await
    }

    async fn name_operator(
        &self,
        organization: &OrganizationId,
        event: &AuditEvent,
    ) -> Result<OrganizationId, StorageError> {
        let (organization, event) = (organization.as_str().to_owned(), event.clone());
        self.engine()
            .write(move |transaction| {
                let insert = "INSERT INTO operator_organization (id, organization_id) VALUES (1, ?1) ON CONFLICT (id) DO NOTHING";
                if transaction.prepare_cached(insert)?.execute([&organization])? > 0 {
                    record_event(transaction, &event)?;
                }
                let mut select = transaction.prepare_cached(SELECT_OPERATOR)?;
                Ok(select.query_row([], |row| identifier(row, 0))?)
            })
            .await
    }

    async fn operator(&self) -> Result<Option<OrganizationId>, StorageError> {
        self.engine()
            .lookup_one(SELECT_OPERATOR, (), |row| identifier(row, 0))
            .await
    }

    async fn add_tenant(&self, tenant: &Tenant) -> Result<(), StorageError> {
        let tenant = tenant.clone();
        self.engine()
            .write(move |transaction| {
                insert_tenant(transaction, &tenant)?;
                Ok(())
            })
            .await
    }

    async fn set_limits(
        &self,
        organization: &OrganizationId,
        before: &Limits,
        limits: &Limits,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE tenants SET monthly_documents = ?2, requests_per_minute = ?3, users = ?4
             WHERE organization_id = ?1 AND (monthly_documents, requests_per_minute, users) IS (?5, ?6, ?7)";
        let row = (
            organization.as_str().to_owned(),
            limits.monthly_documents,
            limits.requests_per_minute,
            limits.users,
            before.monthly_documents,
            before.requests_per_minute,
            before.users,
        );
        self.execute_audited(update, row, event).await
    }

    async fn tenant(
        &self,
        organization: &OrganizationId,
        basis: Basis,
    ) -> Result<Option<Arc<Tenant>>, StorageError> {
        tenants::read(self, organization, basis).await
    }
}

/// Inserts an organization with its domain, unless its id or its domain is taken. Returns whether it did.
pub(crate) fn insert_organization(
    connection: &Connection,
    organization: &Organization,
) -> rusqlite::Result<bool> {
    let insert = "INSERT INTO organizations (id, name, name_ar, domain)
        SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM domains WHERE name = ?4) ON CONFLICT DO NOTHING";
    let inserted = connection.prepare_cached(insert)?.execute(params![
        organization.id.as_str(),
        organization.name,
        organization.name_ar,
        organization.domain
    ])?;
    if inserted > 0 {
        insert_domain(connection, organization.id.as_str(), &organization.domain)?;
    }
    Ok(inserted > 0)
}
