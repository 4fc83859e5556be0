//! Checks a name and a password: throttled before, with the same effort for whoever does not exist.

use secrecy::SecretString;

use super::Provider;
use super::throttle::{Try, Wait};
use crate::storage::StorageError;
use crate::storage::directory::Subject;

/// A longer password is none.
pub(super) const LONGEST_PASSWORD: usize = 1024;
/// A longer name is none (RFC 5321, 4.5.3.1: an address for mail).
pub(super) const LONGEST_USERNAME: usize = 254;

/// What somebody typed.
pub(super) struct Credentials<'a> {
    /// The name, in whatever case.
    pub(super) username: &'a str,
    /// The password.
    pub(super) password: &'a str,
    /// Whose people may sign in here; `None` for everybody.
    pub(super) tenant: Option<&'a str>,
}

/// What became of a check.
pub(super) enum Checked {
    /// They belong together, and to this person.
    Right(Subject),
    /// They do not. What is wrong is not told.
    Wrong,
    /// Too many tries.
    Throttled(Wait),
    /// Too many people at once.
    Busy,
}

impl Credentials<'_> {
    /// Counts the try, then checks.
    pub(super) async fn check(
        &self,
        provider: &Provider,
        attempt: &Try,
    ) -> Result<Checked, StorageError> {
        if let Err(wait) = attempt.count(provider).await? {
            tracing::warn!("a sign-in was slowed down after too many tries");
            return Ok(Checked::Throttled(wait));
        }
        let fits =
            self.username.len() <= LONGEST_USERNAME && self.password.len() <= LONGEST_PASSWORD;
        let username = self.username.to_lowercase();
        let known = if fits {
            provider.store.subject_by_username(&username).await?
        } else {
            None
        };
        // Somebody else's person is nobody here, after the same time.
        let subject = known.filter(|subject| {
            self.tenant
                .is_none_or(|tenant| tenant == subject.home_organization)
        });
        let stored = subject
            .as_ref()
            .and_then(|subject| subject.password_hash.as_deref());
        let password = if fits { self.password } else { "" };
        let right = provider
            .passwords
            .verify(SecretString::from(password), stored)
            .await;
        match (right, subject) {
            (Err(_), _) => Ok(Checked::Busy),
            (Ok(true), Some(subject)) => {
                attempt.succeeded(provider).await?;
                Ok(Checked::Right(subject))
            }
            (Ok(_), subject) => {
                // The name is not logged: people type passwords into the wrong field.
                let known = subject.as_ref().map(|subject| subject.id.as_str());
                tracing::info!(subject = known, "a sign-in failed");
                Ok(Checked::Wrong)
            }
        }
    }
}
