//! [`SubjectStore`] on SQLite.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, SubjectId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::password_codes::delete_code;
use crate::Sqlite;
use crate::audit;
use crate::engine::{identifier, optional_timestamp};
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::directory::DirectoryStore as _;
use invoicing_storage::secret::PasswordHash;
use invoicing_storage::subjects::{Account, Grant, Member, Subject, SubjectStore};
use invoicing_storage::{Basis, StorageError};

/// Selects the columns that [`account`] and [`subject`] read.
macro_rules! select_subjects {
    () => {
        "SELECT id, username, name, email, home_organization, password_hash, must_change_password, epoch, disabled_at, email_verified
         FROM subjects"
    };
}

#[async_trait]
impl SubjectStore for Sqlite {
    async fn add_subject(
        &self,
        subject: &Subject,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let (subject, event) = (subject.clone(), event.clone());
        self.engine()
            .write(move |transaction| {
                let inserted = insert_subject(transaction, &subject)?;
                if inserted {
                    audit::record_event(transaction, &event)?;
                }
                Ok(inserted)
            })
            .await
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
        let select = concat!(select_subjects!(), " WHERE id = ?1 AND disabled_at IS NULL");
        let Some(subject) = self
            .engine()
            .lookup_one(select, [id.as_str()], subject)
            .await?
        else {
            return Ok(None);
        };
        let member = Arc::new(Member {
            home: self.organization(&subject.home_organization).await?,
            grants: self.grants(id).await?.into(),
            subject,
            claims: OnceLock::new(),
        });
        cache.insert(id.as_str(), basis, &member);
        Ok(Some(member))
    }

    async fn subject_by_username(&self, username: &str) -> Result<Option<Subject>, StorageError> {
        let select = concat!(
            select_subjects!(),
            " WHERE username = ?1 AND disabled_at IS NULL"
        );
        self.engine().lookup_one(select, [username], subject).await
    }

    async fn account(&self, name: &str) -> Result<Option<Account>, StorageError> {
        let select = concat!(select_subjects!(), " WHERE id = ?1 OR username = ?1");
        self.engine().lookup_one(select, [name], account).await
    }

    async fn accounts_with_ids(
        &self,
        ids: &BTreeSet<SubjectId>,
    ) -> Result<Vec<Account>, StorageError> {
        let select = concat!(
            select_subjects!(),
            " WHERE id IN (SELECT value FROM json_each(?1)) ORDER BY id"
        );
        let ids: serde_json::Value = ids.iter().map(SubjectId::as_str).collect();
        self.engine()
            .lookup_all(select, [ids.to_string()], account)
            .await
    }

    async fn accounts(
        &self,
        home_organization: Option<&OrganizationId>,
        after: Option<&SubjectId>,
        size: u32,
    ) -> Result<Vec<Account>, StorageError> {
        let select = concat!(
            select_subjects!(),
            " WHERE id > ?1 AND (?2 IS NULL OR home_organization = ?2) ORDER BY id LIMIT ?3"
        );
        let key = (
            after.map_or("", SubjectId::as_str),
            home_organization.map(OrganizationId::as_str),
            size,
        );
        self.engine().lookup_all(select, key, account).await
    }

    async fn disable_subject(
        &self,
        id: &SubjectId,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE subjects SET disabled_at = ?2, epoch = epoch + 1 WHERE id = ?1 AND disabled_at IS NULL";
        self.execute_audited(update, (id.as_str().to_owned(), now.as_millis()), event)
            .await
    }

    async fn enable_subject(
        &self,
        id: &SubjectId,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let update = "UPDATE subjects SET disabled_at = NULL, epoch = epoch + 1 WHERE id = ?1 AND disabled_at IS NOT NULL";
        self.execute_audited(update, [id.as_str().to_owned()], event)
            .await
    }

    async fn set_password(
        &self,
        id: &SubjectId,
        expected: Option<i64>,
        password_hash: &PasswordHash,
        must_change: bool,
        event: &AuditEvent,
    ) -> Result<Option<i64>, StorageError> {
        let row = (
            id.as_str().to_owned(),
            password_hash.as_str().to_owned(),
            must_change,
            expected,
        );
        let (id, event) = (id.as_str().to_owned(), event.clone());
        self.engine()
            .write(move |transaction| {
                let mut update = transaction.prepare_cached(
                    "UPDATE subjects SET password_hash = ?2, must_change_password = ?3, epoch = epoch + 1
                     WHERE id = ?1 AND password_hash IS NOT NULL AND (?4 IS NULL OR epoch = ?4) RETURNING epoch",
                )?;
                let epoch = update.query_row(row, |row| row.get(0)).optional()?;
                if epoch.is_some() {
                    delete_code(transaction, &id)?;
                    audit::record_event(transaction, &event)?;
                }
                Ok(epoch)
            })
            .await
    }

    async fn add_grant(
        &self,
        subject: &SubjectId,
        organization: &OrganizationId,
        role: &str,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let row = (
            subject.as_str().to_owned(),
            organization.as_str().to_owned(),
            role.to_owned(),
        );
        self.execute_audited(INSERT_GRANT, row, event).await
    }

    async fn remove_grant(
        &self,
        subject: &SubjectId,
        organization: &OrganizationId,
        role: &str,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let delete = "DELETE FROM grants WHERE subject = ?1 AND organization_id = ?2 AND role = ?3";
        let key = (
            subject.as_str().to_owned(),
            organization.as_str().to_owned(),
            role.to_owned(),
        );
        self.execute_audited(delete, key, event).await
    }

    async fn grants(&self, subject: &SubjectId) -> Result<Vec<Grant>, StorageError> {
        let select = "SELECT g.organization_id, o.domain, g.role FROM grants g JOIN organizations o ON o.id = g.organization_id
             WHERE g.subject = ?1 ORDER BY g.role, g.organization_id";
        self.engine()
            .lookup_all(select, [subject.as_str()], grant)
            .await
    }
}

/// Inserts a subject, unless its id or its username is taken. Returns whether it did.
pub(crate) fn insert_subject(connection: &Connection, subject: &Subject) -> rusqlite::Result<bool> {
    let insert =
        "INSERT INTO subjects (id, username, name, email, home_organization, password_hash, must_change_password, epoch,
            email_verified)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING";
    let inserted = connection.prepare_cached(insert)?.execute(params![
        subject.id.as_str(),
        subject.username,
        subject.name,
        subject.email,
        subject.home_organization.as_str(),
        subject.password_hash.as_ref().map(PasswordHash::as_str),
        subject.must_change_password,
        subject.epoch,
        subject.email_verified
    ])?;
    Ok(inserted > 0)
}

/// Grants a role, unless it is granted already.
pub(super) const INSERT_GRANT: &str = "INSERT INTO grants (subject, organization_id, role) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";

/// Grants a role, unless it is granted already.
pub(crate) fn insert_grant(
    connection: &Connection,
    subject: &SubjectId,
    organization: &OrganizationId,
    role: &str,
) -> rusqlite::Result<()> {
    let row = (subject.as_str(), organization.as_str(), role);
    connection.prepare_cached(INSERT_GRANT)?.execute(row)?;
    Ok(())
}

pub(super) fn account(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        subject: subject(row)?,
        disabled_at: optional_timestamp(row, 8)?,
    })
}

pub(super) fn subject(row: &Row<'_>) -> rusqlite::Result<Subject> {
    Ok(Subject {
        id: identifier(row, 0)?,
        username: row.get(1)?,
        name: row.get(2)?,
        email: row.get(3)?,
        email_verified: row.get(9)?,
        home_organization: identifier(row, 4)?,
        password_hash: row.get::<_, Option<String>>(5)?.map(PasswordHash::new),
        must_change_password: row.get(6)?,
        epoch: row.get(7)?,
    })
}

fn grant(row: &Row<'_>) -> rusqlite::Result<Grant> {
    Ok(Grant {
        organization: identifier(row, 0)?,
        domain: row.get(1)?,
        role: row.get(2)?,
    })
}
