//! Checks a name and a password: throttled before, with the same effort for whoever does not exist.

use invoicing_contract::{ClientId, OrganizationId};
use std::net::IpAddr;

use secrecy::SecretString;

use super::throttle::{RetryDelay, SignInAttempt, WINDOW_MS};
use super::{Provider, password};
use invoicing_storage::StorageError;
use invoicing_storage::audit::{self, Entry};
use invoicing_storage::subjects::Subject;

/// A longer name is none (RFC 5321, 4.5.3.1: an address for mail).
pub(super) const LONGEST_USERNAME: usize = 254;

/// What somebody typed.
pub(super) struct Credentials<'a> {
    /// The name, in whatever case.
    pub(super) username: &'a str,
    /// The password.
    pub(super) password: &'a str,
    /// Whose people may sign in here; `None` for everybody.
    pub(super) tenant: Option<&'a OrganizationId>,
    /// The application that waits for it.
    pub(super) client_id: &'a ClientId,
    /// Where it was typed, as far as we know.
    pub(super) address: IpAddr,
}

/// What became of a check.
pub(super) enum PasswordCheck {
    /// They belong together, and to this person.
    Valid(Subject),
    /// They do not. What is wrong is not told.
    Invalid,
    /// Too many tries.
    Throttled(RetryDelay),
    /// Too many people at once.
    Busy,
}

impl Credentials<'_> {
    /// Counts the try, then checks. That it was right is for the caller to record, with what comes of it.
    pub(super) async fn check(
        &self,
        provider: &Provider,
        attempt: &SignInAttempt,
    ) -> Result<PasswordCheck, StorageError> {
        let fits =
            self.username.len() <= LONGEST_USERNAME && self.password.len() <= password::LONGEST;
        let username = self.username.to_lowercase();
        let known = if fits {
            provider.store.subject_by_username(&username).await?
        } else {
            None
        };
        if let Err(wait) = attempt.count(provider).await? {
            tracing::warn!("a sign-in was slowed down after too many tries");
            let entry = self.entry(provider, audit::Kind::SignInThrottled, known.as_ref());
            let since = provider.now_ms() - WINDOW_MS;
            provider.store.record_once(&entry, since).await?;
            return Ok(PasswordCheck::Throttled(wait));
        }
        // Somebody else's person is nobody here, after the same time.
        let ours = known.as_ref().filter(|subject| {
            self.tenant
                .is_none_or(|tenant| *tenant == subject.home_organization)
        });
        let stored = ours.and_then(|subject| subject.password_hash.as_deref());
        let typed = if fits { self.password } else { "" };
        let right = provider
            .passwords
            .verify(SecretString::from(typed), stored)
            .await;
        match (right, known) {
            (Err(_), _) => Ok(PasswordCheck::Busy),
            (Ok(true), Some(subject)) => {
                attempt.succeeded(provider).await?;
                Ok(PasswordCheck::Valid(subject))
            }
            (Ok(_), known) => {
                // The name is not kept: people type passwords into the wrong field.
                let entry = self.entry(provider, audit::Kind::SignInFailed, known.as_ref());
                provider.store.record(&entry).await?;
                tracing::info!(subject = entry.subject, "a sign-in failed");
                Ok(PasswordCheck::Invalid)
            }
        }
    }

    fn entry(&self, provider: &Provider, kind: audit::Kind, known: Option<&Subject>) -> Entry {
        let entry = Entry::new(provider.now_ms(), kind)
            .through(self.client_id)
            .from(self.address);
        match known {
            Some(subject) => entry.about(&subject.id).of(&subject.home_organization),
            None => entry,
        }
    }
}
