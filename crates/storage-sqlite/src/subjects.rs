//! [`SubjectStore`] on SQLite.

use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use rusqlite::Row;

use super::{Sqlite, Statement};
use invoicing_storage::StorageError;
use invoicing_storage::audit::Entry;
use invoicing_storage::directory::DirectoryStore as _;
use invoicing_storage::subjects::{Account, Grant, Member, Subject, SubjectStore};

#[async_trait]
impl SubjectStore for Sqlite {
    async fn add_subject(&self, subject: &Subject, entry: &Entry) -> Result<bool, StorageError> {
        self.change(adding(subject), entry).await
    }

    async fn member(&self, id: &str) -> Result<Option<Arc<Member>>, StorageError> {
        let generation = self.generation().await?;
        if let Some(kept) = self.kept().members.get(id, generation) {
            return Ok(Some(kept));
        }
        let select = "SELECT * FROM subjects WHERE id = ?1 AND disabled_at IS NULL";
        let Some(subject) = self.engine().lookup_one(select, [id], subject).await? else {
            return Ok(None);
        };
        let member = Arc::new(Member {
            home: self
                .organization(&subject.home_organization.as_str().into())
                .await?,
            grants: self.grants(id).await?.into(),
            subject,
            claims: OnceLock::new(),
        });
        self.kept().members.keep(id, generation, &member);
        Ok(Some(member))
    }

    async fn subject_by_username(&self, username: &str) -> Result<Option<Subject>, StorageError> {
        let select = "SELECT * FROM subjects WHERE username = ?1 AND disabled_at IS NULL";
        self.engine().lookup_one(select, [username], subject).await
    }

    async fn account(&self, name: &str) -> Result<Option<Account>, StorageError> {
        let select = "SELECT * FROM subjects WHERE id = ?1 OR username = ?1";
        self.engine().lookup_one(select, [name], account).await
    }

    async fn accounts(
        &self,
        home_organization: Option<&str>,
        after: Option<&str>,
        size: u32,
    ) -> Result<Vec<Account>, StorageError> {
        let select = "SELECT * FROM subjects WHERE id > ?1 AND (?2 IS NULL OR home_organization = ?2) ORDER BY id LIMIT ?3";
        let key = (after.unwrap_or_default(), home_organization, size);
        self.engine().lookup_all(select, key, account).await
    }

    async fn disable_subject(
        &self,
        id: &str,
        now: i64,
        entry: &Entry,
    ) -> Result<bool, StorageError> {
        // From the next millisecond on: what was given out in this one is dead too.
        let update = sqlx::query(
            "UPDATE subjects SET disabled_at = $2, valid_from = $2 + 1 WHERE id = $1 AND disabled_at IS NULL",
        );
        self.change(update.bind(id).bind(now), entry).await
    }

    async fn enable_subject(&self, id: &str, entry: &Entry) -> Result<bool, StorageError> {
        let update = sqlx::query(
            "UPDATE subjects SET disabled_at = NULL WHERE id = $1 AND disabled_at IS NOT NULL",
        );
        self.change(update.bind(id), entry).await
    }

    async fn set_password(
        &self,
        id: &str,
        password_hash: &str,
        must_change: bool,
        now: i64,
        entry: &Entry,
    ) -> Result<bool, StorageError> {
        let update = sqlx::query(
            "UPDATE subjects SET password_hash = $2, must_change_password = $3, valid_from = $4
             WHERE id = $1 AND password_hash IS NOT NULL",
        )
        .bind(id)
        .bind(password_hash)
        .bind(must_change)
        .bind(now);
        self.change(update, entry).await
    }

    async fn add_grant(
        &self,
        subject: &str,
        organization: &str,
        role: &str,
        entry: &Entry,
    ) -> Result<bool, StorageError> {
        self.change(granting(subject, organization, role), entry)
            .await
    }

    async fn remove_grant(
        &self,
        subject: &str,
        organization: &str,
        role: &str,
        entry: &Entry,
    ) -> Result<bool, StorageError> {
        let delete = sqlx::query(
            "DELETE FROM grants WHERE subject = $1 AND organization_id = $2 AND role = $3",
        );
        self.change(delete.bind(subject).bind(organization).bind(role), entry)
            .await
    }

    async fn grants(&self, subject: &str) -> Result<Vec<Grant>, StorageError> {
        let select = "SELECT g.organization_id, o.domain, g.role FROM grants g JOIN organizations o ON o.id = g.organization_id
             WHERE g.subject = ?1 ORDER BY g.role, g.organization_id";
        self.engine().lookup_all(select, [subject], grant).await
    }
}

/// Adds a subject, unless there is one with its id or its username.
pub(super) fn adding(subject: &Subject) -> Statement<'_> {
    sqlx::query(
        "INSERT INTO subjects (id, username, name, email, home_organization, password_hash, must_change_password,
            valid_from)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
    )
    .bind(&subject.id)
    .bind(&subject.username)
    .bind(&subject.name)
    .bind(&subject.email)
    .bind(&subject.home_organization)
    .bind(&subject.password_hash)
    .bind(subject.must_change_password)
    .bind(subject.valid_from)
}

/// Grants a role, unless it is held.
pub(super) fn granting<'q>(
    subject: &'q str,
    organization: &'q str,
    role: &'q str,
) -> Statement<'q> {
    sqlx::query(
        "INSERT INTO grants (subject, organization_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    )
    .bind(subject)
    .bind(organization)
    .bind(role)
}

fn account(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        subject: subject(row)?,
        disabled_at: row.get("disabled_at")?,
    })
}

/// A row of `subjects`.
pub(super) fn subject(row: &Row<'_>) -> rusqlite::Result<Subject> {
    Ok(Subject {
        id: row.get("id")?,
        username: row.get("username")?,
        name: row.get("name")?,
        email: row.get("email")?,
        home_organization: row.get("home_organization")?,
        password_hash: row.get("password_hash")?,
        must_change_password: row.get("must_change_password")?,
        valid_from: row.get("valid_from")?,
    })
}

fn grant(row: &Row<'_>) -> rusqlite::Result<Grant> {
    Ok(Grant {
        organization: row.get("organization_id")?,
        domain: row.get("domain")?,
        role: row.get("role")?,
    })
}
