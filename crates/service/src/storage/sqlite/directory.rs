//! [`DirectoryStore`] on SQLite.

use async_trait::async_trait;
use invoicing_contract::ready::ApplicationKind;

use super::Sqlite;
use crate::storage::StorageError;
use crate::storage::directory::{
    Application, DirectoryStore, Grant, KeyState, Organization, SigningKeyRecord, Subject, Tenant,
};

#[async_trait]
impl DirectoryStore for Sqlite {
    async fn setting_or(&self, name: &str, value: &str) -> Result<String, StorageError> {
        let mut write = self.write().await?;
        sqlx::query(
            "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
        )
        .bind(name)
        .bind(value)
        .execute(&mut *write)
        .await?;
        let kept = sqlx::query_scalar("SELECT value FROM settings WHERE name = $1")
            .bind(name)
            .fetch_one(&mut *write)
            .await?;
        write.commit().await?;
        Ok(kept)
    }

    async fn put_organization(&self, organization: &Organization) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        sqlx::query(
            "INSERT INTO organizations (id, name, name_ar, domain) VALUES ($1, $2, $3, $4)
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_ar = excluded.name_ar, domain = excluded.domain",
        )
        .bind(&organization.id)
        .bind(&organization.name)
        .bind(&organization.name_ar)
        .bind(&organization.domain)
        .execute(&mut *write)
        .await?;
        Ok(write.commit().await?)
    }

    async fn organization(&self, id: &str) -> Result<Option<Organization>, StorageError> {
        let row =
            sqlx::query_as("SELECT id, name, name_ar, domain FROM organizations WHERE id = $1")
                .bind(id);
        Ok(row.fetch_optional(self.readers()).await?)
    }

    async fn organizations(&self) -> Result<Vec<Organization>, StorageError> {
        let rows =
            sqlx::query_as("SELECT id, name, name_ar, domain FROM organizations ORDER BY id");
        Ok(rows.fetch_all(self.readers()).await?)
    }

    async fn put_tenant(&self, tenant: &Tenant) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        sqlx::query(
            "INSERT INTO tenants (organization_id, currency, country, time_zone, tax_id, building, street, district, city,
                postal_code, monthly_documents, requests_per_minute, authority_endpoint)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
             ON CONFLICT (organization_id) DO UPDATE SET currency = excluded.currency, country = excluded.country,
                time_zone = excluded.time_zone, tax_id = excluded.tax_id, building = excluded.building,
                street = excluded.street, district = excluded.district, city = excluded.city,
                postal_code = excluded.postal_code, monthly_documents = excluded.monthly_documents,
                requests_per_minute = excluded.requests_per_minute, authority_endpoint = excluded.authority_endpoint",
        )
        .bind(&tenant.organization.id)
        .bind(&tenant.currency)
        .bind(&tenant.country)
        .bind(&tenant.time_zone)
        .bind(&tenant.tax_id)
        .bind(&tenant.address.building)
        .bind(&tenant.address.street)
        .bind(&tenant.address.district)
        .bind(&tenant.address.city)
        .bind(&tenant.address.postal_code)
        .bind(tenant.monthly_documents)
        .bind(tenant.requests_per_minute)
        .bind(&tenant.authority_endpoint)
        .execute(&mut *write)
        .await?;
        Ok(write.commit().await?)
    }

    async fn tenant(&self, organization: &str) -> Result<Option<Tenant>, StorageError> {
        let row = sqlx::query_as(
            "SELECT o.id, o.name, o.name_ar, o.domain, t.currency, t.country, t.time_zone, t.tax_id, t.building, t.street,
                t.district, t.city, t.postal_code, t.monthly_documents, t.requests_per_minute, t.authority_endpoint
             FROM tenants t JOIN organizations o ON o.id = t.organization_id WHERE o.id = $1",
        );
        Ok(row
            .bind(organization)
            .fetch_optional(self.readers())
            .await?)
    }

    async fn put_subject(&self, subject: &Subject) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        sqlx::query(
            "INSERT INTO subjects (id, username, name, email, home_organization, password_hash)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (id) DO UPDATE SET username = excluded.username, name = excluded.name, email = excluded.email,
                home_organization = excluded.home_organization, password_hash = excluded.password_hash",
        )
        .bind(&subject.id)
        .bind(&subject.username)
        .bind(&subject.name)
        .bind(&subject.email)
        .bind(&subject.home_organization)
        .bind(&subject.password_hash)
        .execute(&mut *write)
        .await?;
        Ok(write.commit().await?)
    }

    async fn subject(&self, id: &str) -> Result<Option<Subject>, StorageError> {
        let row = sqlx::query_as(
            "SELECT id, username, name, email, home_organization, password_hash
             FROM subjects WHERE id = $1 AND disabled_at IS NULL",
        );
        Ok(row.bind(id).fetch_optional(self.readers()).await?)
    }

    async fn subject_by_username(&self, username: &str) -> Result<Option<Subject>, StorageError> {
        let row = sqlx::query_as(
            "SELECT id, username, name, email, home_organization, password_hash
             FROM subjects WHERE username = $1 AND disabled_at IS NULL",
        );
        Ok(row.bind(username).fetch_optional(self.readers()).await?)
    }

    async fn disable_subject(&self, id: &str, now: i64) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        sqlx::query("UPDATE subjects SET disabled_at = $2 WHERE id = $1 AND disabled_at IS NULL")
            .bind(id)
            .bind(now)
            .execute(&mut *write)
            .await?;
        Ok(write.commit().await?)
    }

    async fn put_grant(
        &self,
        subject: &str,
        organization: &str,
        role: &str,
    ) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        sqlx::query("INSERT INTO grants (subject, organization_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
            .bind(subject)
            .bind(organization)
            .bind(role)
            .execute(&mut *write)
            .await?;
        Ok(write.commit().await?)
    }

    async fn grants(&self, subject: &str) -> Result<Vec<Grant>, StorageError> {
        let rows = sqlx::query_as(
            "SELECT g.organization_id, o.domain, g.role FROM grants g JOIN organizations o ON o.id = g.organization_id
             WHERE g.subject = $1 ORDER BY g.role, g.organization_id",
        );
        Ok(rows.bind(subject).fetch_all(self.readers()).await?)
    }

    async fn put_application(&self, application: &Application) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        sqlx::query(
            "INSERT INTO applications (client_id, name, kind, secret_hash, subject, grant_types, redirect_uris,
                post_logout_uris, id_token_algorithm, revoke_family_on_reuse)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, kind = excluded.kind,
                secret_hash = excluded.secret_hash, subject = excluded.subject, grant_types = excluded.grant_types,
                redirect_uris = excluded.redirect_uris, post_logout_uris = excluded.post_logout_uris,
                id_token_algorithm = excluded.id_token_algorithm, revoke_family_on_reuse = excluded.revoke_family_on_reuse",
        )
        .bind(&application.client_id)
        .bind(&application.name)
        .bind(kind_name(application.kind))
        .bind(application.secret_hash.as_ref().map(|hash| hash.as_bytes().to_vec()))
        .bind(&application.subject)
        .bind(application.grant_types.join(" "))
        .bind(application.redirect_uris.join(" "))
        .bind(application.post_logout_uris.join(" "))
        .bind(application.id_token_algorithm.name())
        .bind(application.revoke_family_on_reuse)
        .execute(&mut *write)
        .await?;
        Ok(write.commit().await?)
    }

    async fn application(&self, client_id: &str) -> Result<Option<Application>, StorageError> {
        let row = sqlx::query_as("SELECT * FROM applications WHERE client_id = $1").bind(client_id);
        Ok(row.fetch_optional(self.readers()).await?)
    }

    async fn applications(&self) -> Result<Vec<Application>, StorageError> {
        Ok(
            sqlx::query_as("SELECT * FROM applications ORDER BY client_id")
                .fetch_all(self.readers())
                .await?,
        )
    }

    async fn signing_keys(&self) -> Result<Vec<SigningKeyRecord>, StorageError> {
        let rows = sqlx::query_as(
            "SELECT kid, algorithm, pkcs8, state, changed_at FROM signing_keys ORDER BY changed_at",
        );
        Ok(rows.fetch_all(self.readers()).await?)
    }

    async fn put_signing_keys(&self, keys: &[SigningKeyRecord]) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        for key in keys {
            sqlx::query(
                "INSERT INTO signing_keys (kid, algorithm, pkcs8, state, changed_at) VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT (kid) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at",
            )
            .bind(&key.kid)
            .bind(key.algorithm.name())
            .bind(key.pkcs8.as_slice())
            .bind(state_name(key.state))
            .bind(key.changed_at)
            .execute(&mut *write)
            .await?;
        }
        Ok(write.commit().await?)
    }
}

const fn kind_name(kind: ApplicationKind) -> &'static str {
    match kind {
        ApplicationKind::Public => "public",
        ApplicationKind::Confidential => "confidential",
        ApplicationKind::Machine => "machine",
        ApplicationKind::Api => "api",
    }
}

const fn state_name(state: KeyState) -> &'static str {
    match state {
        KeyState::Next => "next",
        KeyState::Current => "current",
        KeyState::Previous => "previous",
    }
}
