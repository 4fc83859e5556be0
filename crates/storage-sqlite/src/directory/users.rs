//! [`UserStore`] on SQLite.

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, SubjectId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::additions::{add_role, enable, is_above_limit};
use super::applications::insert_application;
use super::password_codes::upsert_code;
use super::removals::{RemovedRight, remove_right};
use super::right_holders::{Change, Refusal, SELECT_ROLES, keep_right_holders, roles};
use super::subjects::{account, insert_grant, insert_subject, subject};
use crate::engine::{TransactionEnd, invalid_value, timestamp};
use crate::{Sqlite, audit};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::provisioning::Machine;
use invoicing_storage::secret::{PasswordHash, TokenHash};
use invoicing_storage::subjects::Subject;
use invoicing_storage::users::{
    Addition, CodePurpose, NewUserOutcome, PasswordCode, RedeemableCode, Removal, RuleEvaluation,
    User, UserFilter, UserStore,
};

/// The columns that [`account`] reads, of the table `s`.
macro_rules! columns {
    () => {
        "s.id, s.username, s.name, s.email, s.home_organization, s.password_hash, s.must_change_password, s.epoch, s.disabled_at,
         s.email_verified"
    };
}

/// Selects the columns that [`user`] reads; ?1 is the organization.
macro_rules! select_users {
    () => {
        concat!(
            "SELECT ",
            columns!(),
            ", c.purpose AS code_purpose, c.expires_at AS code_expires_at,
                (SELECT group_concat(g.role, ' ' ORDER BY g.role) FROM grants g
                    WHERE g.subject = s.id AND g.organization_id = ?1) AS roles
             FROM subjects s LEFT JOIN password_codes c ON c.subject = s.id"
        )
    };
}

#[async_trait]
impl UserStore for Sqlite {
    async fn invite_user(
        &self,
        subject: &Subject,
        roles: &[String],
        code: &PasswordCode,
        limit: Option<i64>,
        events: &[AuditEvent],
    ) -> Result<NewUserOutcome, StorageError> {
        let (subject, roles) = (subject.clone(), roles.to_vec());
        let (code, events) = (code.clone(), events.to_vec());
        self.engine()
            .write(move |transaction| {
                if is_above_limit(transaction, &subject.home_organization, &subject.id, limit)? {
                    return Ok(NewUserOutcome::UserLimit);
                }
                let outcome = insert_new_user(transaction, &subject)?;
                if outcome != NewUserOutcome::Added {
                    return Ok(outcome);
                }
                for role in &roles {
                    insert_grant(transaction, &subject.id, &subject.home_organization, role)?;
                }
                upsert_code(
                    transaction,
                    &subject.id,
                    CodePurpose::Invitation,
                    subject.epoch,
                    &code,
                )?;
                for event in &events {
                    audit::record_event(transaction, event)?;
                }
                Ok(outcome)
            })
            .await
    }

    async fn grant_role(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
        role: &str,
        limit: Option<i64>,
        evaluation: &RuleEvaluation,
        event: &AuditEvent,
    ) -> Result<Addition, StorageError> {
        let (organization, id, event) = (organization.clone(), id.clone(), event.clone());
        let (role, evaluation) = (role.to_owned(), evaluation.clone());
        self.engine()
            .transact(move |transaction| {
                let refused = |refusal| match refusal {
                    Refusal::LastAdministrator => Addition::LastAdministrator,
                    Refusal::LastRuleManager => Addition::LastRuleManager,
                    Refusal::Outdated => Addition::Outdated,
                };
                keep_right_holders(
                    transaction,
                    &organization,
                    Change::Roles,
                    &evaluation,
                    refused,
                    || add_role(transaction, &organization, &id, &role, limit, &event),
                )
            })
            .await
    }

    async fn enable_user(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
        event: &AuditEvent,
    ) -> Result<Addition, StorageError> {
        let (organization, id, event) = (organization.clone(), id.clone(), event.clone());
        self.engine()
            .write(move |transaction| enable(transaction, &organization, &id, &event))
            .await
    }

    async fn add_machine(
        &self,
        machine: &Machine,
        events: &[AuditEvent],
    ) -> Result<NewUserOutcome, StorageError> {
        let (machine, events) = (machine.clone(), events.to_vec());
        self.engine()
            .transact(move |transaction| {
                let Machine {
                    subject,
                    role,
                    application,
                } = &machine;
                let outcome = insert_new_user(transaction, subject)?;
                if outcome != NewUserOutcome::Added {
                    return Ok(TransactionEnd::Rollback(outcome));
                }
                insert_grant(transaction, &subject.id, &subject.home_organization, role)?;
                if !insert_application(transaction, application)? {
                    return Ok(TransactionEnd::Rollback(NewUserOutcome::IdTaken));
                }
                for event in &events {
                    audit::record_event(transaction, event)?;
                }
                Ok(TransactionEnd::Commit(outcome))
            })
            .await
    }

    async fn user(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
    ) -> Result<Option<User>, StorageError> {
        let select = concat!(
            select_users!(),
            " WHERE s.id = ?2 AND (s.home_organization = ?1 OR (s.password_hash IS NOT NULL
                AND EXISTS (SELECT 1 FROM grants g WHERE g.subject = s.id AND g.organization_id = ?1)))"
        );
        self.engine()
            .lookup_one(select, [organization.as_str(), id.as_str()], user)
            .await
    }

    async fn users(
        &self,
        organization: &OrganizationId,
        filter: &UserFilter,
        after: Option<&str>,
        size: u32,
    ) -> Result<Vec<User>, StorageError> {
        let select = concat!(
            select_users!(),
            " WHERE s.id IN (SELECT id FROM subjects WHERE home_organization = ?1
                UNION SELECT subject FROM grants WHERE organization_id = ?1)
             AND (s.password_hash IS NULL) = ?2 AND (s.home_organization = ?1 OR NOT ?2) AND s.username > ?3
             AND (?4 = '' OR instr(lower(s.username), ?4) > 0 OR instr(lower(s.name), ?4) > 0
                OR (s.home_organization = ?1 AND instr(lower(coalesce(s.email, '')), ?4) > 0))
             AND (?5 IS NULL OR EXISTS (SELECT 1 FROM grants g
                WHERE g.subject = s.id AND g.organization_id = ?1 AND g.role = ?5))
             AND (?6 IS NULL OR ?6 = CASE WHEN s.disabled_at IS NOT NULL THEN 'disabled' ELSE coalesce(c.purpose, 'active') END)
             ORDER BY s.username LIMIT ?7"
        );
        let key = (
            organization.as_str(),
            filter.machines,
            after.unwrap_or_default(),
            filter.text.to_ascii_lowercase(),
            filter.role.as_deref(),
            filter.state.map(|state| state.name()),
            size,
        );
        self.engine().lookup_all(select, key, user).await
    }

    async fn roles_of_sign_in(
        &self,
        organization: &OrganizationId,
    ) -> Result<Vec<Vec<String>>, StorageError> {
        let key = [organization.as_str()];
        self.engine().lookup_all(SELECT_ROLES, key, roles).await
    }

    async fn issue_password_code(
        &self,
        id: &SubjectId,
        epoch: Option<i64>,
        unusable_hash: &PasswordHash,
        code: &PasswordCode,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let (id, hash) = (id.clone(), unusable_hash.as_str().to_owned());
        let (code, event) = (code.clone(), event.clone());
        self.engine()
            .write(move |transaction| {
                let update = "UPDATE subjects SET password_hash = ?2, must_change_password = FALSE, epoch = epoch + 1
                     WHERE id = ?1 AND password_hash IS NOT NULL AND (?3 IS NULL OR epoch = ?3) RETURNING epoch";
                let begun: Option<i64> = transaction
                    .prepare_cached(update)?
                    .query_row((id.as_str(), hash, epoch), |row| row.get(0))
                    .optional()?;
                let Some(epoch) = begun else {
                    return Ok(false);
                };
                upsert_code(transaction, &id, CodePurpose::Reset, epoch, &code)?;
                audit::record_event(transaction, &event)?;
                Ok(true)
            })
            .await
    }

    async fn password_code(&self, username: &str) -> Result<Option<RedeemableCode>, StorageError> {
        let select = concat!(
            "SELECT ",
            columns!(),
            ", c.hash AS code_hash, c.created_at AS code_created_at, c.expires_at AS code_expires_at
             FROM subjects s JOIN password_codes c ON c.subject = s.id AND c.epoch = s.epoch
             WHERE s.username = ?1 AND s.disabled_at IS NULL"
        );
        self.engine()
            .lookup_one(select, [username], |row| {
                let hash = TokenHash::from_bytes(row.get_ref("code_hash")?.as_blob()?);
                Ok(RedeemableCode {
                    subject: subject(row)?,
                    code: PasswordCode {
                        hash: hash.ok_or_else(|| invalid_value("of another length", "hash"))?,
                        created_at: timestamp(row, "code_created_at")?,
                        expires_at: timestamp(row, "code_expires_at")?,
                    },
                })
            })
            .await
    }

    async fn redeem_password_code(
        &self,
        id: &SubjectId,
        code: &TokenHash,
        password_hash: &PasswordHash,
        now: Timestamp,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let (id, code) = (id.clone(), code.clone());
        let (password_hash, event) = (password_hash.as_str().to_owned(), event.clone());
        self.engine()
            .write(move |transaction| {
                let delete = "DELETE FROM password_codes WHERE subject = ?1 AND hash = ?2 AND expires_at > ?3
                     AND epoch = (SELECT epoch FROM subjects WHERE id = ?1 AND disabled_at IS NULL)";
                let deleted = transaction.prepare_cached(delete)?.execute((
                    id.as_str(),
                    code.as_bytes(),
                    now.as_millis(),
                ))?;
                if deleted == 0 {
                    return Ok(false);
                }
                let update = "UPDATE subjects SET password_hash = ?2, must_change_password = FALSE, epoch = epoch + 1 WHERE id = ?1";
                transaction
                    .prepare_cached(update)?
                    .execute((id.as_str(), password_hash))?;
                audit::record_event(transaction, &event)?;
                Ok(true)
            })
            .await
    }

    async fn end_sessions(&self, id: &SubjectId, event: &AuditEvent) -> Result<bool, StorageError> {
        let update = "UPDATE subjects SET epoch = epoch + 1 WHERE id = ?1";
        self.execute_audited(update, [id.as_str().to_owned()], event)
            .await
    }

    async fn revoke_role(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
        role: &str,
        evaluation: &RuleEvaluation,
        event: &AuditEvent,
    ) -> Result<Removal, StorageError> {
        let (organization, id) = (organization.clone(), id.clone());
        let (role, event) = (role.to_owned(), event.clone());
        let evaluation = evaluation.clone();
        self.engine()
            .transact(move |transaction| {
                let right = RemovedRight::Role(&role);
                remove_right(transaction, &organization, &id, right, &evaluation, &event)
            })
            .await
    }

    async fn disable_user(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
        now: Timestamp,
        evaluation: &RuleEvaluation,
        event: &AuditEvent,
    ) -> Result<Removal, StorageError> {
        let (organization, id, event) = (organization.clone(), id.clone(), event.clone());
        let evaluation = evaluation.clone();
        self.engine()
            .transact(move |transaction| {
                let right = RemovedRight::SignIn { now };
                remove_right(transaction, &organization, &id, right, &evaluation, &event)
            })
            .await
    }
}

/// Inserts a subject, unless its id or its username is taken.
fn insert_new_user(connection: &Connection, subject: &Subject) -> rusqlite::Result<NewUserOutcome> {
    if insert_subject(connection, subject)? {
        return Ok(NewUserOutcome::Added);
    }
    let taken: bool = connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM subjects WHERE id = ?1)")?
        .query_row([subject.id.as_str()], |row| row.get(0))?;
    Ok(if taken {
        NewUserOutcome::IdTaken
    } else {
        NewUserOutcome::UsernameTaken
    })
}

fn user(row: &Row<'_>) -> rusqlite::Result<User> {
    let purpose: Option<String> = row.get("code_purpose")?;
    let code = purpose.map(|purpose| {
        let purpose = CodePurpose::named(&purpose)
            .ok_or_else(|| invalid_value(&purpose, "purpose of a code"))?;
        Ok::<_, rusqlite::Error>((purpose, timestamp(row, "code_expires_at")?))
    });
    let roles = row.get_ref("roles")?.as_str_or_null()?.unwrap_or_default();
    Ok(User {
        account: account(row)?,
        roles: roles.split_whitespace().map(str::to_owned).collect(),
        code: code.transpose()?,
    })
}
