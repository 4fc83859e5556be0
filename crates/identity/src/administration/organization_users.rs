//! The users of an organization, by its administrators: roles, passwords, and the end of sessions (decision 0116).

use invoicing_contract::{SubjectId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::secret::Secret;
use invoicing_storage::subjects::Subject;
use invoicing_storage::users::{Addition, CodePurpose, Removal, User};

use super::organization::{OrganizationAdministration, user_not_found};
use super::{ATTEMPTS, AdministrationError, RecordKind, Restriction};
use crate::lifetimes::{INVITATION_LIFETIME, PASSWORD_RESET_LIFETIME};
use crate::password_hashing::unusable_hash;

/// A user with the code to set a password.
pub(super) struct UserWithCode {
    pub(super) user: User,
    pub(super) code: Secret,
    pub(super) expires_at: Timestamp,
}

impl OrganizationAdministration<'_> {
    /// Grants a role to a user of the organization, by id.
    pub(super) async fn grant_by_id(
        &self,
        id: &str,
        role: &str,
    ) -> Result<User, AdministrationError> {
        self.require_grantable("role", role).await?;
        let subject = self.user(id).await?.account.subject;
        self.grant(&subject, role).await
    }

    /// Grants a role to a person of any organization, by the whole username. Nothing tells whether somebody who is disabled or a
    /// machine user has it.
    pub(super) async fn grant_by_username(
        &self,
        username: &str,
        role: &str,
    ) -> Result<User, AdministrationError> {
        self.require_grantable("role", role).await?;
        let store = &self.administration.store;
        let entered = username.trim().to_lowercase();
        let subject = store.subject_by_username(&entered).await?;
        let subject = subject.filter(|subject| !subject.is_machine());
        let is_own = subject
            .as_ref()
            .is_some_and(|subject| subject.home_organization == *self.organization());
        if !is_own {
            self.count_username().await?;
        }
        let subject = subject.ok_or_else(|| user_not_found(username))?;
        self.grant(&subject, role).await
    }

    async fn grant(&self, subject: &Subject, role: &str) -> Result<User, AdministrationError> {
        self.require_home_of_role(subject, role).await?;
        let found = self
            .administration
            .store
            .user(self.organization(), &subject.id);
        if let Some(user) = found.await? {
            self.require_rights(&user.roles).await?;
        }
        let event = self
            .administration
            .event(AuditEventKind::RoleGranted)
            .subject(&subject.id)
            .organization(self.organization())
            .detail("role", role);
        let (store, id) = (&self.administration.store, &subject.id);
        let (organization, limit) = (self.organization(), self.user_limit());
        for _attempt in 0..ATTEMPTS {
            let evaluation = self.authorizer.rule_evaluation();
            let granted = store.grant_role(organization, id, role, limit, &evaluation, &event);
            match granted.await? {
                Addition::Outdated => self.refresh_rules().await?,
                addition @ (Addition::Done
                | Addition::Present
                | Addition::UserLimit
                | Addition::UserLimitElsewhere
                | Addition::LastAdministrator
                | Addition::LastRuleManager) => return self.added(addition, id).await,
            }
        }
        Err(StorageError::Busy.into())
    }

    /// The user after an addition of a right.
    async fn added(&self, addition: Addition, id: &SubjectId) -> Result<User, AdministrationError> {
        match addition {
            Addition::Done | Addition::Present => self.user(id.as_str()).await,
            Addition::UserLimit => Err(self.user_limit_reached()),
            Addition::UserLimitElsewhere => Err(AdministrationError::NotAllowed(
                Restriction::UserLimitElsewhere,
            )),
            Addition::LastAdministrator => Err(last_administrator()),
            Addition::LastRuleManager => Err(last_rule_manager()),
            Addition::Outdated => Err(StorageError::Busy.into()),
        }
    }

    /// Decides by the rules as they are now.
    async fn refresh_rules(&self) -> Result<(), AdministrationError> {
        let basis = self.administration.store.basis().await?;
        Ok(self.authorizer.refresh(basis).await?)
    }

    /// Revokes a role in the organization.
    pub(super) async fn revoke(&self, id: &str, role: &str) -> Result<(), AdministrationError> {
        let user = self.user(id).await?;
        self.require_rights(&user.roles).await?;
        // A role can also take scopes away (decision 0112).
        let mut left = user.roles.clone();
        left.retain(|held| held != role);
        self.require_rights(&left).await?;
        let id = &user.account.subject.id;
        let event = self
            .administration
            .event(AuditEventKind::RoleRevoked)
            .subject(id)
            .organization(self.organization())
            .detail("role", role);
        let store = &self.administration.store;
        for _attempt in 0..ATTEMPTS {
            let evaluation = self.authorizer.rule_evaluation();
            let removal = store.revoke_role(self.organization(), id, role, &evaluation, &event);
            match removal.await? {
                Removal::Done => return Ok(()),
                Removal::Absent => {
                    return Err(AdministrationError::NotFound {
                        kind: RecordKind::Role,
                        name: role.to_owned(),
                    });
                }
                Removal::LastAdministrator => return Err(last_administrator()),
                Removal::LastRuleManager => return Err(last_rule_manager()),
                Removal::Outdated => self.refresh_rules().await?,
            }
        }
        Err(StorageError::Busy.into())
    }

    /// Disables a user of the organization. Nothing happens to one who is disabled.
    pub(super) async fn disable(&self, id: &str) -> Result<User, AdministrationError> {
        let user = self.other_own_user(id).await?;
        let id = &user.account.subject.id;
        let event = self.event_about(&user, AuditEventKind::UserDisabled);
        let (organization, now) = (self.organization(), self.administration.now());
        let store = &self.administration.store;
        for _attempt in 0..ATTEMPTS {
            let evaluation = self.authorizer.rule_evaluation();
            let removal = store.disable_user(organization, id, now, &evaluation, &event);
            match removal.await? {
                Removal::Done | Removal::Absent => return self.user(id.as_str()).await,
                Removal::LastAdministrator => return Err(last_administrator()),
                Removal::LastRuleManager => return Err(last_rule_manager()),
                Removal::Outdated => self.refresh_rules().await?,
            }
        }
        Err(StorageError::Busy.into())
    }

    /// Enables a user of the organization. Nothing happens to one who is enabled.
    pub(super) async fn enable(&self, id: &str) -> Result<User, AdministrationError> {
        let user = self.own_user(id).await?;
        let event = self.event_about(&user, AuditEventKind::UserEnabled);
        let id = &user.account.subject.id;
        let store = &self.administration.store;
        let enabled = store.enable_user(self.organization(), id, &event).await?;
        self.added(enabled, id).await
    }

    /// Ends all sessions and tokens of a user of the organization.
    pub(super) async fn end_sessions(&self, id: &str) -> Result<User, AdministrationError> {
        let user = self.own_user(id).await?;
        let event = self.event_about(&user, AuditEventKind::SessionsEnded);
        let id = &user.account.subject.id;
        self.administration.store.end_sessions(id, &event).await?;
        self.user(id.as_str()).await
    }

    /// Takes the password of a person of the organization away and makes a code to set another.
    pub(super) async fn reset_password(
        &self,
        id: &str,
    ) -> Result<UserWithCode, AdministrationError> {
        let user = self.other_own_user(id).await?;
        if user.account.subject.is_machine() {
            let restriction = Restriction::MachineUserHasNoPassword;
            return Err(AdministrationError::NotAllowed(restriction));
        }
        self.require_rights_of(&user.account.subject.id).await?;
        if user.account.disabled_at.is_some() {
            return Err(AdministrationError::NotAllowed(Restriction::UserIsDisabled));
        }
        let is_invited = matches!(user.code, Some((CodePurpose::Invitation, _)));
        let (code, record) = self.administration.new_code(if is_invited {
            INVITATION_LIFETIME
        } else {
            PASSWORD_RESET_LIFETIME
        });
        let event = self.event_about(&user, AuditEventKind::PasswordReset);
        let hash = unusable_hash(&*self.administration.rng);
        let id = &user.account.subject.id;
        let store = &self.administration.store;
        if !store
            .issue_password_code(id, None, &hash, &record, &event)
            .await?
        {
            return Err(user_not_found(id.as_str()));
        }
        Ok(UserWithCode {
            user: self.user(id.as_str()).await?,
            code,
            expires_at: record.expires_at,
        })
    }

    fn event_about(
        &self,
        user: &User,
        kind: AuditEventKind,
    ) -> invoicing_storage::audit::AuditEvent {
        self.administration
            .event(kind)
            .subject(&user.account.subject.id)
            .organization(self.organization())
    }
}

const fn last_rule_manager() -> AdministrationError {
    AdministrationError::NotAllowed(Restriction::LastRuleManager)
}

const fn last_administrator() -> AdministrationError {
    AdministrationError::NotAllowed(Restriction::LastAdministrator)
}
