//! Checks username and password, with throttling, and with equal cost for accounts that do not exist.

use std::net::IpAddr;

use invoicing_contract::{ClientId, OrganizationId, SubjectId};
use secrecy::SecretString;

use super::throttle::{RetryDelay, SignInAttempt, WINDOW};
use crate::password_hashing::MAX_PASSWORD_BYTES;
use crate::provider::Provider;
use invoicing_storage::StorageError;
use invoicing_storage::audit::{self, AuditEvent};
use invoicing_storage::subjects::Subject;

/// Maximum length of a username in bytes, that of a mail address (RFC 5321, 4.5.3.1).
pub(crate) const MAX_USERNAME_LENGTH: usize = 254;

/// Username and password of a sign-in.
pub(crate) struct PasswordCredentials<'a> {
    /// The username, in any case.
    pub(crate) username: &'a str,
    /// The password.
    pub(crate) password: &'a str,
    /// The organization whose accounts may sign in; `None` for all.
    pub(crate) tenant: Option<&'a OrganizationId>,
    /// The application, for the audit.
    pub(crate) client_id: &'a ClientId,
    /// The address of the client.
    pub(crate) address: IpAddr,
}

/// The result of a password check.
pub(crate) enum PasswordCheck {
    /// Username and password are those of this subject.
    Valid(Subject),
    /// Username or password is wrong. Which one is not disclosed.
    Invalid,
    /// Too many attempts.
    Throttled(RetryDelay),
    /// Too many password checks at once.
    Busy,
}

impl PasswordCredentials<'_> {
    /// Counts the attempt, then checks the password. The caller records a success in the audit, with its effect.
    pub(crate) async fn check(
        &self,
        provider: &Provider,
        attempt: &SignInAttempt,
    ) -> Result<PasswordCheck, StorageError> {
        let has_valid_length =
            self.username.len() <= MAX_USERNAME_LENGTH && self.password.len() <= MAX_PASSWORD_BYTES;
        let username = self.username.to_lowercase();
        let subject = if has_valid_length {
            provider.store.subject_by_username(&username).await?
        } else {
            None
        };
        if let Err(delay) = attempt.count(provider).await? {
            tracing::warn!("a sign-in was slowed down after too many tries");
            let event = self.event(
                provider,
                audit::AuditEventKind::SignInThrottled,
                subject.as_ref(),
            );
            let since = provider.now().minus(WINDOW);
            provider.store.record_once(&event, since).await?;
            return Ok(PasswordCheck::Throttled(delay));
        }
        // An account of another organization is treated as unknown, with the same response time.
        let permitted = subject.as_ref().filter(|subject| {
            self.tenant
                .is_none_or(|tenant| *tenant == subject.home_organization)
        });
        let stored_hash = permitted.and_then(|subject| subject.password_hash.as_deref());
        let password = if has_valid_length { self.password } else { "" };
        let verified = provider
            .password_hasher
            .verify(SecretString::from(password), stored_hash)
            .await;
        match (verified, subject) {
            (Err(error), _) => {
                tracing::warn!(%error, "a password was not checked");
                Ok(PasswordCheck::Busy)
            }
            (Ok(true), Some(subject)) => {
                attempt.reset(provider).await?;
                Ok(PasswordCheck::Valid(subject))
            }
            (Ok(_), subject) => {
                // The username is not recorded, since people enter passwords in the wrong field.
                let event = self.event(
                    provider,
                    audit::AuditEventKind::SignInFailed,
                    subject.as_ref(),
                );
                provider.store.record(&event).await?;
                tracing::info!(
                    subject = event.subject.as_ref().map(SubjectId::as_str),
                    "a sign-in failed"
                );
                Ok(PasswordCheck::Invalid)
            }
        }
    }

    fn event(
        &self,
        provider: &Provider,
        kind: audit::AuditEventKind,
        subject: Option<&Subject>,
    ) -> AuditEvent {
        let event = AuditEvent::new(provider.now(), kind)
            .client(self.client_id)
            .address(self.address);
        match subject {
            Some(subject) => event
                .subject(&subject.id)
                .organization(&subject.home_organization),
            None => event,
        }
    }
}
