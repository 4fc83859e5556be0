//! Checks username and password, with throttling, and with equal cost for accounts that do not exist.

use std::net::IpAddr;

use invoicing_contract::{ClientId, OrganizationId, SubjectId};
use secrecy::SecretString;

use super::attempt_events::AttemptEvents;
use super::throttle::{AttemptOrigin, RetryDelay};
use crate::hash_queue::HashShare;
use crate::limits::AddressPrefix;
use crate::password_hashing::MAX_PASSWORD_BYTES;
use crate::provider::Provider;
use invoicing_storage::StorageError;
use invoicing_storage::audit::AuditEventKind;
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
    /// Who sends them.
    pub(crate) origin: AttemptOrigin,
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
    pub(crate) async fn check(&self, provider: &Provider) -> Result<PasswordCheck, StorageError> {
        let has_valid_length =
            self.username.len() <= MAX_USERNAME_LENGTH && self.password.len() <= MAX_PASSWORD_BYTES;
        let username = self.username.to_lowercase();
        let subject = if has_valid_length {
            provider.store.subject_by_username(&username).await?
        } else {
            None
        };
        let events = AttemptEvents {
            provider,
            client_id: self.client_id,
            address: self.address,
        };
        let throttle = &provider.password_throttle;
        let mut attempt = throttle.attempt(&username, self.address, self.origin);
        if let Err(throttled) = provider.count_attempt(&mut attempt).await? {
            tracing::warn!("a sign-in was slowed down after too many tries");
            let subject = subject.as_ref();
            events.record_throttled(&throttled, subject).await?;
            return Ok(PasswordCheck::Throttled(throttled.delay));
        }
        let share = self.hash_share(provider, &username).await?;
        // An account of another organization is treated as unknown, with the same response time.
        let permitted = subject.as_ref().filter(|subject| {
            self.tenant
                .is_none_or(|tenant| *tenant == subject.home_organization)
        });
        let stored_hash = permitted.and_then(|subject| subject.password_hash.as_ref());
        let password = if has_valid_length { self.password } else { "" };
        let verified = provider
            .password_hasher
            .verify(share, SecretString::from(password), stored_hash)
            .await;
        match (verified, subject) {
            (Err(error), _) => {
                tracing::warn!(%error, "a password was not checked");
                throttle.withdraw(&attempt);
                Ok(PasswordCheck::Busy)
            }
            (Ok(true), Some(subject)) => {
                provider.succeed_attempt(&attempt).await;
                Ok(PasswordCheck::Valid(subject))
            }
            (Ok(_), subject) => {
                provider.store_failed_attempt(&mut attempt).await;
                let event = events.event(AuditEventKind::SignInFailed, subject.as_ref());
                provider.store.record(&event).await?;
                tracing::info!(
                    subject = event.subject.as_ref().map(SubjectId::as_str),
                    "a sign-in failed"
                );
                Ok(PasswordCheck::Invalid)
            }
        }
    }

    /// The share of these credentials in the queue of password hashes. It depends on the domain of the username and not on the
    /// account, so that the time in the queue does not show whether an account exists.
    async fn hash_share(
        &self,
        provider: &Provider,
        username: &str,
    ) -> Result<HashShare, StorageError> {
        let tenant = match (self.tenant, username.rsplit_once('@')) {
            (Some(tenant), _) => Some(tenant.clone()),
            (None, Some((_, domain))) if username.len() <= MAX_USERNAME_LENGTH => {
                provider.store.organization_of_domain(domain).await?
            }
            (None, _) => None,
        };
        Ok(HashShare {
            is_known_device: matches!(self.origin, AttemptOrigin::Browser(Some(_))),
            tenant,
            address: AddressPrefix::widest(self.address),
        })
    }
}
