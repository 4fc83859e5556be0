//! Invitations of people: by the administrators of an organization, and of the first administrator of a tenant by an operator
//! (decision 0116).

use std::time::Duration;

use invoicing_contract::{FieldViolation, OrganizationId, Timestamp};
use invoicing_storage::audit::{AuditEventKind, AuditedValues};
use invoicing_storage::secret::{Secret, typed_code};
use invoicing_storage::subjects::{Account, Subject};
use invoicing_storage::users::{
    CodePurpose, NewUserOutcome, PasswordCode, RightOfRoles, User, UserState,
};

use super::organization::{OrganizationAdministration, check_new_id};
use super::tenants::{check_text, domain_name_of_any_spelling};
use super::users::username_problem;
use super::{Administration, AdministrationError, RecordKind, Restriction};
use crate::lifetimes::INVITATION_LIFETIME;
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

/// An invited person, with the code to set a password and when it expires; without one if nothing was stored.
pub(super) type Invited = (User, Option<(Secret, Timestamp)>);

impl OrganizationAdministration<'_> {
    /// Adds a person without a password. With `validate_only` nothing is stored, and there is no code.
    pub(super) async fn invite(
        &self,
        invitation: Invitation,
        validate_only: bool,
    ) -> Result<Invited, AdministrationError> {
        let administration = &self.administration;
        let drafted = administration.draft_person(&invitation, self.organization());
        let (subject, mut violations) = drafted.await?;
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
        if validate_only {
            let account = administration.store.account(&subject.username).await?;
            let is_own = account.is_some_and(|account| {
                account.subject.home_organization == subject.home_organization
            });
            if !is_own {
                self.count_username().await?;
            }
        }
        let limit = self.user_limit();
        administration
            .invite(subject, invitation.roles, limit, validate_only)
            .await
    }

    /// Adds an administrator, with the one role of the invitation, to a tenant that nobody who can sign in administers. Of a person who
    /// was invited so before the code is made anew: its response can have been lost, and nobody else could do it.
    pub(super) async fn invite_administrator(
        &self,
        organization: &OrganizationId,
        invitation: Invitation,
        validate_only: bool,
    ) -> Result<Invited, AdministrationError> {
        if organization == self.organization() {
            // Its administrators could have more rights than the operator who invites them.
            return Err(AdministrationError::RightsMissing);
        }
        let administration = &self.administration;
        let tenant = administration.tenant(organization.as_str()).await?;
        let organization = &tenant.organization.id;
        let drafted = administration.draft_person(&invitation, organization);
        let (subject, mut violations) = drafted.await?;
        let administers = self.authorizer.rule_evaluation().administers;
        if !administers(&invitation.roles) {
            violations.push(FieldViolation::new(
                "role",
                "must be a role that gives people access by the rules",
            ));
        }
        if !violations.is_empty() {
            return Err(AdministrationError::Violations(violations));
        }
        loop {
            let held = administration.store.roles_of_sign_in(organization).await?;
            if held.iter().any(|roles| administers(roles)) {
                return Err(AdministrationError::NotAllowed(
                    Restriction::TenantHasAdministrator,
                ));
            }
            let invited = administration
                .invited_administrator(organization, &subject.username, &*administers)
                .await?;
            match invited {
                Some(user) if validate_only => return Ok((user, None)),
                Some(user) => {
                    // If the person has set a password meanwhile, or somebody else has renewed the invitation, the decision is made again.
                    if let Some(renewed) = administration.renew_invitation(user).await? {
                        return Ok(renewed);
                    }
                }
                None => {
                    let (roles, limit) = (invitation.roles, tenant.limits().users);
                    return administration
                        .invite(subject, roles, limit, validate_only)
                        .await;
                }
            }
        }
    }
}

impl Administration {
    /// The person of an invitation to an organization, and what is wrong with it besides the roles.
    pub(super) async fn draft_person(
        &self,
        invitation: &Invitation,
        organization: &OrganizationId,
    ) -> Result<(Subject, Vec<FieldViolation>), AdministrationError> {
        let mut violations = Vec::new();
        check_new_id(&mut violations, "userId", &invitation.id);
        let username = invitation.username.trim().to_lowercase();
        if let Some(problem) = username_problem(&username) {
            violations.push(FieldViolation::new("username", problem));
        }
        check_text(&mut violations, "name", &invitation.name, true);
        let email = invitation.email.trim();
        let email_domain = domain_of_mail_address(email);
        if !email.is_empty() && email_domain.is_none() {
            violations.push(FieldViolation::new("email", "must be a mail address"));
        }
        if invitation.email_verified {
            let owner = match &email_domain {
                Some(domain) => self.store.organization_of_domain(domain).await?,
                None => None,
            };
            if email.is_empty() {
                violations.push(FieldViolation::new("email", "is required to be verified"));
            } else if owner.as_ref() != Some(organization) {
                violations.push(FieldViolation::new(
                    "emailVerified",
                    "is for addresses of the domains of the organization only",
                ));
            }
        }
        if let Some(domain) = domain_of_username(&username) {
            let owner = self.store.organization_of_domain(&domain).await?;
            if owner.is_some_and(|owner| owner != *organization) {
                violations.push(FieldViolation::new(
                    "username",
                    "has the domain of another organization, which invites its people itself",
                ));
            }
        }
        let id = if invitation.id.is_empty() {
            self.new_id()
        } else {
            invitation.id.clone()
        };
        let subject = Subject {
            id: id.into(),
            username,
            name: invitation.name.trim().to_owned(),
            email_verified: invitation.email_verified,
            email: (!email.is_empty()).then(|| email.to_owned()),
            home_organization: organization.clone(),
            password_hash: Some(unusable_hash(&*self.rng)),
            must_change_password: false,
            epoch: 0,
        };
        Ok((subject, violations))
    }

    /// Stores a person without a password, with the code to set one. With `validate_only` nothing is stored.
    pub(super) async fn invite(
        &self,
        subject: Subject,
        mut roles: Vec<String>,
        limit: Option<i64>,
        validate_only: bool,
    ) -> Result<Invited, AdministrationError> {
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
                if self.store.account(taken).await?.is_some() {
                    return Err(user_exists(taken));
                }
            }
            return Ok((user, None));
        }
        let event = |kind| {
            let event = self.event(kind).subject(&subject.id);
            event.organization(&subject.home_organization)
        };
        let values = subject.audited_values();
        let invited = event(AuditEventKind::UserInvited);
        let mut events = vec![invited.difference(&AuditedValues::default(), &values)];
        events.extend(
            roles
                .iter()
                .map(|role| event(AuditEventKind::RoleGranted).detail("role", &**role)),
        );
        let invited = self
            .store
            .invite_user(subject, roles, &record, limit, &events);
        match invited.await? {
            NewUserOutcome::Added => Ok((user, Some((code, record.expires_at)))),
            NewUserOutcome::IdTaken => Err(user_exists(subject.id.as_str())),
            NewUserOutcome::UsernameTaken => Err(user_exists(&subject.username)),
            NewUserOutcome::UserLimit => Err(AdministrationError::UserLimit {
                organization: subject.home_organization.clone(),
                limit: limit.unwrap_or_default(),
            }),
        }
    }

    /// The person of an organization who was invited with roles that administer, and has not set a password.
    async fn invited_administrator(
        &self,
        organization: &OrganizationId,
        username: &str,
        administers: &RightOfRoles,
    ) -> Result<Option<User>, AdministrationError> {
        let Some(account) = self.store.account(username).await? else {
            return Ok(None);
        };
        let user = self.store.user(organization, &account.subject.id).await?;
        Ok(user.filter(|user| {
            user.account.subject.home_organization == *organization
                && user.state() == UserState::Invited
                && administers(&user.roles)
        }))
    }

    /// Replaces the code of an invited person. `None`, and nothing is written, if the account has changed since `user` was read: whoever has
    /// set a password is not reset.
    async fn renew_invitation(&self, user: User) -> Result<Option<Invited>, AdministrationError> {
        let (code, record) = self.new_code(INVITATION_LIFETIME);
        let subject = &user.account.subject;
        let event = self
            .event(AuditEventKind::PasswordReset)
            .subject(&subject.id)
            .organization(&subject.home_organization);
        let hash = unusable_hash(&*self.rng);
        let issued = self.store.issue_password_code(
            &subject.id,
            Some(subject.epoch),
            &hash,
            &record,
            &event,
        );
        if !issued.await? {
            return Ok(None);
        }
        let expires_at = record.expires_at;
        let user = User {
            code: Some((CodePurpose::Invitation, expires_at)),
            ..user
        };
        Ok(Some((user, Some((code, expires_at)))))
    }

    /// A code to set a password, and its record.
    pub(super) fn new_code(&self, lifetime: Duration) -> (Secret, PasswordCode) {
        let code = Secret::typed(&*self.rng);
        let now = self.now();
        let record = PasswordCode {
            hash: typed_code(code.expose()),
            created_at: now,
            expires_at: now.plus(lifetime),
        };
        (code, record)
    }
}

/// The domain of a username as stored ones are spelled, because every spelling names the same one. `None` if it has none: a username
/// need not be a mail address, and what is no domain name, as in `till@7`, is that of no organization.
fn domain_of_username(username: &str) -> Option<String> {
    let (_, domain) = username.rsplit_once('@')?;
    domain_name_of_any_spelling(domain)
}

/// The domain of a mail address, in lower case; `None` if it is no address.
fn domain_of_mail_address(text: &str) -> Option<String> {
    let is_separator = |character: char| character.is_whitespace() || character.is_control();
    let (local, domain) = text.rsplit_once('@')?;
    let is_address = text.len() <= MAX_USERNAME_LENGTH
        && !text.contains(is_separator)
        && !local.is_empty()
        && !domain.is_empty();
    is_address.then(|| domain.to_lowercase())
}

fn user_exists(name: &str) -> AdministrationError {
    AdministrationError::Exists {
        kind: RecordKind::User,
        name: name.to_owned(),
    }
}
