//! Registered applications (OAuth clients) and their secrets.

use std::time::Duration;

use invoicing_contract::ClientId;
use invoicing_contract::ready::ApplicationKind;

use super::application_rules::{ApplicationViolation, default_grant_types, violations};
use super::{Administration, AdministrationError, Input, RecordKind, Restriction};
use invoicing_storage::applications::{
    Application, ClientSecret, GrantType, ScopeKind, SecretRotation,
};
use invoicing_storage::audit::{self, AuditedValues};
use invoicing_storage::keys::SigningAlgorithm;
use invoicing_storage::secret::Secret;

/// Maximum time during which two secrets of an application are valid: 90 days.
const MAX_OVERLAP_SECONDS: u32 = 90 * 24 * 60 * 60;

/// The fields to change; a field of `None` is left unchanged.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the fields are those of Application")]
pub struct ApplicationChanges {
    pub name: Option<String>,
    pub organization: Option<String>,
    /// The machine user, by id or username.
    pub subject: Option<String>,
    pub grant_types: Option<Vec<GrantType>>,
    pub scopes: Option<Vec<ScopeKind>>,
    pub redirect_uris: Option<Vec<String>>,
    pub post_logout_uris: Option<Vec<String>>,
    pub id_token_algorithm: Option<SigningAlgorithm>,
    pub revoke_family_on_reuse: Option<bool>,
}

/// An application after its registration or a rotation of its secret.
#[derive(Debug)]
pub struct RegisteredApplication {
    /// The application.
    pub application: Application,
    /// The new secret, which is returned once.
    pub secret: Option<Secret>,
}

impl Administration {
    /// An application by client id.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn application(&self, client_id: &str) -> Result<Application, AdministrationError> {
        self.store
            .registered_application(&ClientId::new(client_id))
            .await?
            .ok_or_else(|| AdministrationError::NotFound {
                kind: RecordKind::Application,
                name: client_id.to_owned(),
            })
    }

    /// Registers an application, with a secret unless it is public.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn register(
        &self,
        kind: ApplicationKind,
        client_id: Option<String>,
        changes: ApplicationChanges,
    ) -> Result<RegisteredApplication, AdministrationError> {
        let client_id = client_id.unwrap_or_else(|| self.new_id());
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if client_id.is_empty() || client_id.len() > 128 || !client_id.bytes().all(is_allowed) {
            return Err(AdministrationError::invalid(
                Input::ClientId,
                "1 to 128 letters, digits, '-', '_' and '.'",
            ));
        }
        let client_id = ClientId::new(client_id);
        let secret = (kind != ApplicationKind::Public).then(|| Secret::random(&*self.rng));
        let defaults = Application {
            name: client_id.to_string(),
            secret: secret
                .as_ref()
                .map(|secret| ClientSecret::new(secret.hash())),
            grant_types: default_grant_types(kind).to_vec(),
            scopes: ScopeKind::USUAL.to_vec(),
            // The command line is the dashboard of the contract (contract, part 5, "Using the token").
            includes_audience: kind == ApplicationKind::Machine,
            ..Application::new(client_id, kind, self.new_stamp().into())
        };
        let application = self.apply_changes(defaults, changes).await?;
        self.add_application(&application).await?;
        Ok(RegisteredApplication {
            application,
            secret,
        })
    }

    /// An event about an application, in the audit of the organization that it belongs to.
    fn event_about(
        &self,
        application: &Application,
        kind: audit::AuditEventKind,
    ) -> audit::AuditEvent {
        let event = self.event(kind).client(&application.client_id);
        match &application.organization {
            Some(organization) => event.organization(organization),
            None => event,
        }
    }

    /// Stores an application, unless its client id is taken.
    pub(super) async fn add_application(
        &self,
        application: &Application,
    ) -> Result<(), AdministrationError> {
        let event = self
            .event_about(application, audit::AuditEventKind::ApplicationRegistered)
            .difference(&AuditedValues::default(), &application.audited_values());
        if self.store.add_application(application, &event).await? {
            Ok(())
        } else {
            Err(AdministrationError::Exists {
                kind: RecordKind::Application,
                name: application.client_id.to_string(),
            })
        }
    }

    /// Changes the fields of an application.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn change_application(
        &self,
        client_id: &str,
        changes: ApplicationChanges,
    ) -> Result<Application, AdministrationError> {
        let current = self.application(client_id).await?;
        let application = self.apply_changes(current.clone(), changes).await?;
        self.replace_application(application, &current).await
    }

    /// Stores a changed application with a new stamp, unless it was changed since `current` was read. One that is as before is
    /// no change.
    pub(super) async fn replace_application(
        &self,
        application: Application,
        current: &Application,
    ) -> Result<Application, AdministrationError> {
        if application == *current {
            return Ok(application);
        }
        let application = Application {
            concurrency_stamp: self.new_stamp().into(),
            ..application
        };
        let event = self
            .event_about(&application, audit::AuditEventKind::ApplicationChanged)
            .difference(&current.audited_values(), &application.audited_values());
        let based_on = &current.concurrency_stamp;
        let changed = self
            .store
            .change_application(&application, based_on, &event);
        if changed.await? {
            Ok(application)
        } else {
            Err(AdministrationError::StampMismatch)
        }
    }

    /// Generates a new client secret. The present one stays valid for `overlap_seconds`, those before it until their own end. With
    /// 0 seconds, as after a leak, the present one and those before it end at once.
    ///
    /// # Errors
    /// See [`AdministrationError`].
    pub async fn rotate_secret(
        &self,
        client_id: &str,
        overlap_seconds: u32,
    ) -> Result<RegisteredApplication, AdministrationError> {
        if overlap_seconds > MAX_OVERLAP_SECONDS {
            return Err(AdministrationError::invalid(
                Input::Overlap,
                format!("at most {MAX_OVERLAP_SECONDS} seconds"),
            ));
        }
        let application = self.application(client_id).await?;
        let secret = Secret::random(&*self.rng);
        let now = self.now();
        let until = now.plus(Duration::from_secs(overlap_seconds.into()));
        let event = self
            .event_about(&application, audit::AuditEventKind::ClientSecretRotated)
            .detail("overlap_seconds", overlap_seconds.to_string());
        let rotation = self
            .store
            .rotate_client_secret(&application.client_id, &secret.hash(), now, until, &event)
            .await?;
        let restriction = match rotation {
            SecretRotation::Rotated => None,
            SecretRotation::NoSecret => Some(Restriction::PublicApplicationHasNoSecret),
            SecretRotation::TooManyRetired => Some(Restriction::TooManyRetiredSecrets),
        };
        if let Some(restriction) = restriction {
            return Err(AdministrationError::NotAllowed(restriction));
        }
        Ok(RegisteredApplication {
            application: self.application(client_id).await?,
            secret: Some(secret),
        })
    }

    async fn apply_changes(
        &self,
        mut application: Application,
        changes: ApplicationChanges,
    ) -> Result<Application, AdministrationError> {
        if let Some(organization) = changes.organization {
            self.organization(&organization).await?;
            application.organization = Some(organization.into());
        }
        if let Some(name) = changes.subject {
            let subject = self.user(&name).await?.subject;
            if !subject.is_machine() {
                return Err(AdministrationError::invalid(
                    Input::User,
                    "an application acts for a machine user only",
                ));
            }
            application.subject = Some(subject.id);
        }
        application.name = changes.name.unwrap_or(application.name);
        application.grant_types = changes.grant_types.unwrap_or(application.grant_types);
        application.scopes = changes.scopes.unwrap_or(application.scopes);
        application.redirect_uris = changes.redirect_uris.unwrap_or(application.redirect_uris);
        application.post_logout_uris = changes
            .post_logout_uris
            .unwrap_or(application.post_logout_uris);
        application.id_token_algorithm = changes
            .id_token_algorithm
            .unwrap_or(application.id_token_algorithm);
        application.revoke_family_on_reuse = changes
            .revoke_family_on_reuse
            .unwrap_or(application.revoke_family_on_reuse);
        match violations(&application).into_iter().next() {
            Some(ApplicationViolation { input, reason, .. }) => {
                Err(AdministrationError::invalid(input, reason))
            }
            None => Ok(application),
        }
    }
}
