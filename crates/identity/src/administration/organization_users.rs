//! The users of an organization, by its administrators: invitations, roles, and the end of sessions (decision 0116).

use std::time::Duration;

use invoicing_contract::{FieldViolation, SubjectId, Timestamp};
use invoicing_storage::StorageError;
use invoicing_storage::audit::{AuditEventKind, AuditedValues};
use invoicing_storage::secret::{Secret, typed_code};
use invoicing_storage::subjects::{Account, Subject};
use invoicing_storage::users::{
    Addition, CodePurpose, NewUserOutcome, PasswordCode, Removal, User,
};

use super::organization::{OrganizationAdministration, check_new_id, user_not_found};
use super::tenants::check_text;
use super::{ATTEMPTS, AdministrationError, RecordKind, Restriction};
use crate::lifetimes::{INVITATION_LIFETIME, PASSWORD_RESET_LIFETIME};
use crate::password::MAX_USERNAME_LENGTH;
use crate::password_hashing::unusable_hash;

/// A person to invite.
#[derive(Debug, Clone)]
pub(super) struct Invitation {
    /// A UUIDv7; one is made if it is empty.
    pub(super) id: String,
    pub(super) username: String,
    pub(super) name: String,
    pub(super) email: String,
    pub(super) email_verified: bool,
    pub(super) roles: Vec<String>,
}

/// A user with the code to set a password.
pub(super) struct UserWithCode {
    pub(super) user: User,
    pub(super) code: Secret,
    pub(super) expires_at: Timestamp,
}

impl OrganizationAdministration<'_> {
    /// Adds a person without a password. With `validate_only` nothing is stored, and there is no code.
    pub(super) async fn invite(
        &self,
        invitation: Invitation,
        validate_only: bool,
    ) -> Result<(User, Option<(Secret, Timestamp)>), AdministrationError> {
        let subject = self.invited_subject(&invitation).await?;
        let mut roles = invitation.roles;
        roles.sort_unstable();
        roles.dedup();
        let (code, record) = self.new_code(INVITATION_LIFETIME);
        let user = User {
            account: Account {
                subject,
                disabled_at: None,
            },
            roles,
            code: Some((CodePurpose::Invitation, record.expires_at)),
        };
        let (subject, roles) = (&user.account.subject, &user.roles);
        if validate_only {
            for taken in [subject.id.as_str(), &subject.username] {
                if self.administration.store.account(taken).await?.is_some() {
                    return Err(user_exists(taken));
                }
            }
            return Ok((user, None));
        }
        let event = |kind| {
            let event = self.administration.event(kind).subject(&subject.id);
            event.organization(self.organization())
        };
        let values = subject.audited_values();
        let invited = event(AuditEventKind::UserInvited);
        let mut events = vec![invited.difference(&AuditedValues::default(), &values)];
        events.extend(
            roles
                .iter()
                .map(|role| event(AuditEventKind::RoleGranted).detail("role", &**role)),
        );
        let store = &self.administration.store;
        let limit = self.user_limit();
        match store
            .invite_user(subject, roles, &record, limit, &events)
            .await?
        {
            NewUserOutcome::Added => Ok((user, Some((code, record.expires_at)))),
            NewUserOutcome::IdTaken => Err(user_exists(subject.id.as_str())),
            NewUserOutcome::UsernameTaken => Err(user_exists(&subject.username)),
            NewUserOutcome::UserLimit => Err(self.user_limit_reached()),
        }
    }

    async fn invited_subject(
        &self,
        invitation: &Invitation,
    ) -> Result<Subject, AdministrationError> {
        let mut violations = Vec::new();
        check_new_id(&mut violations, "userId", &invitation.id);
        let username = invitation.username.trim().to_lowercase();
        let is_separator = |character: char| character.is_whitespace() || character.is_control();
        if username.is_empty()
            || username.len() > MAX_USERNAME_LENGTH
            || username.contains(is_separator)
        {
            violations.push(FieldViolation::new(
                "username",
                "must have 1 to 254 characters without spaces",
            ));
        }
        check_text(&mut violations, "name", &invitation.name, true);
        let email = invitation.email.trim();
        if !email.is_empty() && !is_mail_address(email) {
            violations.push(FieldViolation::new("email", "must be a mail address"));
        }
        if invitation.email_verified && email.is_empty() {
            violations.push(FieldViolation::new("email", "is required to be verified"));
        }
        if let Some((_, domain)) = username.rsplit_once('@') {
            let store = &self.administration.store;
            let owner = store.organization_of_domain(domain).await?;
            if owner.is_some_and(|owner| owner != *self.organization()) {
                violations.push(FieldViolation::new(
                    "username",
                    "has the domain of another organization, which invites its people itself",
                ));
            }
        }
        for (index, role) in invitation.roles.iter().enumerate() {
            match self
                .require_grantable(&format!("roles[{index}]"), role)
                .await
            {
                Ok(()) => {}
                Err(AdministrationError::Violations(more)) => violations.extend(more),
                Err(error) => return Err(error),
            }
        }
        if !violations.is_empty() {
            return Err(AdministrationError::Violations(violations));
        }
        let id = if invitation.id.is_empty() {
            self.administration.new_id()
        } else {
            invitation.id.clone()
        };
        Ok(Subject {
            id: id.into(),
            username,
            name: invitation.name.trim().to_owned(),
            email_verified: invitation.email_verified,
            email: (!email.is_empty()).then(|| email.to_owned()),
            home_organization: self.organization().clone(),
            password_hash: Some(unusable_hash(&*self.administration.rng)),
            must_change_password: false,
            epoch: 0,
        })
    }

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
        let (code, record) = self.new_code(if is_invited {
            INVITATION_LIFETIME
        } else {
            PASSWORD_RESET_LIFETIME
        });
        let event = self.event_about(&user, AuditEventKind::PasswordReset);
        let hash = unusable_hash(&*self.administration.rng);
        let id = &user.account.subject.id;
        let store = &self.administration.store;
        if !store
            .issue_password_code(id, &hash, &record, &event)
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

    fn new_code(&self, lifetime: Duration) -> (Secret, PasswordCode) {
        let code = Secret::typed(&*self.administration.rng);
        let now = self.administration.now();
        let record = PasswordCode {
            hash: typed_code(code.expose()),
            created_at: now,
            expires_at: now.plus(lifetime),
        };
        (code, record)
    }
}

fn is_mail_address(text: &str) -> bool {
    let is_separator = |character: char| character.is_whitespace() || character.is_control();
    text.len() <= MAX_USERNAME_LENGTH
        && !text.contains(is_separator)
        && text
            .rsplit_once('@')
            .is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty())
}

const fn last_rule_manager() -> AdministrationError {
    AdministrationError::NotAllowed(Restriction::LastRuleManager)
}

const fn last_administrator() -> AdministrationError {
    AdministrationError::NotAllowed(Restriction::LastAdministrator)
}

fn user_exists(name: &str) -> AdministrationError {
    AdministrationError::Exists {
        kind: RecordKind::User,
        name: name.to_owned(),
    }
}
