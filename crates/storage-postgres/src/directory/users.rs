//! [`UserStore`] on PostgreSQL.

use std::slice;

use async_trait::async_trait;
use invoicing_contract::{OrganizationId, SubjectId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEvent;
use invoicing_storage::provisioning::Machine;
use invoicing_storage::secret::{PasswordHash, TokenHash};
use invoicing_storage::subjects::Subject;
use invoicing_storage::users::{
    Addition, CodePurpose, NewUserOutcome, PasswordCode, RedeemableCode, Removal, RuleEvaluation,
    User, UserFilter, UserStore,
};
use tokio_postgres::Row;

use super::additions::{AddRole, Enable};
use super::new_users::{NewUser, Rights};
use super::password_codes::{IssueCode, RedeemCode};
use super::removals::{RemoveRight, RemovedRight};
use super::right_holders::SELECT_ROLES;
use super::subjects::{account, columns, subject};
use crate::Postgres;
use crate::audit::NewEvents;
use crate::engine::{EngineError, Parameter, invalid_value, timestamp};

/// Selects the columns that [`user`] reads; $1 is the organization.
macro_rules! select_users {
    () => {
        concat!(
            "SELECT ",
            columns!(),
            ", c.purpose AS code_purpose, c.expires_at AS code_expires_at,
                ARRAY(SELECT g.role FROM grants g WHERE g.subject = s.id AND g.organization_id = $1 ORDER BY g.role) AS roles
             FROM subjects s LEFT JOIN password_codes c ON c.subject = s.id"
        )
    };
}

#[async_trait]
impl UserStore for Postgres {
    async fn invite_user(
        &self,
        subject: &Subject,
        roles: &[String],
        code: &PasswordCode,
        limit: Option<i64>,
        events: &[AuditEvent],
    ) -> Result<NewUserOutcome, StorageError> {
        let events = NewEvents::new(events, self.engine().rng());
        let work = NewUser::new(subject, Rights::Person { roles, code, limit }, events);
        self.engine().write(&work).await
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
        let work = AddRole {
            organization,
            id,
            role,
            limit,
            evaluation,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }

    async fn enable_user(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
        event: &AuditEvent,
    ) -> Result<Addition, StorageError> {
        let work = Enable {
            organization,
            id,
            events: NewEvents::new(slice::from_ref(event), self.engine().rng()),
        };
        self.engine().write(&work).await
    }

    async fn add_machine(
        &self,
        machine: &Machine,
        events: &[AuditEvent],
    ) -> Result<NewUserOutcome, StorageError> {
        let events = NewEvents::new(events, self.engine().rng());
        let Machine {
            subject,
            role,
            application,
        } = machine;
        let work = NewUser::new(subject, Rights::Machine { role, application }, events);
        self.engine().write(&work).await
    }

    async fn user(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
    ) -> Result<Option<User>, StorageError> {
        let select = concat!(
            select_users!(),
            " WHERE s.id = $2 AND (s.home_organization = $1 OR (s.password_hash IS NOT NULL
                AND EXISTS (SELECT 1 FROM grants g WHERE g.subject = s.id AND g.organization_id = $1)))"
        );
        let key: [Parameter<'_>; 2] = [&organization.as_str(), &id.as_str()];
        self.engine().lookup_one(select, &key, user).await
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
            " WHERE s.id IN (SELECT id FROM subjects WHERE home_organization = $1
                UNION SELECT subject FROM grants WHERE organization_id = $1)
             AND (s.password_hash IS NULL) = $2 AND (s.home_organization = $1 OR NOT $2) AND s.username > $3
             AND ($4 = '' OR strpos(lower(s.username), $4) > 0 OR strpos(lower(s.name), $4) > 0
                OR (s.home_organization = $1 AND strpos(lower(coalesce(s.email, '')), $4) > 0))
             AND ($5::text IS NULL OR EXISTS (SELECT 1 FROM grants g
                WHERE g.subject = s.id AND g.organization_id = $1 AND g.role = $5))
             AND ($6::text IS NULL
                OR $6 = CASE WHEN s.disabled_at IS NOT NULL THEN 'disabled' ELSE coalesce(c.purpose, 'active') END)
             ORDER BY s.username LIMIT $7"
        );
        let (text, size) = (filter.text.to_ascii_lowercase(), i64::from(size));
        let key: [Parameter<'_>; 7] = [
            &organization.as_str(),
            &filter.machines,
            &after.unwrap_or_default(),
            &text,
            &filter.role,
            &filter.state.map(|state| state.name()),
            &size,
        ];
        self.engine().lookup_all(select, &key, user).await
    }

    async fn roles_of_sign_in(
        &self,
        organization: &OrganizationId,
    ) -> Result<Vec<Vec<String>>, StorageError> {
        let key: [Parameter<'_>; 1] = [&organization.as_str()];
        let roles = |row: &Row| Ok(row.try_get("roles")?);
        self.engine().lookup_all(SELECT_ROLES, &key, roles).await
    }

    async fn issue_password_code(
        &self,
        id: &SubjectId,
        epoch: Option<i64>,
        unusable_hash: &PasswordHash,
        code: &PasswordCode,
        event: &AuditEvent,
    ) -> Result<bool, StorageError> {
        let events = NewEvents::new(slice::from_ref(event), self.engine().rng());
        let work = IssueCode::new(id, epoch, unusable_hash, code, events);
        self.engine().write(&work).await
    }

    async fn password_code(&self, username: &str) -> Result<Option<RedeemableCode>, StorageError> {
        let select = concat!(
            "SELECT ",
            columns!(),
            ", c.hash AS code_hash, c.created_at AS code_created_at, c.expires_at AS code_expires_at
             FROM subjects s JOIN password_codes c ON c.subject = s.id AND c.epoch = s.epoch
             WHERE s.username = $1 AND s.disabled_at IS NULL"
        );
        self.engine()
            .lookup_one(select, &[&username], |row| {
                let hash = TokenHash::from_bytes(row.try_get("code_hash")?);
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
        let events = NewEvents::new(slice::from_ref(event), self.engine().rng());
        let work = RedeemCode::new(id, code, password_hash, now, events);
        self.engine().write(&work).await
    }

    async fn end_sessions(&self, id: &SubjectId, event: &AuditEvent) -> Result<bool, StorageError> {
        let update = "UPDATE subjects SET epoch = epoch + 1 WHERE id = $1";
        self.change_record(update, &[&id.as_str()], event).await
    }

    async fn revoke_role(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
        role: &str,
        evaluation: &RuleEvaluation,
        event: &AuditEvent,
    ) -> Result<Removal, StorageError> {
        let events = NewEvents::new(slice::from_ref(event), self.engine().rng());
        let work = RemoveRight::new(
            organization,
            id,
            RemovedRight::Role(role),
            evaluation,
            events,
        );
        self.engine().write(&work).await
    }

    async fn disable_user(
        &self,
        organization: &OrganizationId,
        id: &SubjectId,
        now: Timestamp,
        evaluation: &RuleEvaluation,
        event: &AuditEvent,
    ) -> Result<Removal, StorageError> {
        let events = NewEvents::new(slice::from_ref(event), self.engine().rng());
        let work = RemoveRight::new(
            organization,
            id,
            RemovedRight::SignIn { now },
            evaluation,
            events,
        );
        self.engine().write(&work).await
    }
}

fn user(row: &Row) -> Result<User, EngineError> {
    let purpose: Option<&str> = row.try_get("code_purpose")?;
    let code = purpose.map(|purpose| {
        let purpose = CodePurpose::named(purpose)
            .ok_or_else(|| invalid_value(purpose, "purpose of a code"))?;
        Ok::<_, EngineError>((purpose, timestamp(row, "code_expires_at")?))
    });
    Ok(User {
        account: account(row)?,
        roles: row.try_get("roles")?,
        code: code.transpose()?,
    })
}
