//! People and machine users, and their roles.

use secrecy::{ExposeSecret as _, SecretString};

use super::{Administration, AdministrationError};
use crate::password;
use invoicing_storage::audit;
use invoicing_storage::secret::Secret;
use invoicing_storage::subjects::{Account, Subject};

/// A person or machine user to be.
#[derive(Debug)]
pub struct NewUser {
    /// Name to sign in with.
    pub username: String,
    /// Name for people.
    pub name: String,
    /// Address for mail.
    pub email: Option<String>,
    /// Id of the home organization.
    pub organization: String,
    /// Whether it is a machine, which has no password.
    pub machine: bool,
    /// The first password of a person; one is made if there is none.
    pub password: Option<SecretString>,
}

/// Somebody who was added.
#[derive(Debug)]
pub struct Added {
    /// Who.
    pub subject: Subject,
    /// The password that was made, to be told once. It has to be changed at the first sign-in.
    pub password: Option<Secret>,
}

impl Administration {
    /// A person or machine user, disabled or not, by id or username.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn user(&self, name: &str) -> Result<Account, AdministrationError> {
        self.store
            .account(&name.to_lowercase())
            .await?
            .ok_or_else(|| AdministrationError::NotFound {
                what: "user",
                name: name.to_owned(),
            })
    }

    /// Adds a person or a machine user.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn add_user(&self, user: NewUser) -> Result<Added, AdministrationError> {
        let username = user.username.trim().to_lowercase();
        if username.is_empty() || username.len() > 254 || username.contains(char::is_whitespace) {
            return Err(AdministrationError::invalid(
                "username",
                "1 to 254 characters without spaces",
            ));
        }
        self.organization(&user.organization).await?;
        let (password_hash, made) = if user.machine {
            (None, None)
        } else {
            let (hash, made) = self.first_password(user.password)?;
            (Some(hash), made)
        };
        let subject = Subject {
            id: self.new_id().into(),
            username,
            name: user.name,
            email: user.email,
            home_organization: user.organization.into(),
            must_change_password: password_hash.is_some(),
            password_hash,
            valid_from: 0,
        };
        let entry = self
            .entry(audit::Kind::UserCreated)
            .about(&subject.id)
            .of(&subject.home_organization);
        if !self.store.add_subject(&subject, &entry).await? {
            return Err(AdministrationError::Exists {
                what: "user",
                name: subject.username,
            });
        }
        Ok(Added {
            subject,
            password: made,
        })
    }

    /// Locks somebody out: what was given out for the account is dead for good.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn disable_user(&self, name: &str) -> Result<Account, AdministrationError> {
        let Account { subject, .. } = self.user(name).await?;
        let entry = self
            .entry(audit::Kind::UserDisabled)
            .about(&subject.id)
            .of(&subject.home_organization);
        self.store
            .disable_subject(&subject.id, self.now_ms(), &entry)
            .await?;
        self.user(subject.id.as_str()).await
    }

    /// Lets somebody in again.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn enable_user(&self, name: &str) -> Result<Account, AdministrationError> {
        let Account { subject, .. } = self.user(name).await?;
        let entry = self
            .entry(audit::Kind::UserEnabled)
            .about(&subject.id)
            .of(&subject.home_organization);
        self.store.enable_subject(&subject.id, &entry).await?;
        self.user(subject.id.as_str()).await
    }

    /// Gives a person a password for once: it has to be changed at the next sign-in, and all earlier ones end.
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
            return Err(AdministrationError::Refused(
                "a machine user has no password",
            ));
        }
        let (hash, made) = self.first_password(password)?;
        let entry = self
            .entry(audit::Kind::PasswordReset)
            .about(&subject.id)
            .of(&subject.home_organization);
        self.store
            .set_password(&subject.id, &hash, true, self.now_ms(), &entry)
            .await?;
        Ok(made)
    }

    /// Gives a role. False when it is held already.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn add_role(
        &self,
        user: &str,
        organization: &str,
        role: &str,
    ) -> Result<bool, AdministrationError> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if role.is_empty() || role.len() > 64 || !role.bytes().all(plain) {
            return Err(AdministrationError::invalid(
                "role",
                "1 to 64 lower-case letters, digits and hyphens",
            ));
        }
        let Account { subject, .. } = self.user(user).await?;
        self.organization(organization).await?;
        let entry = self
            .entry(audit::Kind::RoleGranted)
            .about(&subject.id)
            .of(organization)
            .with("role", role);
        Ok(self
            .store
            .add_grant(&subject.id, &organization.into(), role, &entry)
            .await?)
    }

    /// Takes a role away.
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
        let entry = self
            .entry(audit::Kind::RoleRevoked)
            .about(&subject.id)
            .of(organization)
            .with("role", role);
        if !self
            .store
            .remove_grant(&subject.id, &organization.into(), role, &entry)
            .await?
        {
            return Err(AdministrationError::NotFound {
                what: "such role of this user",
                name: role.to_owned(),
            });
        }
        Ok(())
    }

    fn first_password(
        &self,
        given: Option<SecretString>,
    ) -> Result<(String, Option<Secret>), AdministrationError> {
        let randomness = &*self.world.randomness;
        let Some(given) = given else {
            let made = Secret::random(randomness);
            return Ok((password::hash(made.expose(), randomness), Some(made)));
        };
        if !password::is_long_enough(given.expose_secret()) {
            return Err(AdministrationError::invalid(
                "password",
                format!(
                    "at least {} and at most {} characters",
                    password::SHORTEST,
                    password::LONGEST
                ),
            ));
        }
        Ok((password::hash(given.expose_secret(), randomness), None))
    }
}
