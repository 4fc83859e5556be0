//! Users (people and machine users) and their roles.

use invoicing_contract::{OrganizationId, Role, SubjectId};
use secrecy::{ExposeSecret as _, SecretString};

use super::organization::{is_uuid_v7, user_not_found};
use super::{Administration, AdministrationError, Input, RecordKind, Restriction};
use crate::password::MAX_USERNAME_LENGTH;
use crate::password_hashing;
use invoicing_storage::audit::{self, AuditedValues};
use invoicing_storage::secret::{PasswordHash, Secret};
use invoicing_storage::subjects::{Account, Subject};

/// A person or machine user to create.
#[derive(Debug)]
pub struct NewUser {
    /// The username to sign in with.
    pub username: String,
    /// The display name.
    pub name: String,
    /// The mail address.
    pub email: Option<String>,
    /// Whether the administrator has confirmed that the address is this person's.
    pub email_verified: bool,
    /// The id of the home organization.
    pub organization: String,
    /// Whether it is a machine user, which has no password.
    pub machine: bool,
    /// The initial password of a person; generated if there is none.
    pub password: Option<SecretString>,
}

/// A created user.
#[derive(Debug)]
pub struct CreatedUser {
    /// The subject.
    pub subject: Subject,
    /// The generated password, which is returned once. It must be changed at the first sign-in.
    pub password: Option<Secret>,
}

impl Administration {
    /// A user by id or username, whether disabled or not.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn user(&self, name: &str) -> Result<Account, AdministrationError> {
        self.store
            .account(&name.to_lowercase())
            .await?
            .ok_or_else(|| user_not_found(name))
    }

    /// The user with exactly this id, whether disabled or not. A name, which is looked up in lower case, can be that of somebody else.
    pub(super) async fn user_with_id(
        &self,
        id: &SubjectId,
    ) -> Result<Account, AdministrationError> {
        let found = self.store.account(id.as_str()).await?;
        found
            // By its id, and not by a username that is the same.
            .filter(|account| account.subject.id == *id)
            .ok_or_else(|| user_not_found(id.as_str()))
    }

    /// Creates a person or a machine user.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn add_user(&self, user: NewUser) -> Result<CreatedUser, AdministrationError> {
        let username = user.username.trim().to_lowercase();
        if let Some(problem) = username_problem(&username) {
            return Err(AdministrationError::invalid(Input::Username, problem));
        }
        self.organization(&user.organization).await?;
        let (password_hash, generated) = if user.machine {
            (None, None)
        } else {
            let (hash, generated) = self.initial_password(user.password)?;
            (Some(hash), generated)
        };
        let subject = Subject {
            id: self.new_id().into(),
            username,
            name: user.name,
            email_verified: user.email_verified && user.email.is_some(),
            email: user.email,
            home_organization: user.organization.into(),
            must_change_password: password_hash.is_some(),
            password_hash,
            epoch: 0,
        };
        let event = self
            .event(audit::AuditEventKind::UserCreated)
            .subject(&subject.id)
            .organization(&subject.home_organization)
            .difference(&AuditedValues::default(), &subject.audited_values());
        if !self.store.add_subject(&subject, &event).await? {
            return Err(AdministrationError::Exists {
                kind: RecordKind::User,
                name: subject.username,
            });
        }
        Ok(CreatedUser {
            subject,
            password: generated,
        })
    }

    /// Disables a user. All sessions and tokens of the user become invalid permanently.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn disable_user(&self, name: &str) -> Result<Account, AdministrationError> {
        let Account { subject, .. } = self.user(name).await?;
        let event = self
            .event(audit::AuditEventKind::UserDisabled)
            .subject(&subject.id)
            .organization(&subject.home_organization);
        self.store
            .disable_subject(&subject.id, self.now(), &event)
            .await?;
        self.user_with_id(&subject.id).await
    }

    /// Enables a disabled user.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn enable_user(&self, name: &str) -> Result<Account, AdministrationError> {
        let Account { subject, .. } = self.user(name).await?;
        let event = self
            .event(audit::AuditEventKind::UserEnabled)
            .subject(&subject.id)
            .organization(&subject.home_organization);
        self.store.enable_subject(&subject.id, &event).await?;
        self.user_with_id(&subject.id).await
    }

    /// Sets a one-time password, which must be changed at the next sign-in. All sessions and tokens become invalid. Returns the
    /// password if it was generated.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn reset_password(
        &self,
        name: &str,
        password: Option<SecretString>,
    ) -> Result<Option<Secret>, AdministrationError> {
        let Account { subject, .. } = self.user(name).await?;
        if subject.is_machine() {
            return Err(AdministrationError::NotAllowed(
                Restriction::MachineUserHasNoPassword,
            ));
        }
        let (hash, generated) = self.initial_password(password)?;
        let event = self
            .event(audit::AuditEventKind::PasswordReset)
            .subject(&subject.id)
            .organization(&subject.home_organization);
        self.store
            .set_password(&subject.id, None, &hash, true, &event)
            .await?;
        Ok(generated)
    }

    /// Grants a role. False if the user already holds it.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn add_role(
        &self,
        user: &str,
        organization: &str,
        role: &str,
    ) -> Result<bool, AdministrationError> {
        let is_allowed =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if role.is_empty() || role.len() > 64 || !role.bytes().all(is_allowed) {
            return Err(AdministrationError::invalid(
                Input::Role,
                "1 to 64 lower-case letters, digits and hyphens",
            ));
        }
        let Account { subject, .. } = self.user(user).await?;
        let organization = self.organization(organization).await?.id;
        if role == Role::Operator.name()
            && self.store.operator().await?.as_ref() != Some(&organization)
        {
            return Err(AdministrationError::NotAllowed(
                Restriction::OperatorRoleElsewhere,
            ));
        }
        let event = self
            .event(audit::AuditEventKind::RoleGranted)
            .subject(&subject.id)
            .organization(&organization)
            .detail("role", role);
        Ok(self
            .store
            .add_grant(&subject.id, &organization, role, &event)
            .await?)
    }

    /// Revokes a role.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn remove_role(
        &self,
        user: &str,
        organization: &str,
        role: &str,
    ) -> Result<(), AdministrationError> {
        let Account { subject, .. } = self.user(user).await?;
        let organization = OrganizationId::new(organization);
        let event = self
            .event(audit::AuditEventKind::RoleRevoked)
            .subject(&subject.id)
            .organization(&organization)
            .detail("role", role);
        if !self
            .store
            .remove_grant(&subject.id, &organization, role, &event)
            .await?
        {
            return Err(AdministrationError::NotFound {
                kind: RecordKind::Role,
                name: role.to_owned(),
            });
        }
        Ok(())
    }

    fn initial_password(
        &self,
        password: Option<SecretString>,
    ) -> Result<(PasswordHash, Option<Secret>), AdministrationError> {
        let rng = &*self.rng;
        let Some(password) = password else {
            let generated = Secret::random(rng);
            let hash = password_hashing::hash(generated.expose(), rng);
            return Ok((hash, Some(generated)));
        };
        if !password_hashing::has_valid_length(password.expose_secret()) {
            return Err(AdministrationError::invalid(
                Input::Password,
                format!(
                    "at least {} and at most {} characters",
                    password_hashing::MIN_PASSWORD_CHARACTERS,
                    password_hashing::MAX_PASSWORD_BYTES
                ),
            ));
        }
        Ok((password_hashing::hash(password.expose_secret(), rng), None))
    }
}

/// What is wrong with the username of a new person, in lower case. An account is found by its id or by its username, so that a
/// username which is the id of somebody else would be taken for that person.
pub(super) fn username_problem(username: &str) -> Option<&'static str> {
    let is_separator = |character: char| character.is_whitespace() || character.is_control();
    if username.is_empty()
        || username.len() > MAX_USERNAME_LENGTH
        || username.contains(is_separator)
    {
        Some("must have 1 to 254 characters without spaces")
    } else if has_form_of_id(username) {
        Some("must not be a number of 18 digits or a UUID, as ids are")
    } else {
        None
    }
}

/// Whether a text can be the id of a user: one that the service makes ([`super::new_id`]), or one that a caller chooses.
fn has_form_of_id(text: &str) -> bool {
    const DIGITS: usize = 18;
    let is_made = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
    is_made || is_uuid_v7(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::administration::new_id;
    use invoicing_storage::SystemRng;

    #[test]
    fn username_that_can_be_the_id_of_somebody_is_refused() {
        for id in [
            &*new_id(&SystemRng),
            "310000000000000001",
            "0199f0c4-7d2e-7a31-9c55-3f6b0a1d2e5b",
        ] {
            assert!(username_problem(id).is_some(), "{id}");
        }
        for username in [
            "noura@alkhair.example",
            "310000000000000001@alkhair.example",
            "966501234567",
            "till-7",
        ] {
            assert_eq!(username_problem(username), None, "{username}");
        }
    }
}
