//! A keyring in memory for tests, which can be made to fail and be inspected.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::watch;

use super::{Vault, VaultError};
use crate::BoxFuture;

/// A keyring whose secrets last until it is dropped.
pub struct MemoryVault {
    state: Arc<Mutex<State>>,
    /// The error of every call.
    error: watch::Sender<Option<VaultError>>,
}

#[derive(Default)]
struct State {
    secrets: HashMap<String, String>,
}

impl Default for MemoryVault {
    fn default() -> Self {
        Self {
            state: Arc::default(),
            error: watch::Sender::new(None),
        }
    }
}

impl MemoryVault {
    /// Makes later calls fail with `error`, or succeed. With [`VaultError::TimedOut`] they wait until another is set.
    pub fn set_error(&self, error: Option<VaultError>) {
        self.error.send_replace(error);
    }

    /// The names of all entries.
    #[must_use]
    pub fn entries(&self) -> Vec<String> {
        lock(&self.state).secrets.keys().cloned().collect()
    }

    /// All secrets, for tests that search for them elsewhere.
    #[must_use]
    pub fn secrets(&self) -> Vec<String> {
        lock(&self.state).secrets.values().cloned().collect()
    }

    fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut HashMap<String, String>) -> T + Send + 'static,
    ) -> BoxFuture<'static, Result<T, VaultError>> {
        let state = Arc::clone(&self.state);
        let mut error = self.error.subscribe();
        // A task of its own, so that dropping the future does not cancel the call.
        let done = tokio::spawn(async move {
            let answers = |error: &Option<VaultError>| *error != Some(VaultError::TimedOut);
            let current = error.wait_for(answers).await.map(|error| *error);
            match current.unwrap_or(Some(VaultError::Unavailable)) {
                Some(error) => Err(error),
                None => Ok(work(&mut lock(&state).secrets)),
            }
        });
        Box::pin(async move { done.await.unwrap_or(Err(VaultError::Unavailable)) })
    }
}

impl Vault for MemoryVault {
    fn read(&self, entry: &str) -> BoxFuture<'static, Result<Option<SecretString>, VaultError>> {
        let entry = entry.to_owned();
        self.with(move |secrets| secrets.get(&entry).map(|secret| secret.clone().into()))
    }

    fn write(
        &self,
        entry: &str,
        secret: SecretString,
    ) -> BoxFuture<'static, Result<(), VaultError>> {
        let entry = entry.to_owned();
        self.with(move |secrets| {
            secrets.insert(entry, secret.expose_secret().to_owned());
        })
    }

    fn delete(&self, entry: &str) -> BoxFuture<'static, Result<(), VaultError>> {
        let entry = entry.to_owned();
        self.with(move |secrets| {
            secrets.remove(&entry);
        })
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
