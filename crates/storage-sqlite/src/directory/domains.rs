//! [`DomainStore`] on SQLite.

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::tenant_administration::insert_revision;
use crate::Sqlite;
use crate::audit::record_event;
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::domains::{Domain, DomainChange, DomainClaim, DomainStore};
use invoicing_storage::tenants::TenantRevision;

/// Selects the columns that [`domain`] reads, of an organization `?1`.
macro_rules! select_domains {
    () => {
        "SELECT d.name, d.token, o.domain = d.name AS is_primary FROM (
             SELECT organization_id, name, NULL AS token FROM domains WHERE organization_id = ?1
             UNION ALL SELECT organization_id, name, token FROM domain_claims WHERE organization_id = ?1
         ) d JOIN organizations o ON o.id = d.organization_id"
    };
}

#[async_trait]
impl DomainStore for Sqlite {
    async fn claim_domain(
        &self,
        organization: &OrganizationId,
        name: &str,
        token: &str,
        limit: u32,
        event: &AuditEvent,
    ) -> Result<DomainClaim, StorageError> {
        let (organization, event) = (organization.clone(), event.clone());
        let (name, token) = (name.to_owned(), token.to_owned());
        self.engine()
            .write(move |transaction| {
                let id = organization.as_str();
                if find(transaction, id, &name)?.is_some() {
                    return Ok(DomainClaim::Exists);
                }
                let count: u32 = transaction
                    .prepare_cached(
                        "SELECT (SELECT count(*) FROM domains WHERE organization_id = ?1)
                            + (SELECT count(*) FROM domain_claims WHERE organization_id = ?1)",
                    )?
                    .query_row([id], |row| row.get(0))?;
                if count >= limit {
                    return Ok(DomainClaim::TooMany);
                }
                transaction
                    .prepare_cached(
                        "INSERT INTO domain_claims (organization_id, name, token) VALUES (?1, ?2, ?3)",
                    )?
                    .execute((id, name, token))?;
                record_event(transaction, &event)?;
                Ok(DomainClaim::Done)
            })
            .await
    }

    async fn domains(
        &self,
        organization: &OrganizationId,
        after: Option<&str>,
        size: u32,
    ) -> Result<Vec<Domain>, StorageError> {
        let select = concat!(
            select_domains!(),
            " WHERE d.name > ?2 ORDER BY d.name LIMIT ?3"
        );
        let key = (organization.as_str(), after.unwrap_or(""), size);
        self.engine().lookup_all(select, key, domain).await
    }

    async fn domain(
        &self,
        organization: &OrganizationId,
        name: &str,
    ) -> Result<Option<Domain>, StorageError> {
        let select = concat!(select_domains!(), " WHERE d.name = ?2");
        let key = (organization.as_str(), name);
        self.engine().lookup_one(select, key, domain).await
    }

    async fn begin_verification(
        &self,
        organization: &OrganizationId,
        name: &str,
        now: Timestamp,
        since: Timestamp,
    ) -> Result<bool, StorageError> {
        let (organization, name) = (organization.clone(), name.to_owned());
        self.engine()
            .write(move |transaction| {
                // A time of the future is one of a clock that was set back.
                let update = "UPDATE domain_claims SET checked_at = ?3 WHERE organization_id = ?1 AND name = ?2
                    AND (checked_at IS NULL OR checked_at <= ?4 OR checked_at > ?3)";
                let updated = transaction.prepare_cached(update)?.execute(params![
                    organization.as_str(),
                    name,
                    now.as_millis(),
                    since.as_millis()
                ])?;
                Ok(updated > 0)
            })
            .await
    }

    async fn verify_domain(
        &self,
        organization: &OrganizationId,
        name: &str,
        event: &AuditEvent,
    ) -> Result<DomainChange, StorageError> {
        let (organization, name, event) = (organization.clone(), name.to_owned(), event.clone());
        self.engine()
            .write(move |transaction| {
                let id = organization.as_str();
                match find(transaction, id, &name)? {
                    None => return Ok(DomainChange::NotFound),
                    Some(domain) if domain.is_verified() => return Ok(DomainChange::Done),
                    Some(_) => {}
                }
                if !insert_domain(transaction, id, &name)? {
                    return Ok(DomainChange::Taken);
                }
                delete(
                    transaction,
                    "DELETE FROM domain_claims WHERE organization_id = ?1 AND name = ?2",
                    id,
                    &name,
                )?;
                record_event(transaction, &event)?;
                Ok(DomainChange::Done)
            })
            .await
    }

    async fn remove_domain(
        &self,
        organization: &OrganizationId,
        name: &str,
        verified: bool,
        event: &AuditEvent,
    ) -> Result<DomainChange, StorageError> {
        let (organization, name, event) = (organization.clone(), name.to_owned(), event.clone());
        self.engine()
            .write(move |transaction| {
                let id = organization.as_str();
                match find(transaction, id, &name)? {
                    None => return Ok(DomainChange::NotFound),
                    Some(domain) if domain.is_primary => return Ok(DomainChange::Primary),
                    Some(domain) if domain.is_verified() != verified => {
                        return Ok(DomainChange::Stale);
                    }
                    Some(_) => {}
                }
                for statement in [
                    "DELETE FROM domain_claims WHERE organization_id = ?1 AND name = ?2",
                    "DELETE FROM domains WHERE organization_id = ?1 AND name = ?2",
                ] {
                    delete(transaction, statement, id, &name)?;
                }
                record_event(transaction, &event)?;
                Ok(DomainChange::Done)
            })
            .await
    }

    async fn set_primary_domain(
        &self,
        organization: &OrganizationId,
        before: &str,
        name: &str,
        stamp: &str,
        revision: &TenantRevision,
        event: &AuditEvent,
    ) -> Result<DomainChange, StorageError> {
        let (organization, before) = (organization.clone(), before.to_owned());
        let (name, stamp) = (name.to_owned(), stamp.to_owned());
        let (revision, event) = (revision.clone(), event.clone());
        self.engine()
            .write(move |transaction| {
                let id = organization.as_str();
                match find(transaction, id, &name)? {
                    None => return Ok(DomainChange::NotFound),
                    Some(domain) if !domain.is_verified() => return Ok(DomainChange::NotVerified),
                    Some(domain) if domain.is_primary => return Ok(DomainChange::Done),
                    Some(_) => {}
                }
                let primary: String = transaction
                    .prepare_cached("SELECT domain FROM organizations WHERE id = ?1")?
                    .query_row([id], |row| row.get(0))?;
                if primary != before {
                    return Ok(DomainChange::Stale);
                }
                for (statement, value) in [
                    ("UPDATE organizations SET domain = ?2 WHERE id = ?1", &name),
                    (
                        "UPDATE tenants SET concurrency_stamp = ?2 WHERE organization_id = ?1",
                        &stamp,
                    ),
                ] {
                    transaction
                        .prepare_cached(statement)?
                        .execute((id, value))?;
                }
                insert_revision(transaction, &organization, &revision)?;
                record_event(transaction, &event)?;
                Ok(DomainChange::Done)
            })
            .await
    }
}

/// Makes a domain one of an organization, unless it is one already. Returns whether it did.
pub(super) fn insert_domain(
    connection: &Connection,
    organization: &str,
    name: &str,
) -> rusqlite::Result<bool> {
    let insert =
        "INSERT INTO domains (name, organization_id) VALUES (?2, ?1) ON CONFLICT DO NOTHING";
    let inserted = connection
        .prepare_cached(insert)?
        .execute((organization, name))?;
    Ok(inserted > 0)
}

fn delete(
    connection: &Connection,
    statement: &str,
    organization: &str,
    name: &str,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(statement)?
        .execute((organization, name))?;
    Ok(())
}

fn find(
    connection: &Connection,
    organization: &str,
    name: &str,
) -> rusqlite::Result<Option<Domain>> {
    let select = concat!(select_domains!(), " WHERE d.name = ?2");
    connection
        .prepare_cached(select)?
        .query_row((organization, name), domain)
        .optional()
}

fn domain(row: &Row<'_>) -> rusqlite::Result<Domain> {
    Ok(Domain {
        name: row.get("name")?,
        token: row.get("token")?,
        is_primary: row.get("is_primary")?,
    })
}
