//! [`SubjectStore`] on PostgreSQL.

use std::collections::BTreeSet;
use std::slice;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, SubjectId, Timestamp};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::directory::Organization;
use invoicing_storage::secret::PasswordHash;
use invoicing_storage::subjects::{Account, Grant, Member, Subject, SubjectStore};
use invoicing_storage::{Basis, StorageError};
use tokio_postgres::Row;

use super::new_records::{NewRecord, insert_record};
use super::set_password::SetPassword;
use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{EngineError, Parameter, Transaction, identifier, optional_timestamp};

/// The columns that [`account`] and [`subject`] read.
macro_rules! columns {
    () => {
        "s.id, s.username, s.name, s.email, s.email_verified, s.home_organization, s.password_hash, s.must_change_password,
         s.epoch, s.disabled_at"
    };
}
pub(super) use columns;

/// A member in one statement, so that subject, organization and roles are of the same version.
const SELECT_MEMBER: &str = concat!(
    "SELECT ",
    columns!(),
    ", h.name AS home_name, h.name_ar AS home_name_ar, h.domain AS home_domain, g.organizations, g.domains, g.roles
     FROM subjects s
     LEFT JOIN organizations h ON h.id = s.home_organization
     CROSS JOIN LATERAL (
         SELECT array_agg(o.id ORDER BY r.role, o.id) AS organizations,
             array_agg(o.domain ORDER BY r.role, o.id) AS domains,
             array_agg(r.role ORDER BY r.role, o.id) AS roles
         FROM grants r JOIN organizations o ON o.id = r.organization_id WHERE r.subject = s.id
     ) g
     WHERE s.id = $1 AND s.disabled_at IS NULL"
);

#[async_trait]
impl SubjectStore for Postgres {
    async fn add_subject(
        &self,
        subject: &Subject,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        insert_record(self, subject, slice::from_ref(event)).await
    }

    async fn member(
        &self,
        id: &SubjectId,
        basis: Basis,
    ) -> Result<Option<Arc<Member>>, StorageError> {
        let cache = &self.read_cache().members;
        if let Some(cached) = cache.get(id.as_str(), basis) {
            return Ok(Some(cached));
        }
        let found = self
            .engine()
            .lookup_one(SELECT_MEMBER, &[&id.as_str()], member)
            .await?
            .map(Arc::new);
        if let Some(member) = &found {
            cache.insert(id.as_str(), basis, member);
        }
        Ok(found)
    }

    async fn subject_by_username(&self, username: &str) -> Result<Option<Subject>, StorageError> {
        let select = concat!(
            "SELECT ",
            columns!(),
            " FROM subjects s WHERE username = $1 AND disabled_at IS NULL"
        );
        self.engine()
            .lookup_one(select, &[&username], subject)
            .await
    }

    async fn account(&self, name: &str) -> Result<Option<Account>, StorageError> {
        let select = concat!(
            "SELECT ",
            columns!(),
            " FROM subjects s WHERE id = $1 OR username = $1"
        );
        self.engine().lookup_one(select, &[&name], account).await
    }

    async fn accounts_with_ids(
        &self,
        ids: &BTreeSet<SubjectId>,
    ) -> Result<Vec<Account>, StorageError> {
        let select = concat!(
            "SELECT ",
            columns!(),
            " FROM subjects s WHERE id = ANY($1::text[]) ORDER BY id"
        );
        let ids: Vec<&str> = ids.iter().map(SubjectId::as_str).collect();
        self.engine().lookup_all(select, &[&ids], account).await
    }

    async fn accounts(
        &self,
        home_organization: Option<&OrganizationId>,
        after: Option<&SubjectId>,
        size: u32,
    ) -> Result<Vec<Account>, StorageError> {
        let (after, size) = (after.map_or("", SubjectId::as_str), i64::from(size));
        // Two statements, each with the plan of its index.
        let Some(home) = home_organization else {
            let select = concat!(
                "SELECT ",
                columns!(),
                " FROM subjects s WHERE id > $1 ORDER BY id LIMIT $2"
            );
            let page: [Parameter<'_>; 2] = [&after, &size];
            return self.engine().lookup_all(select, &page, account).await;
        };
        let select = concat!(
            "SELECT ",
            columns!(),
            " FROM subjects s WHERE home_organization = $3 AND id > $1 ORDER BY id LIMIT $2"
        );
        let page: [Parameter<'_>; 3] = [&after, &size, &home.as_str()];
        self.engine().lookup_all(select, &page, account).await
    }

    async fn disable_subject(
        &self,
        id: &SubjectId,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE subjects SET disabled_at = $2, epoch = epoch + 1 WHERE id = $1 AND disabled_at IS NULL";
        let row: [Parameter<'_>; 2] = [&id.as_str(), &now.as_millis()];
        self.change_record(update, &row, event).await
    }

    async fn enable_subject(
        &self,
        id: &SubjectId,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE subjects SET disabled_at = NULL, epoch = epoch + 1 WHERE id = $1 AND disabled_at IS NOT NULL";
        self.change_record(update, &[&id.as_str()], event).await
    }

    async fn set_password(
        &self,
        id: &SubjectId,
        expected: Option<i64>,
        password_hash: &PasswordHash,
        must_change: bool,
        event: &AuditEvent,
    ) -> Result<Option<i64>, StorageError> {
        let events = NewEvents::new(slice::from_ref(event), self.engine().rng());
        let work = SetPassword::new(id, expected, password_hash, must_change, events);
        self.engine().write(&work).await
    }

    async fn add_grant(
        &self,
        subject: &SubjectId,
        organization: &OrganizationId,
        role: &str,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let row: [Parameter<'_>; 3] = [&subject.as_str(), &organization.as_str(), &role];
        self.change_record(INSERT_GRANT, &row, event).await
    }

    async fn remove_grant(
        &self,
        subject: &SubjectId,
        organization: &OrganizationId,
        role: &str,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let delete = "DELETE FROM grants WHERE subject = $1 AND organization_id = $2 AND role = $3";
        let key: [Parameter<'_>; 3] = [&subject.as_str(), &organization.as_str(), &role];
        self.change_record(delete, &key, event).await
    }

    async fn grants(&self, subject: &SubjectId) -> Result<Vec<Grant>, StorageError> {
        let select = "SELECT g.organization_id, o.domain, g.role FROM grants g JOIN organizations o ON o.id = g.organization_id
             WHERE g.subject = $1 ORDER BY g.role, g.organization_id";
        self.engine()
            .lookup_all(select, &[&subject.as_str()], grant)
            .await
    }
}

#[async_trait]
impl NewRecord for Subject {
    async fn insert(&self, transaction: &Transaction) -> Result<bool, EngineError> {
        insert_subject(transaction, self).await
    }
}

/// Inserts a subject, unless its id or its username is taken. Returns whether it did.
pub(super) async fn insert_subject(
    transaction: &Transaction,
    subject: &Subject,
) -> Result<bool, EngineError> {
    let insert =
        "INSERT INTO subjects (id, username, name, email, home_organization, password_hash, must_change_password, epoch,
            email_verified)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING";
    let inserted = transaction
        .execute(
            insert,
            &[
                &subject.id.as_str(),
                &subject.username,
                &subject.name,
                &subject.email,
                &subject.home_organization.as_str(),
                &subject.password_hash.as_ref().map(PasswordHash::as_str),
                &subject.must_change_password,
                &subject.epoch,
                &subject.email_verified,
            ],
        )
        .await?;
    Ok(inserted > 0)
}

/// Grants a role, unless it is granted already.
pub(super) const INSERT_GRANT: &str = "INSERT INTO grants (subject, organization_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";

/// Grants a role, unless it is granted already.
pub(super) async fn insert_grant(
    transaction: &Transaction,
    subject: &SubjectId,
    organization: &OrganizationId,
    role: &str,
) -> Result<(), EngineError> {
    let row: [Parameter<'_>; 3] = [&subject.as_str(), &organization.as_str(), &role];
    transaction.execute(INSERT_GRANT, &row).await?;
    Ok(())
}

fn member(row: &Row) -> Result<Member, EngineError> {
    let subject = subject(row)?;
    let home: Option<String> = row.try_get("home_domain")?;
    let home = home.map(|domain| {
        Ok::<_, EngineError>(Organization {
            id: subject.home_organization.clone(),
            name: row.try_get("home_name")?,
            name_ar: row.try_get("home_name_ar")?,
            domain,
        })
    });
    // NULL: no grants.
    let texts = |column: &str| -> Result<Vec<String>, EngineError> {
        let texts: Option<Vec<String>> = row.try_get(column)?;
        Ok(texts.unwrap_or_default())
    };
    let grants = texts("organizations")?
        .into_iter()
        .zip(texts("domains")?)
        .zip(texts("roles")?);
    let grants = grants.map(|((organization, domain), role)| Grant {
        organization: organization.into(),
        domain,
        role,
    });
    Ok(Member {
        home: home.transpose()?,
        grants: grants.collect(),
        subject,
        claims: OnceLock::new(),
    })
}

pub(super) fn account(row: &Row) -> Result<Account, EngineError> {
    Ok(Account {
        subject: subject(row)?,
        disabled_at: optional_timestamp(row, "disabled_at")?,
    })
}

pub(super) fn subject(row: &Row) -> Result<Subject, EngineError> {
    Ok(Subject {
        id: identifier(row, "id")?,
        username: row.try_get("username")?,
        name: row.try_get("name")?,
        email: row.try_get("email")?,
        email_verified: row.try_get("email_verified")?,
        home_organization: identifier(row, "home_organization")?,
        password_hash: row
            .try_get::<_, Option<String>>("password_hash")?
            .map(PasswordHash::new),
        must_change_password: row.try_get("must_change_password")?,
        epoch: row.try_get("epoch")?,
    })
}

fn grant(row: &Row) -> Result<Grant, EngineError> {
    Ok(Grant {
        organization: identifier(row, "organization_id")?,
        domain: row.try_get("domain")?,
        role: row.try_get("role")?,
    })
}
