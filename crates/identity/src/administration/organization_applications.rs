//! The applications of an organization, by its administrators (decision 0117).

use invoicing_contract::messages::identity::{Application as ApplicationMessage, application};
use invoicing_contract::ready::ApplicationKind;
use invoicing_contract::{
    ClientId, ConcurrencyStamp, FieldMask, FieldViolation, field_mask, output_violations,
};
use invoicing_http::missing_stamp;
use invoicing_storage::applications::{Application, ClientSecret, GrantType, ScopeKind};
use invoicing_storage::audit::AuditEventKind;
use invoicing_storage::keys::SigningAlgorithm;
use invoicing_storage::secret::Secret;

use super::application_rules::{default_grant_types, violations};
use super::applications::RegisteredApplication;
use super::organization::{OrganizationAdministration, check_new_id};
use super::tenants::check_text;
use super::{AdministrationError, RecordKind};

/// The path of the application in requests.
const APPLICATION: &str = "application";

impl OrganizationAdministration<'_> {
    /// An application that the administrators of the organization administer.
    pub(super) async fn application(
        &self,
        client_id: &str,
    ) -> Result<Application, AdministrationError> {
        let store = &self.administration.store;
        let found = store
            .registered_application(&ClientId::new(client_id))
            .await?
            .filter(|found| found.is_administered_by(self.organization()));
        found.ok_or_else(|| AdministrationError::NotFound {
            kind: RecordKind::Application,
            name: client_id.to_owned(),
        })
    }

    /// The same, if the caller may change it: one that acts for a machine user has its rights (decision 0116).
    async fn changeable_application(
        &self,
        client_id: &str,
    ) -> Result<Application, AdministrationError> {
        let application = self.application(client_id).await?;
        if let Some(subject) = &application.subject {
            self.own_user(subject.as_str()).await?;
            self.require_rights_of(subject).await?;
        }
        Ok(application)
    }

    /// Registers an application of the organization. With `validate_only` nothing is stored, and there is no secret.
    pub(super) async fn create_application(
        &self,
        client_id: String,
        message: &ApplicationMessage,
        validate_only: bool,
    ) -> Result<RegisteredApplication, AdministrationError> {
        let mut found = output_violations(message, "application.");
        check_new_id(&mut found, "clientId", &client_id);
        let kind = match message.kind() {
            application::Kind::Public => ApplicationKind::Public,
            application::Kind::Confidential => ApplicationKind::Confidential,
            application::Kind::Api => ApplicationKind::Api,
            application::Kind::Unspecified | application::Kind::Machine => {
                let description = "must be PUBLIC, CONFIDENTIAL or API";
                found.push(FieldViolation::new("application.kind", description));
                ApplicationKind::Public
            }
        };
        let secret =
            (kind != ApplicationKind::Public).then(|| Secret::random(&*self.administration.rng));
        let client_id = if client_id.is_empty() {
            self.administration.new_id()
        } else {
            client_id
        };
        let mut created = Application {
            secret: secret
                .as_ref()
                .map(|secret| ClientSecret::new(secret.hash())),
            organization: Some(self.organization().clone()),
            organization_only: true,
            ..Application::new(
                client_id.into(),
                kind,
                self.administration.new_stamp().into(),
            )
        };
        apply(&mut created, message, &mut found);
        if message.grant_types.is_empty() {
            created.grant_types = default_grant_types(kind).to_vec();
        }
        if message.scopes.is_empty() {
            created.scopes = ScopeKind::USUAL.to_vec();
        }
        check(&created, &mut found);
        if !found.is_empty() {
            return Err(AdministrationError::Violations(found));
        }
        if validate_only {
            let store = &self.administration.store;
            let taken = store.registered_application(&created.client_id).await?;
            if taken.is_some() {
                return Err(AdministrationError::Exists {
                    kind: RecordKind::Application,
                    name: created.client_id.into_string(),
                });
            }
            // A record that is not stored has no stamp (decision 0129).
            created.concurrency_stamp = ConcurrencyStamp::default();
            return Ok(RegisteredApplication {
                application: created,
                secret: None,
            });
        }
        self.administration.add_application(&created).await?;
        Ok(RegisteredApplication {
            application: created,
            secret,
        })
    }

    /// Changes the fields of the mask, or all without one.
    pub(super) async fn update_application(
        &self,
        client_id: &str,
        message: &ApplicationMessage,
        stamp: &ConcurrencyStamp,
        mask: Option<&FieldMask>,
        validate_only: bool,
    ) -> Result<Application, AdministrationError> {
        let current = self.changeable_application(client_id).await?;
        let mut found = Vec::new();
        found.extend(missing_stamp(stamp.as_str(), "state"));
        if mask.is_none() {
            found.extend(output_violations(message, "application."));
        }
        let before = super::applications_rpc::message(&current);
        let masked = match field_mask::apply(&before, message, mask) {
            Ok(masked) => masked,
            Err(more) => {
                found.extend(more);
                return Err(AdministrationError::Violations(found));
            }
        };
        // Nobody can change it, so an update of all fields may leave it out.
        if masked.kind != 0 && masked.kind != before.kind {
            found.push(FieldViolation::new("application.kind", "cannot be changed"));
        }
        let mut changed = current.clone();
        apply(&mut changed, &masked, &mut found);
        check(&changed, &mut found);
        if !found.is_empty() {
            return Err(AdministrationError::Violations(found));
        }
        if *stamp != current.concurrency_stamp {
            return Err(AdministrationError::StampMismatch);
        }
        if validate_only {
            return Ok(changed);
        }
        self.administration
            .replace_application(changed, &current)
            .await
    }

    /// Disables or enables an application. Nothing happens to one that is so already.
    pub(super) async fn set_application_disabled(
        &self,
        client_id: &str,
        is_disabled: bool,
    ) -> Result<Application, AdministrationError> {
        let current = self.changeable_application(client_id).await?;
        let (kind, disabled_at) = if is_disabled {
            let now = self.administration.now();
            (AuditEventKind::ApplicationDisabled, Some(now))
        } else {
            (AuditEventKind::ApplicationEnabled, None)
        };
        let event = self
            .administration
            .event(kind)
            .client(&current.client_id)
            .organization(self.organization());
        let stamp = ConcurrencyStamp::new(self.administration.new_stamp());
        self.administration
            .store
            .set_application_disabled(&current.client_id, disabled_at, &stamp, &event)
            .await?;
        self.application(client_id).await
    }

    /// Replaces the secret of an application.
    pub(super) async fn rotate_application_secret(
        &self,
        client_id: &str,
        overlap_seconds: i32,
    ) -> Result<RegisteredApplication, AdministrationError> {
        self.changeable_application(client_id).await?;
        let overlap = u32::try_from(overlap_seconds).unwrap_or(u32::MAX);
        self.administration.rotate_secret(client_id, overlap).await
    }
}

/// Sets the fields that an administrator decides about. What cannot be read is a violation.
fn apply(
    application: &mut Application,
    message: &ApplicationMessage,
    found: &mut Vec<FieldViolation>,
) {
    application.name = message.name.trim().to_owned();
    application.grant_types = named(&message.grant_types, "grantTypes", GrantType::named, found);
    application.scopes = named(&message.scopes, "scopes", ScopeKind::named, found);
    application.redirect_uris.clone_from(&message.redirect_uris);
    application
        .post_logout_uris
        .clone_from(&message.post_logout_uris);
    application.revoke_family_on_reuse = message.revoke_family_on_reuse;
    application.id_token_algorithm = match &*message.id_token_algorithm {
        "" => SigningAlgorithm::Rs256,
        name => SigningAlgorithm::named(name).unwrap_or_else(|| {
            let description = "must be RS256 or EdDSA";
            found.push(FieldViolation::new(
                "application.idTokenAlgorithm",
                description,
            ));
            SigningAlgorithm::Rs256
        }),
    };
}

fn named<Named: PartialEq>(
    names: &[String],
    field: &str,
    named: fn(&str) -> Option<Named>,
    found: &mut Vec<FieldViolation>,
) -> Vec<Named> {
    let mut all = Vec::new();
    for (index, name) in names.iter().enumerate() {
        match named(name) {
            Some(value) if all.contains(&value) => {}
            Some(value) => all.push(value),
            None => found.push(FieldViolation::new(
                format!("{APPLICATION}.{field}[{index}]"),
                "is not known",
            )),
        }
    }
    all
}

fn check(application: &Application, found: &mut Vec<FieldViolation>) {
    check_text(found, "application.name", &application.name, true);
    for violation in violations(application) {
        let field = format!("{APPLICATION}.{}", violation.field);
        found.push(FieldViolation::new(field, violation.reason));
    }
}
