//! [`DirectoryStore`] on SQLite.

use async_trait::async_trait;

use super::Sqlite;
use crate::storage::StorageError;
use crate::storage::directory::{DirectoryStore, Grant, Organization, Subject, Tenant};

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
            "INSERT INTO subjects (id, username, name, email, home_organization, password_hash, valid_from)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (id) DO UPDATE SET username = excluded.username, name = excluded.name, email = excluded.email,
                home_organization = excluded.home_organization, password_hash = excluded.password_hash,
                valid_from = excluded.valid_from",
        )
        .bind(&subject.id)
        .bind(&subject.username)
        .bind(&subject.name)
        .bind(&subject.email)
        .bind(&subject.home_organization)
        .bind(&subject.password_hash)
        .bind(subject.valid_from)
        .execute(&mut *write)
        .await?;
        Ok(write.commit().await?)
    }

    async fn subject(&self, id: &str) -> Result<Option<Subject>, StorageError> {
        let row = sqlx::query_as(
            "SELECT id, username, name, email, home_organization, password_hash, valid_from
             FROM subjects WHERE id = $1 AND disabled_at IS NULL",
        );
        Ok(row.bind(id).fetch_optional(self.readers()).await?)
    }

    async fn subject_by_username(&self, username: &str) -> Result<Option<Subject>, StorageError> {
        let row = sqlx::query_as(
            "SELECT id, username, name, email, home_organization, password_hash, valid_from
             FROM subjects WHERE username = $1 AND disabled_at IS NULL",
        );
        Ok(row.bind(username).fetch_optional(self.readers()).await?)
    }

    async fn disable_subject(&self, id: &str, now: i64) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        // From the next millisecond on: what was given out in this one is dead too.
        sqlx::query(
            "UPDATE subjects SET disabled_at = $2, valid_from = $2 + 1 WHERE id = $1 AND disabled_at IS NULL",
        )
        .bind(id)
        .bind(now)
        .execute(&mut *write)
        .await?;
        Ok(write.commit().await?)
    }

    async fn enable_subject(&self, id: &str) -> Result<(), StorageError> {
        let mut write = self.write().await?;
        sqlx::query("UPDATE subjects SET disabled_at = NULL WHERE id = $1")
            .bind(id)
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
}
